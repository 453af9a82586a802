// One request between its head and its answer, whatever application answers it.

internal import NIOCore

/// A request that is under way. What depends on the application is in ``RoutedExchange``.
class Exchange {
  final let text: HeadText
  final let arrived: NIODeadline
  final var closes: Bool
  /// The task that makes the answer, where one does.
  final var task: Task<Void, Never>?

  init(_ text: HeadText, arrived: NIODeadline, closes: Bool) {
    self.text = text
    self.arrived = arrived
    self.closes = closes
  }

  final var isHead: Bool { text.head.method == .head }

  /// The position of the route among the router's; -1 when the request reached none.
  var ordinal: Int { -1 }
  /// The refusal of the request whatever its body holds, if it reached no route or may not use it.
  var refusal: Answer? { nil }
  /// Bytes that the route's body may have; nil for the server's limit.
  var bodyBytesMax: Int? { nil }
  /// True if the route's handler reads the body as it arrives.
  var takesStream: Bool { false }

  /// A fault of the server in the words and the style of what was asked for.
  func answer(to fault: ServerFault) -> Answer { Answer(status: fault.status, contentType: nil, body: []) }
  /// The reason why the body is not one that the route takes.
  func mediaRefusal() -> Answer? { nil }
  /// Shows the answer that is sent to the loop's observer.
  func show(_ answer: Answer, status: Int, isStream: Bool = false) {}
  /// The answer of the route's handler.
  func reply(body: [UInt8]) -> Response { .now(answer(to: .unanswered)) }
  /// The same, to be called on any thread.
  func work(body: [UInt8]) -> @Sendable () -> Response {
    let answer = answer(to: .unanswered)
    return { .now(answer) }
  }
  /// The answer of the route's handler from a body that still comes.
  func reply(streaming pipe: BodyPipe) -> EventLoopFuture<Answer> { pipe.eventLoop.makeSucceededFuture(answer(to: .unanswered)) }
}

/// The form of an answer to a request, with every problem rendered.
enum Response: Sendable {
  case now(Answer)
  /// - Parameters:
  ///   - task: what makes the answer, where a task does.
  ///   - refusing: what is answered where the future fails; nil where it does not but when the daemon stops.
  case later(EventLoopFuture<Answer>, task: Task<Void, Never>? = nil, refusing: (@Sendable (any Error) -> Answer)? = nil)
  case stream(StreamedAnswer)
  case streamLater(EventLoopFuture<Result<StreamedAnswer, RenderedProblem>>)

  /// The task that makes the answer, where one does.
  var task: Task<Void, Never>? { if case .later(_, let task, _) = self { task } else { nil } }

  /// A problem as it is answered.
  struct RenderedProblem: Error { let answer: Answer }
}

/// The peer at the other end of a connection, as far as the server must know; makes the connection's exchanges.
protocol Session: AnyObject {
  var socket: ServerSocket { get }
  var credentials: PeerCredentials? { get }
  /// An exchange for a head that was read, or for bytes that are no request.
  func exchange(_ text: HeadText, arrived: NIODeadline, closes: Bool, refused: ServerFault?) -> Exchange
  /// The reason why the peer is not served at all.
  var refusal: Answer? { get }
  /// Shows an answer that lay ready to the loop's observer.
  func show(ready body: UnsafeRawBufferPointer, to target: UnsafeRawBufferPointer)
}
