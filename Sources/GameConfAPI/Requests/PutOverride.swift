// The value an admin forces, and for how long.

public import GameConfCore

/// Body of `PUT …/overrides/{key}`.
public struct PutOverride: WireShape {
  /// The value, of the parameter's declared type.
  public var value: Value
  /// Why, for the audit log.
  public var reason: String?
  /// When the window begins; with only `until`, now.
  public var from: Instant?
  /// When the window ends; without either the override stands until it is removed.
  public var until: Instant?

  /// A request.
  public init(value: Value, reason: String? = nil, from: Instant? = nil, until: Instant? = nil) {
    self.value = value
    self.reason = reason
    self.from = from
    self.until = until
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue([("value", value)]).with("reason", reason).with("from", from).with("until", until))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["value", "reason", "from", "until"])
    value = try members.required("value")
    reason = try members.optionalString("reason")
    from = try members.optionalInstant("from")
    until = try members.optionalInstant("until")
    if from != nil, until == nil {
      throw WireFault(pointer: members.place("until"), message: "a window that has \"from\" needs \"until\" too")
    }
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A value to force. With until it is a window [from, until), else it stands.", required: ["value": SchemaText.any],
      optional: ["reason": SchemaText.string, "from": SchemaText.instant, "until": SchemaText.instant], closed: true)
  }
}
