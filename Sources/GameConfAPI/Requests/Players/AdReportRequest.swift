// The request with which a game reports the outcome of an ad.

public import GameConfCore

/// Body of `POST …/players/{player}/ads/{placement}/reports`: the id of the decision to show an ad, and the ad's outcome.
public struct AdReportRequest: WireRequest {
  package var decisionID = ""
  package var outcome = AdOutcome.shown
  package var reason: String?

  package init() {}

  package init(decisionID: String, outcome: AdOutcome, reason: String? = nil) {
    self.decisionID = decisionID
    self.outcome = outcome
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["decision_id": "1-9c1d7a3be0f52468", "outcome": "shown"] }

  package static var about: String { "A report about an ad that was to be shown." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("decision_id", &decisionID, "The decision's id, from the event's answer.")
    fields.required("outcome", &outcome, "The outcome.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
  }
}
