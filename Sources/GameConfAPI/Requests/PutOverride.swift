// The value an admin forces, and for how long.

public import GameConfCore

/// Body of `PUT …/overrides/{key}`.
public struct PutOverride: WireRequest {
  package var value = Value.null
  package var reason: String?
  package var from: Instant?
  package var until: Instant?

  package init() {}

  package init(value: Value, reason: String? = nil, from: Instant? = nil, until: Instant? = nil) {
    self.value = value
    self.reason = reason
    self.from = from
    self.until = until
  }

  /// Shown in the documentation.
  public static var example: Value? { ["value": 7, "reason": "try faster levels"] }

  package static var about: String { "A value to force. With until it is a window [from, until), else it stands." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("value", &value, "The value, of the parameter's declared type.")
    fields.optional("reason", &reason, "Why, for the audit log.")
    fields.optional("from", &from, "When the window begins; with only until, now.")
    fields.optional("until", &until, "When the window ends; without either the override stands until it is removed.")
    fields.refuse("until", "a window that has “from” needs “until” too", if: from != nil && until == nil)
  }
}
