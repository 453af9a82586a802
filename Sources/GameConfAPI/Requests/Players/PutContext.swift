// The attributes of a player that serve where a call gives none.

public import GameConfCore

/// Body of `PUT p/context`.
public struct PutContext: WireShape {
  /// The attributes, in place of those before.
  public var context: ObjectValue
  /// Why.
  public var reason: String?

  /// A request.
  public init(context: ObjectValue, reason: String? = nil) {
    self.context = context
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue([("context", .object(context))]).with("reason", reason)) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["context", "reason"])
    _ = try members.required("context")
    context = try members.object("context")
    reason = try members.optionalString("reason")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "Attributes that serve where a call gives none; a call's own win, one by one.",
      required: [
        "context": SchemaText.described(
          SchemaText.anyObject, "In place of those before: locale, platform, app_version, country, …; 8 KiB at most.")
      ],
      optional: ["reason": SchemaText.string], closed: true)
  }
}
