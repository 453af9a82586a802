// The reasons why no answer came.

/// The reason why a call over the socket has no answer; what the daemon itself refuses is a ``Response``.
public enum TransportError: Error, Sendable, Hashable {
  /// There is nothing at that path.
  case noSocket(path: String)
  /// Nobody listens at that path.
  case refused(path: String)
  /// This user may not connect.
  case permissionDenied(path: String)
  /// The path does not fit a socket address (107 bytes).
  case pathTooLong(path: String)
  /// The system refused, in its own words.
  case system(path: String, detail: String)
  /// A target or header that would not be one request.
  case malformedRequest(detail: String)
  /// No answer within that time.
  case timedOut(seconds: Double)
  /// The answer is not HTTP.
  case malformedAnswer(detail: String)
  /// The body is longer than the client takes.
  case answerTooLarge(bytesMax: Int)
  /// The connection ended before the answer did.
  case connectionClosed
  /// The caller's task was cancelled.
  case cancelled
}

extension TransportError: CustomStringConvertible {
  /// The reason, for people.
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
