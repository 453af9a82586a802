// The body of the daemon's refusals, as RFC 9457 defines it.

public import GameConfCore

/// A problem document of RFC 9457, the body of the daemon's refusals. Calls of foreign protocols have their own form of refusals.
public struct Problem: Error, WireObject {
  /// The media type that RFC 9457 defines for problem documents.
  public static let mediaType = "application/problem+json"

  /// One of several faults of a request.
  public struct Item: WireObject {
    /// The kind of this fault, usually the raw value of a ``ProblemCode``; nil if the whole problem's code is also that of this fault.
    public var code: String?
    /// A sentence with the fault and the way to correct it.
    public var detail: String
    /// The JSON pointer to the faulty value in the request's body.
    public var pointer: String?

    /// Creates the entry for one fault in ``Problem/errors``; with `code` nil it has the code of the whole problem.
    public init(_ code: ProblemCode?, _ detail: String, pointer: String? = nil) {
      self.code = code?.rawValue
      self.detail = detail
      self.pointer = pointer
    }
  }

  /// The HTTP status. A ``ProblemCode`` determines it, unless the problem is from another server.
  public var status: Int
  /// A short title, which is the same for all problems of one code.
  public var title: String
  /// The raw value of a ``ProblemCode``, or a code that this version does not know.
  public var codeText: String
  /// A sentence with the fault of this request and the remedy.
  public var detail: String
  /// The JSON pointer to the faulty value in the request's body; nil if the fault is not in the body.
  public var pointer: String?
  /// All faults of the request if there are several; otherwise empty.
  public var errors: [Item]
  /// The seconds after which the client may repeat the call; nil if no such time is known.
  public var retryAfterSeconds: Int64?
  /// Further members by name, such as the window that overlaps, or the audit log's row of a later change.
  public var extensions: ObjectValue

  /// Creates a problem of this code. The code determines status and title, and also `retryAfterSeconds` if that is nil.
  public init(
    _ code: ProblemCode, _ detail: String, pointer: String? = nil, errors: [Item] = [], retryAfterSeconds: Int64? = nil,
    extensions: ObjectValue = ObjectValue()
  ) {
    self.status = code.status
    self.title = code.title
    self.codeText = code.rawValue
    self.detail = detail
    self.pointer = pointer
    self.errors = errors
    self.retryAfterSeconds = retryAfterSeconds ?? code.retryAfterSeconds
    self.extensions = extensions
  }

  /// The code; nil if this version does not know it.
  public var code: ProblemCode? { ProblemCode(rawValue: codeText) }

  /// Creates the problem of a request that cannot be read.
  public init(_ fault: Fault) {
    self.init(.malformedRequest, fault.message, pointer: fault.pointer)
  }

  package init() {
    status = 0
    title = ""
    codeText = ""
    detail = ""
    errors = []
    extensions = ObjectValue()
  }

  package static var about: String { "A problem as RFC 9457 defines it; further members may follow." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.written(
      "type", .string("urn:gameconf:problem:\(codeText.lowercased())"), "The code as a name.", .schema(["type": "string", "format": "uri"]))
    fields.required("title", &title, "A short title, the same for every occurrence.")
    var status = Int64(status)
    fields.required("status", &status, "The HTTP status.", .schema(["type": "integer", "minimum": 400, "maximum": 599]))
    self.status = Int(clamping: status)
    fields.required(
      "code", &codeText, "The code, for programs; it never changes.",
      .schema(["type": "string", "description": .string("Stable and for programs; among them \(ProblemCode.all).")]))
    fields.required("detail", &detail, "The fault here, and what to do.")
    fields.optional("pointer", &pointer, "JSON pointer into the request's body.")
    fields.optional("retry_after_seconds", &retryAfterSeconds, "The number of seconds after which the call can be repeated.")
    fields.whenSet("errors", &errors, "The single faults, if there are several.")
  }

  /// The JSON of the problem document, including ``extensions``.
  public var wire: Value {
    var copy = self
    var writer = FieldValueWriter()
    copy.walk(&writer)
    var object = writer.object
    for member in extensions.members { _ = object.appendIfAbsent(member.name, member.value) }
    return .object(object)
  }

  /// The JSON of the problem document in UTF-8, as the body of an error answer.
  public var json: [UInt8] { JSONWriter.bytes(wire) }

  /// Reads a problem from JSON. Only the status is required, because other servers send fewer members.
  package init(member value: Value) throws(Fault) {
    var object = try ObjectValue(member: value)
    for name in ["title", "code"] { _ = object.appendIfAbsent(name, "") }
    _ = object.appendIfAbsent("detail", object["title"] ?? "")
    self.init()
    var reader = FieldReader(object)
    walk(&reader)
    if let fault = reader.fault { throw fault }
    let names = Set(FieldList(of: Self.self).names)
    extensions = ObjectValue(object.members.filter { !names.contains($0.name) }.map { ($0.name, $0.value) })
  }
}

extension ProblemCode {
  fileprivate static var all: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension Problem.Item {
  /// The name of the schema component in the OpenAPI document.
  public static var schemaName: String { "ProblemItem" }

  package init() { detail = "" }

  package static var about: String { "One of several faults." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("code", &code, "The reason, if it is not the problem's own.")
    fields.required("detail", &detail, "The fault, and what would be right.")
    fields.optional("pointer", &pointer, "JSON pointer into the request's body.")
  }
}
