// Long polling: calls that are answered when something has changed.

internal import GameConfAPI
internal import GameConfEngine
internal import NIOCore

/// A call that waits for a change since the position that its caller knows.
struct WaitingCall: Sendable {
  let watches: WatchHub
  let scope: WatchScope
  let game: GameSnapshot
  /// The position of the caller's last answer. The call waits for a later change.
  let after: WatchPosition
  let seconds: Int64
  let user: UInt32

  /// Begins to wait. Can be called on any thread.
  /// - Parameter completion: Called once on the event loop: with the caller's new state, or with nil when the time is over.
  func begin(on eventLoop: any EventLoop, then completion: @escaping @Sendable (Result<WatchedState?, Problem>) -> Void) {
    let wait: @Sendable () -> Void = {
      let mayWait = watches.loop(eventLoop).wait(scope, of: game, after: after, seconds: seconds, user: user) { completion(.success($0)) }
      if mayWait { return }
      completion(
        .failure(Problem(.rateLimited, "This user has reached the limit of calls that wait for changes; try again in a second.")))
    }
    // A slow handler runs on another thread, but watchers may only be used on their event loop.
    if eventLoop.inEventLoop { wait() } else { eventLoop.execute(wait) }
  }

  /// Waits for a change, and returns the caller's new state; nil when the time is over.
  /// - Throws: `RATE_LIMITED` if too many calls of the user wait, `STOPPING` if the client has disconnected.
  func nextState(on eventLoop: any EventLoop) async throws(Problem) -> WatchedState? {
    let result = await withCheckedContinuation { continuation in begin(on: eventLoop) { continuation.resume(returning: $0) } }
    if Task.isCancelled { throw Problem(.stopping, "The client closed the connection before the answer.") }
    return try result.get()
  }
}
