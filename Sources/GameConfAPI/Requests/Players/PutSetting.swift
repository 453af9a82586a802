// The request that stores a player's own choice for one key.

public import GameConfCore

/// Body of `PUT …/players/{player}/settings/{key}`: the value that the player has chosen in the game.
public struct PutSetting: WireRequest {
  package var value = Value.null
  package var reason: String?

  package init() {}

  package init(value: Value, reason: String? = nil) {
    self.value = value
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["value": false] }

  package static var about: String { "A value chosen by the player." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("value", &value, "The value, of the parameter's declared type.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
  }
}
