// One HTTP request and its answer on a connection, independent of the application.

internal import NIOCore

/// An HTTP request in progress. The subclass ``RoutedExchange`` has the parts that depend on the application.
class Exchange {
  final let text: RequestHeadBytes
  final let arrived: NIODeadline
  final var closes: Bool
  /// The task that makes the answer; nil if no task does.
  final var task: Task<Void, Never>?

  init(_ text: RequestHeadBytes, arrived: NIODeadline, closes: Bool) {
    self.text = text
    self.arrived = arrived
    self.closes = closes
  }

  final var isHead: Bool { text.head.method == .head }

  /// The position of the request's route in the router; -1 without a route.
  var ordinal: Int { -1 }
  /// The refusal that is known before the body: the request has no route, or the client has no right to use it. Nil if there is no refusal.
  var refusal: Answer? { nil }
  /// The maximum size of a body at the request's route, in bytes; nil for the server's limit.
  var bodyBytesMax: Int? { nil }
  /// True if the route's handler reads the body as a stream, while it arrives.
  var takesStream: Bool { false }

  /// Renders a fault of the server in the style of the requested route.
  func answer(to fault: ServerFault) -> Answer { Answer(status: fault.status, contentType: nil, body: []) }
  /// Returns the refusal of a body whose media type the route does not accept; nil if the route accepts it.
  func mediaRefusal() -> Answer? { nil }
  /// Passes an answer to the observer of the event loop, if there is one.
  func show(_ answer: Answer, status: Int, isStream: Bool = false) {}
  /// Calls the route's handler with the whole body, on the event loop.
  func reply(body: [UInt8]) -> RenderedReply { .now(answer(to: .unanswered)) }
  /// Returns a closure that calls the route's handler on any thread.
  func work(body: [UInt8]) -> @Sendable () -> RenderedReply {
    let answer = answer(to: .unanswered)
    return { .now(answer) }
  }
  /// Calls the route's handler with a body that is still arriving.
  func reply(streaming pipe: BodyPipe) -> EventLoopFuture<Answer> { pipe.eventLoop.makeSucceededFuture(answer(to: .unanswered)) }
}

/// A handler's reply in which every problem is already rendered as an answer.
enum RenderedReply: Sendable {
  case now(Answer)
  /// - Parameters:
  ///   - task: The task that makes the answer; nil if no task does.
  ///   - refusing: Renders an error of the future as an answer; nil if the future fails only when the daemon stops.
  case later(EventLoopFuture<Answer>, task: Task<Void, Never>? = nil, refusing: (@Sendable (any Error) -> Answer)? = nil)
  case stream(StreamedAnswer)
  case streamLater(EventLoopFuture<Result<StreamedAnswer, RenderedProblem>>)

  /// The task that makes the answer; nil if no task does.
  var task: Task<Void, Never>? { if case .later(_, let task, _) = self { task } else { nil } }

  /// The answer to a problem, as the error of a `Result`.
  struct RenderedProblem: Error { let answer: Answer }
}

/// The client of a connection, independent of the application. It creates an ``Exchange`` for each request of the connection.
protocol ClientSession: AnyObject {
  var socket: ServerSocket { get }
  var credentials: PeerCredentials? { get }
  /// Creates the exchange of a parsed request head, or of bytes that are not a request.
  func exchange(_ text: RequestHeadBytes, arrived: NIODeadline, closes: Bool, refused: ServerFault?) -> Exchange
  /// The refusal of every request of the client; nil if the client is served.
  var refusal: Answer? { get }
  /// Passes a precomputed answer to the observer of the event loop, if there is one.
  func show(ready body: UnsafeRawBufferPointer, to target: UnsafeRawBufferPointer)
}
