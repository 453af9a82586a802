// The request that stores attributes of a player, which apply to later calls without attributes.

public import GameConfCore

/// Body of `PUT …/players/{player}/context`: the attributes that replace the stored ones.
public struct PutContext: WireRequest {
  package var context = ObjectValue()
  package var reason: String?

  package init() {}

  package init(context: ObjectValue, reason: String? = nil) {
    self.context = context
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["context": ["locale": "es", "platform": "ios", "app_version": "2.1.0"]] }

  package static var about: String { "The player's attributes; a call's own attributes override them one by one." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required(
      "context", &context, "The attributes, in place of those before: locale, platform, app_version, country, …; 8 KiB at most.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
  }
}
