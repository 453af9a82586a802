// The body of changes whose only member is an optional reason.

public import GameConfCore

/// Body of calls such as release, revert and reload: an optional reason. An absent body is the same as an empty object.
public struct ReasonRequest: WireRequest {
  package var reason: String?

  package init() {}

  package init(reason: String? = nil) { self.reason = reason }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["reason": "trying it out"] }

  package static var about: String { "The reason of a change." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("reason", &reason, "The reason, for the audit log.")
  }
}
