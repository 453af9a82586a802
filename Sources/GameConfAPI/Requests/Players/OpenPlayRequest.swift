// What a play is to pin.

public import GameConfCore

/// Body of `POST p/plays`.
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

  /// Shown in the documentation.
  public static var example: Value? { ["context": ["locale": "es", "app_version": "2.1.0"]] }

  package static var about: String { "What a play pins, and for whom." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.whenSet("context", &context, "Attributes of the caller, over those registered for the player; 8 KiB at most.")
    fields.optional("keys", &keys, "The keys to pin, each named once; absent means all that the caller may read.")
    fields.optional("reason", &reason, "Why, for the audit log.")
  }
}
