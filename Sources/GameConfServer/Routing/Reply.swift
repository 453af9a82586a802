// A handler's reply: now, later, by a task, or by a stream.

package import NIOCore

/// A handler's reply.
package enum Reply<App: ServerApp>: Sendable {
  /// An answer now, on the event loop.
  case now(Answer)
  /// An answer when the future is done. Until then the connection reads nothing more, so its answers keep their order.
  case later(Later<Answer>)
  /// The answer of a task. Until it is done the connection reads nothing more. When the client goes away the task is cancelled: what only
  /// reads may stop, what writes goes on.
  case task(@Sendable () async throws(App.Problem) -> Answer)
  /// A body that is sent as it is made.
  case stream(StreamedAnswer)
  /// A body that a task prepares first, so that what fails before its first byte is answered like any refusal. The task is not cancelled when
  /// the client goes away.
  case streamTask(@Sendable () async throws(App.Problem) -> StreamedAnswer)
}

/// A value that an event loop will have.
package typealias Later = EventLoopFuture
