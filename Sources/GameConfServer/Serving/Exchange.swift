// One request and its answer, independent of the application.

internal import NIOCore

/// A request in progress. ``RoutedExchange`` has the parts that depend on the application.
class Exchange {
  final let text: HeadText
  final let arrived: NIODeadline
  final var closes: Bool
  /// The task that makes the answer; nil if there is none.
  final var task: Task<Void, Never>?

  init(_ text: HeadText, arrived: NIODeadline, closes: Bool) {
    self.text = text
    self.arrived = arrived
    self.closes = closes
  }

  final var isHead: Bool { text.head.method == .head }

  /// The position of the route in the router; -1 without a route.
  var ordinal: Int { -1 }
  /// The refusal that does not depend on the body: no route, or no right to use it. Nil otherwise.
  var refusal: Answer? { nil }
  /// The maximum size of the body at the route; nil for the server's limit.
  var bodyBytesMax: Int? { nil }
  /// True if the route's handler reads the body while it arrives.
  var takesStream: Bool { false }

  /// Renders a fault of the server in the style of the requested route.
  func answer(to fault: ServerFault) -> Answer { Answer(status: fault.status, contentType: nil, body: []) }
  /// Returns the refusal of a body with the wrong media type; nil if the route takes it.
  func mediaRefusal() -> Answer? { nil }
  /// Passes an answer to the observer of the event loop, if there is one.
  func show(_ answer: Answer, status: Int, isStream: Bool = false) {}
  /// Calls the route's handler.
  func reply(body: [UInt8]) -> RenderedReply { .now(answer(to: .unanswered)) }
  /// Returns a closure that calls the route's handler on any thread.
  func work(body: [UInt8]) -> @Sendable () -> RenderedReply {
    let answer = answer(to: .unanswered)
    return { .now(answer) }
  }
  /// Calls the route's handler with a body that is still arriving.
  func reply(streaming pipe: BodyPipe) -> EventLoopFuture<Answer> { pipe.eventLoop.makeSucceededFuture(answer(to: .unanswered)) }
}

/// A handler's reply with every problem already rendered.
enum RenderedReply: Sendable {
  case now(Answer)
  /// - Parameters:
  ///   - task: The task that makes the answer; nil if there is none.
  ///   - refusing: Renders the future's error; nil if the future fails only when the daemon stops.
  case later(EventLoopFuture<Answer>, task: Task<Void, Never>? = nil, refusing: (@Sendable (any Error) -> Answer)? = nil)
  case stream(StreamedAnswer)
  case streamLater(EventLoopFuture<Result<StreamedAnswer, RenderedProblem>>)

  /// The task that makes the answer; nil if there is none.
  var task: Task<Void, Never>? { if case .later(_, let task, _) = self { task } else { nil } }

  /// The answer to a problem, as the error of a `Result`.
  struct RenderedProblem: Error { let answer: Answer }
}

/// The client of a connection as the server knows it. It creates the connection's exchanges.
protocol ClientSession: AnyObject {
  var socket: ServerSocket { get }
  var credentials: PeerCredentials? { get }
  /// Creates an exchange for a parsed head, or for bytes that are not a request.
  func exchange(_ text: HeadText, arrived: NIODeadline, closes: Bool, refused: ServerFault?) -> Exchange
  /// The refusal of the client; nil if it is served.
  var refusal: Answer? { get }
  /// Passes a ready answer to the observer of the event loop, if there is one.
  func show(ready body: UnsafeRawBufferPointer, to target: UnsafeRawBufferPointer)
}
