// Refusals as answers.

public import GameConfAPI
internal import GameConfCore

extension Problem {
  /// The answer that says so, with `Retry-After`, and `Allow` where the problem names methods.
  public var answer: Answer {
    var answer = Answer(status: status, contentType: Self.mediaType, body: JSONWriter.bytes(wire))
    if let retryAfterSeconds { answer.fields.append(Answer.Field("Retry-After", String(retryAfterSeconds))) }
    if let methods = extensions[Self.allowMember]?.listValue {
      answer.fields.append(Answer.Field("Allow", methods.compactMap(\.stringValue).joined(separator: ", ")))
    }
    return answer
  }

  private static let allowMember = "allow"

  static func methodNotAllowed(allowed: [String]) -> Problem {
    Problem(
      .methodNotAllowed, "This path does not take that method; it takes \(allowed.joined(separator: ", ")).",
      extensions: ObjectValue([(allowMember, .list(allowed.map { .string($0) }))]))
  }

  static func query(_ code: ProblemCode, _ name: String, _ detail: String) -> Problem {
    Problem(code, detail, extensions: ObjectValue([("parameter", .string(name))]))
  }

  static func header(_ name: StaticString, _ detail: String) -> Problem {
    Problem(.malformedHeader, detail, extensions: ObjectValue([("header", .string("\(name)"))]))
  }
}
