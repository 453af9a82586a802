// The request that opens a play and pins values for it.

public import GameConfCore

/// Body of `POST …/players/{player}/plays`: the keys whose values the play pins, and the attributes for which they are evaluated.
public struct OpenPlayRequest: WireRequest {
  package var context = ObjectValue()
  package var keys: [String]?
  package var reason: String?

  package init() {}

  package init(context: ObjectValue = ObjectValue(), keys: [String]? = nil, reason: String? = nil) {
    self.context = context
    self.keys = keys
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["context": ["locale": "es", "app_version": "2.1.0"]] }

  package static var about: String { "The keys and attributes of a new play." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.whenSet("context", &context, "Attributes of the caller; they override the player's registered ones; 8 KiB at most.")
    fields.optional("keys", &keys, "The keys to pin, each named once; all that the caller may read if absent.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
  }
}
