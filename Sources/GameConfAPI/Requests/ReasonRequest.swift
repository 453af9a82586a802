// A change that needs nothing but, perhaps, a reason.

public import GameConfCore

/// Body of release, revert, reload and the like; an absent body is the same as an empty object.
public struct ReasonRequest: WireShape {
  /// Why, for the audit log.
  public var reason: String?

  /// A request.
  public init(reason: String? = nil) { self.reason = reason }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue().with("reason", reason)) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    reason = try WireMembers(wire, at: pointer, only: ["reason"]).optionalString("reason")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object("Why a change is made.", optional: ["reason": SchemaText.string], closed: true)
  }
}
