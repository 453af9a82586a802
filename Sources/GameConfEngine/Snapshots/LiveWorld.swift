// The present world, and its replacement by a new one for all readers.

public import GameConfStorage
internal import Synchronization

/// A receiver of new worlds, the snapshots of all games, that passes them to every event loop of the server.
public protocol WorldPublisher: Sendable {
  /// Passes the world to readers; returns when every reader has it.
  func publish(_ world: World) async

  /// Passes to readers a world that replaces another one; returns when every reader has it. `batch` is the commit that caused it, if any.
  func publish(_ world: World, since before: World, by batch: CommittedBatch?) async
}

extension WorldPublisher {
  /// By default passes the world to ``publish(_:)``, which ignores its predecessor and the batch.
  public func publish(_ world: World, since before: World, by batch: CommittedBatch?) async { await publish(world) }
}

/// A reference to the present world for code outside event loops, such as the writer's transactions.
public final class CurrentWorld: Sendable {
  private let held: Mutex<World>

  /// Creates a reference to a world, which ``LiveWorld`` replaces from then on.
  public init(_ world: World) { held = Mutex(world) }

  /// The present world; the next call may return another.
  public var world: World { held.withLock { $0 } }

  func replace(_ world: World) { held.withLock { $0 = world } }
}

/// Holds the present world, and replaces it by one change at a time.
///
/// Readers do not access this actor. Each event loop has its own reference to the world, which ``WorldPublisher`` replaces. A change ends
/// when all loops have the new world, so its author can then be answered.
public actor LiveWorld {
  /// The present world, accessible from any thread.
  public nonisolated let present: CurrentWorld
  private let publication: any WorldPublisher
  private var isChanging = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Creates a live world; nothing is published until the first change.
  public init(_ world: World, publication: any WorldPublisher) {
    present = CurrentWorld(world)
    self.publication = publication
  }

  /// Computes the next world from the present one and passes it to readers. Changes run one at a time, in the order of the calls.
  /// - Parameter batch: The commit that causes the change; nil for other causes.
  public func change(by batch: CommittedBatch? = nil, _ next: @Sendable (World) -> World) async {
    if isChanging {
      await withCheckedContinuation { waiting.append($0) }
    } else {
      isChanging = true
    }
    let before = present.world
    let world = next(before)
    present.replace(world)
    await publication.publish(world, since: before, by: batch)
    if waiting.isEmpty {
      isChanging = false
    } else {
      waiting.removeFirst().resume()
    }
  }
}
