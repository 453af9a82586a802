// What became of an ad that was to show.

package import GameConfCore

/// Body of `POST p/ads/{placement}/reports`.
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

  package static var about: String { "What became of an ad that was to show." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("decision_id", &decisionID, "The decision, as the event's answer named it.")
    fields.required("outcome", &outcome, "What became of it.")
    fields.optional("reason", &reason, "Why, for the audit log.")
  }
}
