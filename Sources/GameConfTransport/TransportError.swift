// The reasons for which a call has no response.

/// The reason why a call over the socket has no response; a refusal by the daemon is a ``Response``.
public enum TransportError: Error, Sendable, Hashable {
  /// The path of the socket does not exist.
  case noSocket(path: String)
  /// No process listens on the socket at that path.
  case refused(path: String)
  /// The user may not connect to the socket at that path.
  case permissionDenied(path: String)
  /// The path is longer than a socket address allows (107 bytes).
  case pathTooLong(path: String)
  /// A system call failed. The detail is the system's message.
  case system(path: String, detail: String)
  /// The request's target or a header contains characters that would break the request's framing.
  case malformedRequest(detail: String)
  /// The response did not arrive within the timeout.
  case timedOut(seconds: Double)
  /// The response is not HTTP.
  case malformedAnswer(detail: String)
  /// The response's body exceeds the client's limit.
  case answerTooLarge(bytesMax: Int)
  /// The connection ended before the response did.
  case connectionClosed
  /// The caller's task was cancelled.
  case cancelled
}

extension TransportError: CustomStringConvertible {
  /// The reason as a message for people.
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
