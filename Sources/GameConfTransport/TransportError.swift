// The reasons for which a call has no response.

/// The reason why a call over the socket has no response; a refusal by the daemon is a ``Response``.
public enum TransportError: Error, Sendable, Hashable {
  /// The path does not exist.
  case noSocket(path: String)
  /// No process listens at that path.
  case refused(path: String)
  /// The user may not connect.
  case permissionDenied(path: String)
  /// The path does not fit a socket address (107 bytes).
  case pathTooLong(path: String)
  /// The system refused, with its own message.
  case system(path: String, detail: String)
  /// The target or a header would break the request's framing.
  case malformedRequest(detail: String)
  /// There was no response within the timeout.
  case timedOut(seconds: Double)
  /// The response is not HTTP.
  case malformedAnswer(detail: String)
  /// The body exceeds the client's limit.
  case answerTooLarge(bytesMax: Int)
  /// The connection ended before the response did.
  case connectionClosed
  /// The caller's task was cancelled.
  case cancelled
}

extension TransportError: CustomStringConvertible {
  /// The reason, in words for people.
  public var description: String {
    switch self {
    case .noSocket(let path): "there is no socket at \(path)"
    case .refused(let path): "no daemon listens at \(path)"
    case .permissionDenied(let path): "this user may not connect to \(path)"
    case .pathTooLong(let path): "the path \(path) is too long for a socket; at most 107 bytes fit"
    case .system(let path, let detail): "cannot connect to \(path): \(detail)"
    case .malformedRequest(let detail): "the request cannot be sent: \(detail)"
    case .timedOut(let seconds): "no answer within \(seconds) s"
    case .malformedAnswer(let detail): "the answer is not from gameconfd: \(detail)"
    case .answerTooLarge(let bytesMax): "the answer is longer than \(bytesMax) bytes"
    case .connectionClosed: "the connection was closed before the answer was complete"
    case .cancelled: "cancelled"
    }
  }
}
