// How the daemon says no: RFC 9457.

public import GameConfCore

/// A problem document, `application/problem+json`.
public struct Problem: Error, WireShape {
  /// The media type of problem documents.
  public static let mediaType = "application/problem+json"

  /// One of several things that are wrong.
  public struct Item: WireShape {
    /// The reason, usually a ``ProblemCode``; nil when it is the problem's own.
    public var code: String?
    /// What is wrong and what would be right.
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
  /// What is wrong here and what to do.
  public var detail: String
  /// JSON pointer into the request's body.
  public var pointer: String?
  /// Every single thing that is wrong, when there are several.
  public var errors: [Item]
  /// Where the call can be made again after that many seconds.
  public var retryAfterSeconds: Int64?
  /// More about it, by name: the window that overlaps, the entry that changed it since.
  public var extensions: ObjectValue

  /// A problem of that code; status and title follow from it.
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
    self.retryAfterSeconds = retryAfterSeconds
    self.extensions = extensions
  }

  /// The reason, when this version knows it.
  public var code: ProblemCode? { ProblemCode(rawValue: codeText) }

  /// What a request's wrong shape is answered with.
  public init(_ fault: WireFault) {
    self.init(.malformedRequest, fault.message, pointer: fault.pointer)
  }

  private static let ownNames: Set<String> = [
    "type", "title", "status", "code", "detail", "pointer", "errors", "retry_after_seconds",
  ]

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([
      ("type", .string("urn:gameconf:problem:\(codeText.lowercased())")), ("title", .string(title)), ("status", .integer(Int64(status))),
      ("code", .string(codeText)), ("detail", .string(detail)),
    ])
    object = object.with("pointer", pointer).with("retry_after_seconds", retryAfterSeconds)
    if !errors.isEmpty { object = object.with("errors", errors) }
    for member in extensions.members where !Self.ownNames.contains(member.name) { object[member.name] = member.value }
    return .object(object)
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    status = Int(clamping: try members.integer("status"))
    title = try members.optionalString("title") ?? ""
    codeText = try members.optionalString("code") ?? ""
    detail = try members.optionalString("detail") ?? title
    self.pointer = try members.optionalString("pointer")
    errors = try members.shapes("errors")
    retryAfterSeconds = try members.optionalInteger("retry_after_seconds")
    extensions = ObjectValue(members.object.members.filter { !Self.ownNames.contains($0.name) }.map { ($0.name, $0.value) })
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A problem as RFC 9457 has it. More members may say more about it.",
      required: [
        "type": ["type": "string", "format": "uri"], "title": SchemaText.string,
        "status": ["type": "integer", "minimum": 400, "maximum": 599],
        "code": SchemaText.described(
          SchemaText.string,
          "Stable and for programs; among them "
            + ProblemCode.allCases.map(\.rawValue).joined(separator: ", ") + "."),
        "detail": SchemaText.described(SchemaText.string, "What is wrong here and what to do."),
      ],
      optional: [
        "pointer": SchemaText.described(SchemaText.string, "JSON pointer into the request's body."),
        "errors": SchemaText.list(Item.self), "retry_after_seconds": SchemaText.integer,
      ])
  }
}

extension Problem.Item {
  /// `ProblemItem`.
  public static var schemaName: String { "ProblemItem" }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue().with("code", code).with("detail", .some(.string(detail))).with("pointer", pointer))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    code = try members.optionalString("code")
    detail = try members.string("detail")
    self.pointer = try members.optionalString("pointer")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "One of several things that are wrong.", required: ["detail": SchemaText.string],
      optional: ["code": SchemaText.string, "pointer": SchemaText.string])
  }
}
