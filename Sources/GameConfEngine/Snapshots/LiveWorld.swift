// The present world and how a new one reaches those who read.

public import GameConfStorage
internal import Synchronization

/// The receivers of a new world: every event loop of the server.
public protocol WorldPublication: Sendable {
  /// Shows the world; returns when every reader has taken it.
  func publish(_ world: World) async

  /// Shows the world that came of another, by that batch where there was one; returns when every reader has taken it.
  func publish(_ world: World, since before: World, by batch: CommittedBatch?) async
}

extension WorldPublication {
  /// Shows the world alone.
  public func publish(_ world: World, since before: World, by batch: CommittedBatch?) async { await publish(world) }
}

/// The present world, for those who are not on an event loop: the writer's transactions look into it.
public final class CurrentWorld: Sendable {
  private let held: Mutex<World>

  /// Begins with this world.
  public init(_ world: World) { held = Mutex(world) }

  /// The present world.
  public var world: World { held.withLock { $0 } }

  func replace(_ world: World) { held.withLock { $0 = world } }
}

/// Holds the present world and lets one change at a time make the next.
///
/// Readers do not ask it: each event loop has its own reference, which ``WorldPublication`` renews. A change is over only when all have taken
/// the new world, so whoever made it may be answered then.
public actor LiveWorld {
  /// The present world, readable from anywhere.
  public nonisolated let present: CurrentWorld
  private let publication: any WorldPublication
  private var isChanging = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// A live world that starts here; nothing is published until the first change.
  public init(_ world: World, publication: any WorldPublication) {
    present = CurrentWorld(world)
    self.publication = publication
  }

  /// Makes the next world from the present one and shows it; changes follow one another in the order they came.
  /// - Parameter batch: what was committed, when that is why.
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
