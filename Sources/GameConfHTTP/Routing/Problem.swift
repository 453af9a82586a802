// A refusal as the caller sees it: RFC 9457, with this daemon's codes.

public import GameConfAPI
internal import GameConfCore

/// Why a call was refused, and what would be right.
public struct Problem: Error, Sendable, Hashable {
  /// One of several faults of the same request.
  public struct Fault: Sendable, Hashable {
    /// JSON pointer into the body, or the name of a query parameter or header.
    public var pointer: String
    /// What is wrong there and what would be right.
    public var detail: String
    /// The fault's own code, where it differs from the problem's.
    public var code: ProblemCode?

    /// A fault.
    public init(pointer: String, detail: String, code: ProblemCode? = nil) {
      self.pointer = pointer
      self.detail = detail
      self.code = code
    }
  }

  /// What kind of problem; decides the status and the title.
  public var code: ProblemCode
  /// What is wrong and what would be right, in a sentence or two.
  public var detail: String
  /// JSON pointer to the place in the body.
  public var pointer: String?
  /// All faults, when there are several.
  public var errors: [Fault] = []
  /// `Retry-After`, in seconds.
  public var retryAfterSeconds: Int?
  /// The methods for `Allow`, with a 405.
  public var allow: [String] = []

  /// A problem.
  public init(_ code: ProblemCode, _ detail: String, pointer: String? = nil, errors: [Fault] = [], retryAfterSeconds: Int? = nil) {
    self.code = code
    self.detail = detail
    self.pointer = pointer
    self.errors = errors
    self.retryAfterSeconds = retryAfterSeconds
  }

  /// The answer that says so.
  public var answer: Answer {
    var members = ObjectValue()
    members["type"] = .string("urn:gameconfd:problem:\(code.rawValue)")
    members["title"] = .string(code.title)
    members["status"] = .integer(Int64(code.status))
    members["code"] = .string(code.rawValue)
    members["detail"] = .string(detail)
    if let pointer { members["pointer"] = .string(pointer) }
    if !errors.isEmpty {
      members["errors"] = .list(
        errors.map { fault in
          var each = ObjectValue()
          if let code = fault.code { each["code"] = .string(code.rawValue) }
          each["detail"] = .string(fault.detail)
          each["pointer"] = .string(fault.pointer)
          return .object(each)
        })
    }
    var answer = Answer(status: code.status, contentType: "application/problem+json", body: JSONWriter.bytes(.object(members)))
    if let retryAfterSeconds { answer.fields.append(Answer.Field("Retry-After", String(retryAfterSeconds))) }
    if !allow.isEmpty { answer.fields.append(Answer.Field("Allow", allow.joined(separator: ", "))) }
    return answer
  }
}
