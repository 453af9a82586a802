// The answers to reports on shown ads, and to calls that reset a placement or let its next event show an ad.

package import GameConfCore

/// Answer of `POST …/players/{player}/ads/{placement}/reports`: the recorded outcome of an ad, and the earliest time of the next one.
public struct AdReportAnswer: WireObject {
  package var playerRevision: Int64 = 0
  package var decisionID = ""
  package var outcome = AdOutcome.shown
  package var isRepeat = false
  package var isGivenBack = false
  package var isDryRun = false
  package var ad = AdStatusAnswer()

  package init() {}

  package init(
    playerRevision: Int64, decisionID: String, outcome: AdOutcome, isRepeat: Bool = false, isGivenBack: Bool = false,
    isDryRun: Bool = false, ad: AdStatusAnswer
  ) {
    self.playerRevision = playerRevision
    self.decisionID = decisionID
    self.outcome = outcome
    self.isRepeat = isRepeat
    self.isGivenBack = isGivenBack
    self.isDryRun = isDryRun
    self.ad = ad
  }

  package static var about: String { "The result of a report about an ad." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("player_revision", &playerRevision, "The player's revision after the change.")
    fields.required("decision_id", &decisionID, "The decision's id.")
    fields.required("outcome", &outcome, "The reported outcome.")
    fields.required("repeated", &isRepeat, "True if the same was reported before.")
    fields.required("given_back", &isGivenBack, "True if the show no longer counts for caps and pacing.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
    fields.required("ad", &ad, "The placement after the report.")
  }
}

/// Answer of `POST …/players/{player}/ads/{placement}/reset` and `…/force`: the placement's state after the change.
public struct AdChangeAnswer: WireObject {
  package var playerRevision: Int64 = 0
  package var isDryRun = false
  package var ad = AdStatusAnswer()

  package init() {}

  package init(playerRevision: Int64, isDryRun: Bool = false, ad: AdStatusAnswer) {
    self.playerRevision = playerRevision
    self.isDryRun = isDryRun
    self.ad = ad
  }

  package static var about: String { "A placement after an admin reset its counters or made its next ad show." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("player_revision", &playerRevision, "The player's revision after the change.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
    fields.required("ad", &ad, "The placement after the change.")
  }
}
