// Renders problems as HTTP answers, and converts the HTTP server's faults to problems.

package import GameConfAPI
package import GameConfCore
package import GameConfServer

extension Problem {
  /// The HTTP answer with the problem, the header `Retry-After`, and the header `Allow` if the problem lists methods.
  package var answer: Answer {
    var answer = Answer(status: status, contentType: Self.mediaType, body: JSONWriter.bytes(wire))
    if let retryAfterSeconds { answer.fields.append(Answer.Field("Retry-After", String(retryAfterSeconds))) }
    if let methods = extensions[Self.allowMember]?.listValue {
      answer.fields.append(Answer.Field("Allow", methods.compactMap(\.stringValue).joined(separator: ", ")))
    }
    return answer
  }

  private static let allowMember = "allow"

  package init(_ fault: ServerFault) {
    var members: [(String, Value)] = []
    switch fault.place {
    case .header(let name): members.append(("header", .string(name)))
    case .parameter(let name): members.append(("parameter", .string(name)))
    case nil: break
    }
    if !fault.allowed.isEmpty { members.append((Self.allowMember, .list(fault.allowed.map(Value.string)))) }
    let detail = fault.code == .notFound ? fault.detail + " GET /openapi.json lists every call." : fault.detail
    // A call that the games socket never answers gets the code `ADMIN_ONLY`.
    let isForAdmins = !fault.sockets.isEmpty && !fault.sockets.contains(ServerSocket.games.name)
    self.init(
      isForAdmins ? .adminOnly : fault.code, detail, retryAfterSeconds: fault.retryAfterSeconds, extensions: ObjectValue(members))
  }

  /// Returns the problem with this pointer into the request's body.
  func at(_ pointer: String) -> Problem {
    var problem = self
    problem.pointer = pointer
    return problem
  }

  static let answerTooLarge = Problem(ServerFault.answerTooLarge)

  package static func query(_ code: ProblemCode, _ name: String, _ detail: String) -> Problem {
    Problem(code, detail, extensions: ObjectValue([("parameter", .string(name))]))
  }

  package static func header(_ name: StaticString, _ detail: String) -> Problem {
    Problem(.malformedHeader, detail, extensions: ObjectValue([("header", .string("\(name)"))]))
  }
}
