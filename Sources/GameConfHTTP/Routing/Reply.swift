// How a handler answers: at once, later, by a task, or by a stream.

public import GameConfAPI
public import NIOCore

/// A handler's reply.
public enum Reply: Sendable {
  /// At once, on the event loop.
  case now(Answer)
  /// When the future is done. Until then the connection reads nothing more, so its answers keep their order.
  case later(EventLoopFuture<Answer>)
  /// By a task. Until it is done the connection reads nothing more. The task is not cancelled when the client goes away.
  case task(@Sendable () async throws(Problem) -> Answer)
  /// By a body that is sent as it is made.
  case stream(StreamedAnswer)
  /// By a body that a task prepares first, so that what fails before its first byte is answered like any refusal.
  case streamTask(@Sendable () async throws(Problem) -> StreamedAnswer)
}

/// Answers a request; called on the connection's event loop, so it must not wait.
public typealias Handler = @Sendable (Request) throws(Problem) -> Reply

/// A handler for one endpoint.
public struct Route: Sendable {
  /// The endpoint's id.
  public let endpoint: String
  /// The largest body; nil for the server's limit.
  public let bodyBytesMax: Int?
  let work: Work

  enum Work: Sendable {
    case whole(Handler)
    case streamed(@Sendable (Request, IncomingBody) async throws(Problem) -> Answer)
  }

  /// A route whose handler gets the whole body.
  public init(_ endpoint: String, bodyBytesMax: Int? = nil, _ handler: @escaping Handler) {
    self.endpoint = endpoint
    self.bodyBytesMax = bodyBytesMax
    work = .whole(handler)
  }

  /// A route whose handler reads the body as it arrives, held back when it is slower than the client.
  public init(
    _ endpoint: String, streamedBytesMax: Int, _ handler: @escaping @Sendable (Request, IncomingBody) async throws(Problem) -> Answer
  ) {
    self.endpoint = endpoint
    bodyBytesMax = streamedBytesMax
    work = .streamed(handler)
  }
}
