// The request that stores a player's own choices for several keys together.

public import GameConfCore

/// Body of `PUT …/players/{player}/settings`: values by key. The daemon stores all of them or no value. Null removes a setting.
public struct PutSettings: WireRequest {
  package var settings = ObjectValue()
  package var reason: String?

  package init() {}

  package init(settings: ObjectValue, reason: String? = nil) {
    self.settings = settings
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["settings": ["sound_enabled": false, "haptics_enabled": nil]] }

  package static var about: String { "Values chosen by the player, stored together or not at all." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("settings", &settings, "The values by key, each of its parameter's declared type; null removes the player's choice.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
  }
}
