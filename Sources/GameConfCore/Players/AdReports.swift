// Applies the game's reports on ads: shown, closed, rewarded, or failed to load.

/// The result of applying a game's report on an ad, with the placement's next decision.
public struct AdReportOutcome: Sendable, Hashable {
  /// The id of the ad decision that the report is about.
  public var decisionID: String
  /// The outcome of the ad that the game reported.
  public var outcome: AdOutcome
  /// True if the game has already reported this outcome, so that nothing changed.
  public var isRepeat: Bool
  /// True if the ad was not shown (`no_fill` or `failed`) and was therefore removed from the counts for caps and intervals.
  public var isGivenBack: Bool
  /// The decision about an ad that the next event at the placement would get now.
  public var standing: AdDecision
}

extension PlayerState {
  /// Applies a game's report on an ad that it was to show.
  ///
  /// `no_fill` and `failed` remove the ad from the counts. If the placement's `on_no_fill` is `keep_slot`, the player is then owed one ad.
  /// A repeated report changes nothing.
  /// - Returns: The result, and a history entry if anything changed.
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

  /// Returns the index of a decision in the stored history, after verifying its id.
  /// - Throws: `.unknownDecision`, `.decisionTooOld`.
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
  /// True if the game has reported this outcome before. An ad that was closed counts as shown.
  func knows(_ outcome: AdOutcome) -> Bool {
    switch outcome {
    case .rewarded: isRewarded
    case .shown: self.outcome == .shown || self.outcome == .closed
    case .closed, .noFill, .failed: self.outcome == outcome
    }
  }

  /// Throws `.reportContradicts` if this outcome differs from the earlier one, and at least one of them is `no_fill` or `failed` (the ad
  /// was not shown).
  func admits(_ outcome: AdOutcome) throws(Refusal) {
    let earlier = isRewarded ? .rewarded : self.outcome
    guard let earlier, earlier != outcome else { return }
    let broughtNothing: Set<AdOutcome> = [.noFill, .failed]
    if broughtNothing.contains(earlier) || broughtNothing.contains(outcome) { throw .reportContradicts(earlier: earlier, now: outcome) }
  }
}
