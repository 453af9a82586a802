// The observers of changes: event loops, caches, watchers, the journal.

public import GameConfStorage
internal import Synchronization

/// Observes the changes that the daemon publishes, in up to three phases for each batch of changes.
///
/// The phases are ``take(_:)``, ``show(_:)`` and ``receive(_:)``. Each ends for all observers before the next begins. The clients whose
/// writes are in the batch are answered after the last phase. Batches follow one another in the order of their revisions.
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

  /// Passes a new world, the snapshot of all games, to the observer's readers. Returns when each reader has it. Calls do not overlap.
  func show(_ world: World) async

  /// Receives the step to a world that every reader has by now. It must not block and must defer expensive work, because the clients whose
  /// writes caused the step still wait for their answers.
  func receive(_ published: WorldStep)
}

extension PublicationObserver {
  /// By default does nothing, as for an observer without a cache.
  public func take(_ batch: CommittedBatch) {}

  /// By default does nothing, as for an observer without readers of its own.
  public func show(_ world: World) async {}

  /// By default does nothing, as for an observer that only passes worlds to readers or applies batches.
  public func receive(_ published: WorldStep) {}
}

/// The observers of one daemon's changes.
public final class PublicationObservers: WorldPublisher {
  private let followers = Mutex<[any PublicationObserver]>([])

  /// Creates a list without observers.
  public init() {}

  /// Adds an observer, which is notified after the present ones.
  public func follow(_ follower: any PublicationObserver) { followers.withLock { $0.append(follower) } }

  /// Returns the closure that the store calls with every committed batch. The observers and the live world have applied the batch before
  /// the clients whose writes are in it are answered.
  public func publication(changing live: LiveWorld) -> Publication {
    { [self] batch in
      let all = followers.withLock { $0 }
      for each in all { each.take(batch) }
      guard batch.changes.contains(where: \.concernsWorld) else {
        let step = WorldStep(batch, within: live.present.world)
        for each in all { each.receive(step) }
        return nil
      }
      return { await live.change(by: batch) { $0.applying(batch.changes, reaching: batch.state) } }
    }
  }

  /// Shows a world to all observers, then notifies them all.
  public func publish(_ world: World, since before: World, by batch: CommittedBatch?) async {
    let all = followers.withLock { $0 }
    for each in all { await each.show(world) }
    let step = WorldStep(batch, before: before, world: world)
    for each in all { each.receive(step) }
  }

  /// Shows a world as its own predecessor, so that observers receive a step in which no game changes.
  public func publish(_ world: World) async { await publish(world, since: world, by: nil) }
}
