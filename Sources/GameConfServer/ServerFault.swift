// The reasons for which the server itself refuses a request, without the route's handler.

package import GameConfCore

/// A refusal of a request by the server itself, before or instead of the route's handler.
package struct ServerFault: Error, Sendable, Hashable {
  package enum FaultLocation: Sendable, Hashable {
    case header(String)
    case parameter(String)
  }

  package let code: ProblemCode
  /// The fault and its remedy as a sentence, which the client receives.
  package let detail: String
  package var place: FaultLocation?
  /// The methods that the path accepts on this socket, for ``ProblemCode/methodNotAllowed``; empty for every other fault.
  package var allowed: [String] = []
  /// The names of the sockets that answer the call, if the client's socket does not; empty for every other fault.
  package var sockets: [String] = []
  package var retryAfterSeconds: Int64?

  package var status: Int { code.status }

  package init(_ code: ProblemCode, _ detail: String, at place: FaultLocation? = nil, retryAfterSeconds: Int64? = nil) {
    self.code = code
    self.detail = detail
    self.place = place
    self.retryAfterSeconds = retryAfterSeconds
  }

  /// The refusal that replaces an answer whose body would exceed ``Answer/bodyBytesMax``.
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
