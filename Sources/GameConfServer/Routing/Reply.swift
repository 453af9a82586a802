// The forms of a handler's reply to a request: an answer, a future, a task, or a stream.

package import NIOCore

/// A handler's reply, which decides when and on which thread the answer is made.
package enum Reply<App: ServerApp>: Sendable {
  /// An answer that the handler has made on the event loop.
  case now(Answer)
  /// An answer that a future delivers. The connection parses no further request until then, so that answers keep the order of requests.
  case later(Later<Answer>)
  /// An answer that a task makes. The connection parses no further request until the task is done. If the client disconnects, the task is
  /// cancelled. A task that reads may then stop, but one that writes goes on.
  case task(@Sendable () async throws(App.Problem) -> Answer)
  /// An answer whose body is sent while it is produced.
  case stream(StreamedAnswer)
  /// A streamed answer that a task prepares, so that an error before the first byte becomes an ordinary error answer. The task is not
  /// cancelled if the client disconnects.
  case streamTask(@Sendable () async throws(App.Problem) -> StreamedAnswer)
}

/// A value that an event loop receives later, from a task or from another thread.
package typealias Later = EventLoopFuture
