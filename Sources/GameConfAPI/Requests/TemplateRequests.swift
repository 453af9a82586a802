// Which version of a template is to come into force, and when.

public import GameConfCore

/// Body of `…/template/activate` and `…/template/rollback`.
public struct TemplateActivationRequest: WireRequest {
  package var version: Int64?
  package var at: Instant?
  package var reason: String?

  package init() {}

  package init(version: Int64?, at: Instant? = nil, reason: String? = nil) {
    self.version = version
    self.at = at
    self.reason = reason
  }

  /// Shown in the documentation.
  public static var example: Value? { ["reason": "as it was before"] }

  package static var about: String { "Which version of a template is to come into force, and when." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("version", &version, "The version; absent for the newest, or for the one before in a rollback.")
    fields.optional("at", &at, "When it comes into force; absent for now. A rollback is always now.")
    fields.optional("reason", &reason, "Why, for the audit log.")
  }
}
