// Changes of a player's ads: a game's reports, and an admin's resets and overrides.
public import GameConfCore
import GameConfStorage

extension PlayerAct<AdReportOutcome> {
  /// Applies a report on the outcome of a decision to show an ad; a repeated report changes nothing.
  ///
  /// It throws `.refused` for an unknown or expired decision, another player's decision, and reports that contradict each other.
  public static func reportAd(_ decision: String, _ outcome: AdOutcome, at placement: String) -> Self {
    Self { edit in
      var state = edit.view.state
      let (report, entry) = try state.reportAd(decision, outcome, at: placement, under: edit.view.terms)
      guard let entry else { return try edit.nothing(report) }
      var line = edit.line(.adReport)
      line.detail = .object(entry.details)
      return try edit.commit(PlayerWrite(state: state, entry: entry), lines: [line], report)
    }
  }
}

extension PlayerAct<AdDecision> {
  /// Resets the counter of an ad placement. Also cancels an ad that was due there but could not be loaded, and an ad that an admin forced.
  /// The outcome is the placement after the reset.
  ///
  /// It throws `.refused` for an unknown placement.
  public static func resetAds(at placement: String) -> Self {
    Self { edit in
      try edit.setAds(at: placement, .adReset) { state throws(Refusal) in try state.resetAds(at: placement, under: edit.view.terms) }
    }
  }

  /// Makes a placement's next event show one ad, against every rule except `AD_FREE` and `CHILD_DIRECTED`. The outcome is the placement
  /// after the change.
  ///
  /// It throws `.refused` for an unknown placement, a player without ads and a game for children.
  public static func forceAd(at placement: String) -> Self {
    Self { edit in
      try edit.setAds(at: placement, .adForce) { state throws(Refusal) in try state.forceAd(at: placement, under: edit.view.terms) }
    }
  }
}

extension PlayerEdit {
  /// Applies an admin's act to a placement's counters, with a history line and an audit line.
  fileprivate func setAds(
    at placement: String, _ action: AuditAction, _ set: (inout PlayerState) throws(Refusal) -> HistoryEntry
  ) throws -> PlayerChangeOutcome<AdDecision> {
    var state = view.state
    let entry = try set(&state)
    var line = line(action)
    line.detail = .object(entry.details)
    let standing = try state.adStatus(at: placement, under: view.terms)
    return try commit(PlayerWrite(state: state, entry: entry), lines: [line], standing)
  }
}
