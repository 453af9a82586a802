// The daemon's refusals: RFC 9457.

public import GameConfCore

/// A problem document, `application/problem+json`.
public struct Problem: Error, WireObject {
  /// The media type of problem documents.
  public static let mediaType = "application/problem+json"

  /// One of several things that are wrong.
  public struct Item: WireObject {
    /// The reason, usually a ``ProblemCode``; nil when it is the problem's own.
    public var code: String?
    /// The fault, and the state that would be right.
    public var detail: String
    /// JSON pointer into the request's body.
    public var pointer: String?

    /// One thing that is wrong.
    public init(_ code: ProblemCode?, _ detail: String, pointer: String? = nil) {
      self.code = code?.rawValue
      self.detail = detail
      self.pointer = pointer
    }
  }

  /// The HTTP status.
  public var status: Int
  /// The problem in a few words, the same for every occurrence.
  public var title: String
  /// The reason: the raw value of a ``ProblemCode``, or one that this version does not know.
  public var codeText: String
  /// The fault here, and the remedy.
  public var detail: String
  /// JSON pointer into the request's body.
  public var pointer: String?
  /// Every single thing that is wrong, when there are several.
  public var errors: [Item]
  /// The seconds after which the call can be made again, where it can.
  public var retryAfterSeconds: Int64?
  /// More about it, by name: the window that overlaps, the entry that changed it since.
  public var extensions: ObjectValue

  /// A problem of that code; status and title follow from it, and unless it is given, when to try again.
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

  /// The reason, when this version knows it.
  public var code: ProblemCode? { ProblemCode(rawValue: codeText) }

  /// The problem of a request's wrong shape.
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

  /// Its JSON.
  public var wire: Value {
    var copy = self
    var writer = FieldValueWriter()
    copy.walk(&writer)
    var object = writer.object
    for member in extensions.members { _ = object.appendIfAbsent(member.name, member.value) }
    return .object(object)
  }

  /// Its JSON as bytes.
  public var json: [UInt8] { JSONWriter.bytes(wire) }

  /// Reads it; of another's problem the status is enough.
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
  /// `ProblemItem`.
  public static var schemaName: String { "ProblemItem" }

  package init() { detail = "" }

  package static var about: String { "One of several faults." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("code", &code, "The reason, if it is not the problem's own.")
    fields.required("detail", &detail, "The fault, and what would be right.")
    fields.optional("pointer", &pointer, "JSON pointer into the request's body.")
  }
}
