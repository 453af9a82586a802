// The observers of every change: event loops, players in memory, watchers, the journal.

public import GameConfStorage
internal import Synchronization

/// Observes what the daemon publishes, at up to three moments of each batch.
///
/// The moments come in this order for all observers: every one has taken a batch before any shows it, every one has shown it before any is
/// notified, and the batch's writes are answered after that. Batches come one after the other, in the order of their revisions.
///
/// ```swift
/// final class Journal: PublicationObserver {
///   func receive(_ published: WorldStep) { for line in published.lines { print(line.action) } }
/// }
/// publications.follow(Journal())
/// ```
public protocol PublicationObserver: Sendable {
  /// Takes a batch as soon as it is committed: what serves from memory has it now. Called on the writer's thread, so it must not wait.
  func take(_ batch: CommittedBatch)

  /// Shows a new world to those who read; returns when each of them has it. Worlds come one at a time.
  func show(_ world: World) async

  /// Receives what every reader sees by now. It must not wait, and what costs much it does later: the writes are not answered yet.
  func receive(_ published: WorldStep)
}

extension PublicationObserver {
  /// Takes nothing.
  public func take(_ batch: CommittedBatch) {}

  /// Shows nothing.
  public func show(_ world: World) async {}

  /// Passes it over.
  public func receive(_ published: WorldStep) {}
}

/// The observers of one daemon's changes.
public final class Publications: WorldPublication {
  private let followers = Mutex<[any PublicationObserver]>([])

  /// Nobody follows yet.
  public init() {}

  /// Notifies this one of every change from now on, after the present observers.
  public func follow(_ follower: any PublicationObserver) { followers.withLock { $0.append(follower) } }

  /// The closure that the store calls with every batch, so that the observers and the live world have it before its writes are answered.
  public func publication(changing live: LiveWorld) -> Publication {
    { [self] batch in
      let all = followers.withLock { $0 }
      for each in all { each.take(batch) }
      guard batch.changes.contains(where: \.concernsWorld) else {
        let world = live.present.world
        for each in all { each.receive(WorldStep(batch, before: world, world: world)) }
        return nil
      }
      return { await live.change(by: batch) { $0.applying(batch.changes, reaching: batch.state) } }
    }
  }

  /// Shows a world to all observers, then notifies all of it.
  public func publish(_ world: World, since before: World, by batch: CommittedBatch?) async {
    let all = followers.withLock { $0 }
    for each in all { await each.show(world) }
    for each in all { each.receive(WorldStep(batch, before: before, world: world)) }
  }

  /// Shows a world of which nothing else is known.
  public func publish(_ world: World) async { await publish(world, since: world, by: nil) }
}
