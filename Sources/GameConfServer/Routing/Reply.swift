// How a handler answers: at once, later, by a task, or by a stream.

package import NIOCore

/// A handler's reply.
package enum Reply<App: ServerApp>: Sendable {
  /// At once, on the event loop.
  case now(Answer)
  /// When the future is done. Until then the connection reads nothing more, so its answers keep their order.
  case later(Later<Answer>)
  /// By a task. Until it is done the connection reads nothing more. When the client goes away the task is cancelled: what only
  /// reads may stop, what writes goes on.
  case task(@Sendable () async throws(App.Problem) -> Answer)
  /// By a body that is sent as it is made.
  case stream(StreamedAnswer)
  /// By a body that a task prepares first, so that what fails before its first byte is answered like any refusal.
  case streamTask(@Sendable () async throws(App.Problem) -> StreamedAnswer)
}

/// What an event loop will have.
package typealias Later = EventLoopFuture
