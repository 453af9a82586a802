// Why the server itself says no, before a handler sees the request or in its stead.

/// A refusal of the server's own.
package struct ServerFault: Error, Sendable, Hashable {
  package enum Code: String, Sendable, CaseIterable {
    case malformedHTTP = "MALFORMED_HTTP"
    case malformedPath = "MALFORMED_PATH"
    case malformedRequest = "MALFORMED_REQUEST"
    case unknownQueryParameter = "UNKNOWN_QUERY_PARAMETER"
    case malformedQueryParameter = "MALFORMED_QUERY_PARAMETER"
    case malformedHeader = "MALFORMED_HEADER"
    case notPermitted = "NOT_PERMITTED"
    /// The call is answered on another socket; ``ServerFault/sockets`` says on which.
    case otherSocket = "OTHER_SOCKET"
    case browserRefused = "BROWSER_REFUSED"
    case notFound = "NOT_FOUND"
    case methodNotAllowed = "METHOD_NOT_ALLOWED"
    case requestTimeout = "REQUEST_TIMEOUT"
    case bodyTooLarge = "BODY_TOO_LARGE"
    case answerTooLarge = "ANSWER_TOO_LARGE"
    case targetTooLong = "TARGET_TOO_LONG"
    case unsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE"
    case expectationFailed = "EXPECTATION_FAILED"
    case tooManyConnections = "TOO_MANY_CONNECTIONS"
    case rateLimited = "RATE_LIMITED"
    case headerTooLarge = "HEADER_TOO_LARGE"
    case internalFault = "INTERNAL_FAULT"
    case notImplemented = "NOT_IMPLEMENTED"
    case serverFull = "SERVER_FULL"
    case stopping = "STOPPING"
    case versionNotSupported = "VERSION_NOT_SUPPORTED"

    package var status: Int {
      switch self {
      case .malformedHTTP, .malformedPath, .malformedRequest, .unknownQueryParameter, .malformedQueryParameter, .malformedHeader: 400
      case .notPermitted, .otherSocket, .browserRefused: 403
      case .notFound: 404
      case .methodNotAllowed: 405
      case .requestTimeout: 408
      case .bodyTooLarge: 413
      case .answerTooLarge: 422
      case .targetTooLong: 414
      case .unsupportedMediaType: 415
      case .expectationFailed: 417
      case .tooManyConnections, .rateLimited: 429
      case .headerTooLarge: 431
      case .internalFault: 500
      case .notImplemented: 501
      case .serverFull, .stopping: 503
      case .versionNotSupported: 505
      }
    }
  }

  /// Where in the request the fault is.
  package enum Place: Sendable, Hashable {
    case header(String)
    case parameter(String)
  }

  package let code: Code
  /// What is wrong here and what to do.
  package let detail: String
  package var place: Place?
  /// With ``Code/methodNotAllowed``: the methods that the path takes on this socket.
  package var allowed: [String] = []
  /// With ``Code/otherSocket``: the names of the sockets that answer it.
  package var sockets: [String] = []
  package var retryAfterSeconds: Int64?

  package var status: Int { code.status }

  package init(_ code: Code, _ detail: String, at place: Place? = nil, retryAfterSeconds: Int64? = nil) {
    self.code = code
    self.detail = detail
    self.place = place
    self.retryAfterSeconds = retryAfterSeconds
  }

  /// Where the answer would have more bytes than ``Answer/bodyBytesMax``.
  package static let answerTooLarge = ServerFault(
    .answerTooLarge, "The answer would have more than \(Answer.bodyBytesMax) bytes; request less: some keys, or one player.")

  static func methodNotAllowed(allowed: [String]) -> ServerFault {
    var fault = ServerFault(.methodNotAllowed, "This path does not accept the method; it accepts \(allowed.joined(separator: ", ")).")
    fault.allowed = allowed
    return fault
  }

  static func header(_ name: StaticString, _ detail: String) -> ServerFault {
    ServerFault(.malformedHeader, detail, at: .header("\(name)"))
  }

  static let outOfDescriptors = ServerFault(
    .serverFull, "The server has no descriptors left for more connections; close some or try again.", retryAfterSeconds: 1)
  static let userHoldsTooMuch = ServerFault(
    .rateLimited, "This user's unfinished requests have reached their limit of bytes; try again.", retryAfterSeconds: 1)
  static let serverHoldsTooMuch = ServerFault(
    .serverFull, "The server has reached its limit of bytes of unfinished bodies; try again.", retryAfterSeconds: 1)
  static let userTakesTooLittle = ServerFault(
    .rateLimited, "The answers that wait for this user have reached their limit of bytes; read them, then try again.", retryAfterSeconds: 1)
  static let serverFullOfAnswers = ServerFault(
    .serverFull, "The answers that wait for clients have reached their limit of bytes; try again.", retryAfterSeconds: 1)
  static let clientGone = ServerFault(.malformedHTTP, "The client closed the connection before the body was complete.")
  static let unanswered = ServerFault(.internalFault, "The daemon could not answer; its log says why.")
}
