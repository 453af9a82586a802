// Applies the game's reports on ads: shown, closed, rewarded, or failed to load.

/// The effect of a report on an ad, and the placement's next decision.
public struct AdReportOutcome: Sendable, Hashable {
  /// The id of the decision that the report is about.
  public var decisionID: String
  /// The outcome that the game reported.
  public var outcome: AdOutcome
  /// True if this outcome was reported before, so that nothing changed.
  public var isRepeat: Bool
  /// True if the ad was not shown and was removed from the counts for caps and intervals.
  public var isGivenBack: Bool
  /// The decision that the next event at the placement would get.
  public var standing: AdDecision
}

extension PlayerState {
  /// Applies a report on an ad that was to be shown.
  ///
  /// `no_fill` and `failed` remove the ad from the counts. If the placement keeps the slot, one ad is then owed. A repeated report changes
  /// nothing.
  /// - Returns: The outcome, and a history entry if anything changed.
  /// - Throws: `.unknownPlacement`, `.unknownDecision`, `.decisionTooOld`, `.reportContradicts`, `.notRewarded`.
  public mutating func reportAd(
    _ id: String, _ outcome: AdOutcome, at placementID: String, under terms: PlayerTerms
  ) throws(Refusal) -> (AdReportOutcome, HistoryEntry?) {
    let placement = try terms.catalog.placement(placementID)
    var state = self
    state.clampToNow(terms.now)
    let at = try state.decision(named: id, at: placement, under: terms)
    let known = state.ads.decisions[at]
    if outcome == .rewarded, placement.format != .rewarded { throw .notRewarded(placement: placementID) }
    try known.admits(outcome)
    if known.knows(outcome) {
      return (
        AdReportOutcome(
          decisionID: id, outcome: outcome, isRepeat: true, isGivenBack: false, standing: try adStatus(at: placementID, under: terms)),
        nil
      )
    }
    state.applyExemption(placement, under: terms)
    let isGivenBack = outcome == .noFill || outcome == .failed
    if isGivenBack, var history = state.ads.placements[placementID] {
      history.giveBack(known)
      if placement.onNoFill == .keepSlot, known.number > history.settledThrough { history.isOwed = true }
      state.ads.placements[placementID] = history
    }
    if outcome == .rewarded {
      state.ads.decisions[at].isRewarded = true
      state.ads.lastRewardAt = terms.now
    } else {
      state.ads.decisions[at].outcome = outcome
    }
    let details: ObjectValue = [
      "placement": .string(placementID), "decision": .integer(known.number), "outcome": .string(outcome.rawValue),
    ]
    let entry = state.note(.report, details, at: terms.now)
    let standing = try state.adStatus(at: placementID, under: terms)
    self = state
    return (AdReportOutcome(decisionID: id, outcome: outcome, isRepeat: false, isGivenBack: isGivenBack, standing: standing), entry)
  }

  /// Returns the index of the decision among the stored ones, after verifying its id.
  private func decision(named id: String, at placement: Placement, under terms: PlayerTerms) throws(Refusal) -> Int {
    guard id.utf8.count <= 64, let digits = id.split(separator: "-").first, let number = Int64(digits), number > 0,
      number <= ads.decisionsMade, decisionID(number, at: placement.id, under: terms) == id
    else { throw .unknownDecision(String(id.prefix(64))) }
    guard let at = ads.decisions.lastIndex(where: { $0.number == number }),
      terms.now.milliseconds(since: ads.decisions[at].at) <= PlayerLimits.reportSecondsMax * 1000
    else { throw .decisionTooOld(id) }
    return at
  }
}

extension AdShow {
  /// True if the outcome was already reported.
  func knows(_ outcome: AdOutcome) -> Bool {
    switch outcome {
    case .rewarded: isRewarded
    case .shown: self.outcome == .shown || self.outcome == .closed
    case .closed, .noFill, .failed: self.outcome == outcome
    }
  }

  /// Throws if a report contradicts an earlier one: an ad that was not loaded cannot have been shown, and the reverse.
  func admits(_ outcome: AdOutcome) throws(Refusal) {
    let earlier = isRewarded ? .rewarded : self.outcome
    guard let earlier, earlier != outcome else { return }
    let broughtNothing: Set<AdOutcome> = [.noFill, .failed]
    if broughtNothing.contains(earlier) || broughtNothing.contains(outcome) { throw .reportContradicts(earlier: earlier, now: outcome) }
  }
}
