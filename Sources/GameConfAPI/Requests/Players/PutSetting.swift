// The value a player chooses.

public import GameConfCore

/// Body of `PUT p/settings/{key}`.
public struct PutSetting: WireShape {
  /// The value, of the parameter's declared type.
  public var value: Value
  /// Why.
  public var reason: String?

  /// A request.
  public init(value: Value, reason: String? = nil) {
    self.value = value
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue([("value", value)]).with("reason", reason)) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["value", "reason"])
    value = try members.required("value")
    reason = try members.optionalString("reason")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A value that the player chooses.", required: ["value": SchemaText.any], optional: ["reason": SchemaText.string], closed: true)
  }
}
