// The request that overrides a key's value, permanently or for a time window.

public import GameConfCore

/// Body of `PUT …/overrides/{key}`: the value. Without `until` the override is permanent, otherwise it has a time window.
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

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["value": 7, "reason": "try faster levels"] }

  package static var about: String { "The override. With until it holds for the window [from, until), else it is permanent." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("value", &value, "The value, of the parameter's declared type.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
    fields.optional("from", &from, "The beginning of the window; now if only until is given.")
    fields.optional("until", &until, "The end of the window; without it the override is permanent until it is removed.")
    fields.refuse("until", "a window that has “from” needs “until” too", if: from != nil && until == nil)
  }
}
