// The forms of a handler's reply: an answer, a future, a task, or a stream.

package import NIOCore

/// A handler's reply, which decides when and on which thread the answer is made.
package enum Reply<App: ServerApp>: Sendable {
  /// An answer, made on the event loop.
  case now(Answer)
  /// An answer that the future delivers. The connection parses no further request until then, so that answers keep their order.
  case later(Later<Answer>)
  /// An answer made by a task. The connection parses no further request until it is done. If the client disconnects, the task is cancelled: a read
  /// may stop, a write goes on.
  case task(@Sendable () async throws(App.Problem) -> Answer)
  /// A body that is sent while it is produced.
  case stream(StreamedAnswer)
  /// A streamed body that a task prepares, so that an error before the first byte becomes an ordinary error answer. The task is not cancelled if
  /// the client disconnects.
  case streamTask(@Sendable () async throws(App.Problem) -> StreamedAnswer)
}

/// A value that an event loop receives later.
package typealias Later = EventLoopFuture
