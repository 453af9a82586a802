// A call that is answered as soon as there is something new.

internal import GameConfAPI
internal import GameConfEngine
internal import NIOCore

/// A call that waits for what its caller does not know yet.
struct WaitingCall: Sendable {
  let watches: WatchHub
  let scope: WatchScope
  let game: GameSnapshot
  /// The position that the caller knows.
  let after: WatchPosition
  let seconds: Int64
  let user: UInt32

  /// Waits; to be called on any thread.
  /// - Parameter news: called once, on the event loop: with what the caller sees then, or with nothing when the time is over.
  func begin(on eventLoop: any EventLoop, then news: @escaping @Sendable (Result<WatchedState?, Problem>) -> Void) {
    let wait: @Sendable () -> Void = {
      let mayWait = watches.loop(eventLoop).wait(scope, of: game, after: after, seconds: seconds, user: user) { news(.success($0)) }
      if mayWait { return }
      news(
        .failure(Problem(.rateLimited, "This user has reached the limit of calls that wait for changes; try again in a second.")))
    }
    // Where a call of this user took long just now, handlers are called on another thread, and watchers live on the loop.
    if eventLoop.inEventLoop { wait() } else { eventLoop.execute(wait) }
  }

  /// The state that the caller sees when there is something new; nil when the time is over.
  /// - Throws: `RATE_LIMITED` when as many calls of the user wait as may, `STOPPING` when nobody waits for the answer any more.
  func news(on eventLoop: any EventLoop) async throws(Problem) -> WatchedState? {
    let result = await withCheckedContinuation { continuation in begin(on: eventLoop) { continuation.resume(returning: $0) } }
    if Task.isCancelled { throw Problem(.stopping, "The client closed the connection before the answer.") }
    return try result.get()
  }
}
