// Notifies the clients that read games' event streams of new events, which they then read from the database.

public import GameConfEngine
import GameConfStorage
internal import Synchronization

/// The registry of the readers of event streams, which wakes them when there are new events. Each reader gets the events from the database
/// at the pace of its client, so that no events are buffered for a slow client.
public final class StreamSubscribers: PublicationObserver {
  private struct State {
    var followers: [Int: StreamSubscriber] = [:]
    var reading = 0
    var lastNumber = 0
  }

  private let held = Mutex(State())
  private let count = Atomic(0)

  /// Creates a registry without readers.
  package init() {}

  /// Wakes all readers, because there may be new events of which no published batch informed the registry.
  public func wakeAll() {
    if count.load(ordering: .acquiring) == 0 { return }
    for follower in held.withLock({ Array($0.followers.values) }) { follower.wake() }
  }

  /// Wakes the readers of the games that a published batch has changed.
  public func receive(_ published: WorldStep) {
    if count.load(ordering: .acquiring) == 0 { return }
    var games: Set<String> = []
    for change in published.batch?.changes ?? [] {
      switch change {
      case .player(let id, _): games.insert(id.game)
      case .replaced:
        wakeAll()
        return
      default: break
      }
    }
    if games.isEmpty { return }
    let woken = held.withLock { held in held.followers.values.filter { games.contains($0.game) } }
    for follower in woken { follower.wake() }
  }

  /// A permission to read one event stream. The number of permissions is limited. This one is released when the object is deallocated.
  final class StreamReadPermit: Sendable {
    private let followers: StreamSubscribers
    fileprivate init(_ followers: StreamSubscribers) { self.followers = followers }
    deinit { followers.held.withLock { $0.reading -= 1 } }
  }

  /// Returns the permission to read a stream; nil if ``StreamLimits/readersMax`` streams are being read.
  func admit() -> StreamReadPermit? {
    let isAdmitted = held.withLock { held in
      if held.reading >= StreamLimits.readersMax { return false }
      held.reading += 1
      return true
    }
    return isAdmitted ? StreamReadPermit(self) : nil
  }

  /// Calls the body with a new subscriber of a game, and removes the subscriber when the body returns.
  func following<Outcome>(_ game: String, _ body: (StreamSubscriber) async throws -> Outcome) async throws -> Outcome {
    let follower = StreamSubscriber(game: game)
    let number = held.withLock { held in
      held.lastNumber += 1
      held.followers[held.lastNumber] = follower
      return held.lastNumber
    }
    count.add(1, ordering: .acquiringAndReleasing)
    defer {
      held.withLock { _ = $0.followers.removeValue(forKey: number) }
      count.subtract(1, ordering: .acquiringAndReleasing)
    }
    return try await body(follower)
  }
}

/// One reader of a game's event stream.
final class StreamSubscriber: Sendable {
  private struct State {
    var isDue = true
    var isCancelled = false
    var waiting: CheckedContinuation<Void, any Error>?
  }

  let game: String
  private let state = Mutex(State())

  init(game: String) { self.game = game }

  /// Notifies the reader that there may be new events.
  func wake() {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      state.isDue = state.waiting == nil
      return state.waiting
    }
    waiting?.resume()
  }

  /// Waits until the reader is notified, or returns immediately if it was notified since the last call. Events that are read afterwards
  /// include all events of the notification.
  func next() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<Void, any Error>) in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          if state.isCancelled { return .failure(CancellationError()) }
          if state.isDue {
            state.isDue = false
            return .success(())
          }
          state.waiting = waiting
          return nil
        }
        if let outcome { waiting.resume(with: outcome) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.isCancelled = true
        defer { state.waiting = nil }
        return state.waiting
      }
      waiting?.resume(throwing: CancellationError())
    }
  }
}
