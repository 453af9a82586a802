// The observers of changes: event loops, caches, watchers, the journal.

public import GameConfStorage
internal import Synchronization

/// Observes the daemon's publications, in up to three phases for each batch.
///
/// A phase ends for all observers before the next begins: all have taken a batch before any shows it, and all have shown it before any is
/// notified. The batch's writes are answered after that. Batches follow one another in the order of their revisions.
///
/// ```swift
/// final class Journal: PublicationObserver {
///   func receive(_ published: WorldStep) { for line in published.lines { print(line.action) } }
/// }
/// publications.follow(Journal())
/// ```
public protocol PublicationObserver: Sendable {
  /// Applies a committed batch to a cache. Called on the writer's thread, so it must not block.
  func take(_ batch: CommittedBatch)

  /// Shows a new world to readers; returns when each of them has it. Worlds are shown one at a time.
  func show(_ world: World) async

  /// Receives a step that every reader sees by now. It must not block and must defer expensive work: no write is answered yet.
  func receive(_ published: WorldStep)
}

extension PublicationObserver {
  /// Does nothing by default.
  public func take(_ batch: CommittedBatch) {}

  /// Does nothing by default.
  public func show(_ world: World) async {}

  /// Does nothing by default.
  public func receive(_ published: WorldStep) {}
}

/// The observers of one daemon's changes.
public final class Publications: WorldPublisher {
  private let followers = Mutex<[any PublicationObserver]>([])

  /// Creates a list without observers.
  public init() {}

  /// Adds an observer, which is notified after the present ones.
  public func follow(_ follower: any PublicationObserver) { followers.withLock { $0.append(follower) } }

  /// Returns the closure that the store calls with every batch: the observers and the live world have it before its writes are answered.
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

  /// Shows a world to all observers, then notifies them all.
  public func publish(_ world: World, since before: World, by batch: CommittedBatch?) async {
    let all = followers.withLock { $0 }
    for each in all { await each.show(world) }
    for each in all { each.receive(WorldStep(batch, before: before, world: world)) }
  }

  /// Shows a world without a known predecessor.
  public func publish(_ world: World) async { await publish(world, since: world, by: nil) }
}
