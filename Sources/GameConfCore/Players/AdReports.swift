// The reports of games on the ads that they were to show.

/// The result of a report.
public struct AdReportOutcome: Sendable, Hashable {
  /// The decision.
  public var decisionID: String
  /// The reported outcome.
  public var outcome: AdOutcome
  /// True if the same had been reported before; nothing changed then.
  public var isRepeat: Bool
  /// True if the show was taken back: it counts for no cap and no pacing.
  public var isGivenBack: Bool
  /// The placement as it stands after the report.
  public var standing: AdDecision
}

extension PlayerState {
  /// Takes a report on a decision to show an ad.
  ///
  /// `no_fill` and `failed` give cap and time back and, where the placement keeps the slot, owe one show. Reporting the same again changes
  /// nothing.
  /// - Returns: the outcome, and the entry for the player's history when anything changed.
  /// - Throws: `.unknownPlacement`, `.unknownDecision`, `.decisionTooOld`, `.reportContradicts`, `.notRewarded`.
  public mutating func reportAd(
    _ id: String, _ outcome: AdOutcome, at placementID: String, under terms: PlayerTerms
  ) throws(Refusal) -> (AdReportOutcome, HistoryEntry?) {
    let placement = try terms.catalog.placement(placementID)
    var state = self
    state.heedClock(terms.now)
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
    state.heedExemption(placement, under: terms)
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

  /// The position of the decision among those kept.
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
  /// True if a report would change nothing.
  func knows(_ outcome: AdOutcome) -> Bool {
    switch outcome {
    case .rewarded: isRewarded
    case .shown: self.outcome == .shown || self.outcome == .closed
    case .closed, .noFill, .failed: self.outcome == outcome
    }
  }

  /// Refuses what contradicts what was reported: an ad that brought nothing was not shown, and the other way round.
  func admits(_ outcome: AdOutcome) throws(Refusal) {
    let earlier = isRewarded ? .rewarded : self.outcome
    guard let earlier, earlier != outcome else { return }
    let broughtNothing: Set<AdOutcome> = [.noFill, .failed]
    if broughtNothing.contains(earlier) || broughtNothing.contains(outcome) { throw .reportContradicts(earlier: earlier, now: outcome) }
  }
}
