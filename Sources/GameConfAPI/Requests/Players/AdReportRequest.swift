// What became of an ad that was to show.

public import GameConfCore

/// Body of `POST p/ads/{placement}/reports`.
public struct AdReportRequest: WireShape {
  /// The decision, as the event's answer named it.
  public var decisionID: String
  /// What became of it.
  public var outcome: AdOutcome
  /// Why.
  public var reason: String?

  /// A report.
  public init(decisionID: String, outcome: AdOutcome, reason: String? = nil) {
    self.decisionID = decisionID
    self.outcome = outcome
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("decision_id", .string(decisionID)), ("outcome", .string(outcome.rawValue))]).with("reason", reason))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["decision_id", "outcome", "reason"])
    decisionID = try members.string("decision_id")
    outcome = try members.word("outcome")
    reason = try members.optionalString("reason")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "What became of an ad that was to show.",
      required: ["decision_id": SchemaText.string, "outcome": SchemaText.words(AdOutcome.self)],
      optional: ["reason": SchemaText.string], closed: true)
  }
}
