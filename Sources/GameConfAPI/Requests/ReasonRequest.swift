// The body of a change that takes only an optional reason.

public import GameConfCore

/// Body of release, revert, reload and the like; an absent body is the same as an empty object.
public struct ReasonRequest: WireRequest {
  package var reason: String?

  package init() {}

  package init(reason: String? = nil) { self.reason = reason }

  /// The example in the OpenAPI document.
  public static var example: Value? { ["reason": "trying it out"] }

  package static var about: String { "The reason of a change." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("reason", &reason, "The reason, for the audit log.")
  }
}
