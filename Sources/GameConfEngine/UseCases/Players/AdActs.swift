// What is done about a player's ads: a game's reports, and an admin's resets and forced shows.
public import GameConfCore

/// Takes a report on a decision to show an ad.
public struct ReportAd: Sendable {
  private let desk: PlayerDesk

  /// A use case on a desk.
  public init(_ desk: PlayerDesk) { self.desk = desk }

  /// Takes the report; the same one again changes nothing.
  /// - Throws: `.refused` for a decision that was never made, made too long ago or made for another player, and for reports that contradict each
  ///   other; `.unknownGame`, `.notAPlayer`, `.tooManyWrites`, `.changedMeanwhile`, `.repeatedWithOtherContent`, `.reason`, `.store`.
  public func callAsFunction(
    _ id: PlayerID, decision: String, _ outcome: AdOutcome, at placement: String, _ change: Change,
    remembering: Remembering<PlayerChanged<AdReportOutcome>, PlayerRefusal>? = nil
  ) async throws(PlayerRefusal) -> Answered<PlayerChanged<AdReportOutcome>> {
    try await desk.change(id, change, remembering: remembering) { edit in
      var state = edit.view.state
      let (report, entry) = try state.reportAd(decision, outcome, at: placement, under: edit.view.terms)
      guard let entry else { return try edit.nothing(report) }
      var line = edit.line(.adReport)
      line.detail = .object(entry.details)
      return try edit.commit(PlayerWrite(state: state, entry: entry), lines: [line], report)
    }
  }
}

/// Lets a placement count from 0 again.
public struct ResetAds: Sendable {
  private let desk: PlayerDesk

  /// A use case on a desk.
  public init(_ desk: PlayerDesk) { self.desk = desk }

  /// Resets the counter; what is owed or forced is cancelled.
  /// - Returns: the placement as it stands then.
  /// - Throws: `.refused` for an unknown placement, and what every change of a player throws.
  public func callAsFunction(
    _ id: PlayerID, at placement: String, _ change: Change,
    remembering: Remembering<PlayerChanged<AdDecision>, PlayerRefusal>? = nil
  ) async throws(PlayerRefusal) -> Answered<PlayerChanged<AdDecision>> {
    try await desk.change(id, change, remembering: remembering) { edit in
      try edit.setAds(at: placement, .adReset) { state throws(Refusal) in try state.resetAds(at: placement, under: edit.view.terms) }
    }
  }
}

/// Makes a placement's next event show an ad, once.
public struct ForceAd: Sendable {
  private let desk: PlayerDesk

  /// A use case on a desk.
  public init(_ desk: PlayerDesk) { self.desk = desk }

  /// Forces the next ad against every rule but `AD_FREE` and `CHILD_DIRECTED`.
  /// - Returns: the placement as it stands then.
  /// - Throws: `.refused` for an unknown placement, a player without ads and a game for children, and what every change of a player throws.
  public func callAsFunction(
    _ id: PlayerID, at placement: String, _ change: Change,
    remembering: Remembering<PlayerChanged<AdDecision>, PlayerRefusal>? = nil
  ) async throws(PlayerRefusal) -> Answered<PlayerChanged<AdDecision>> {
    try await desk.change(id, change, remembering: remembering) { edit in
      try edit.setAds(at: placement, .adForce) { state throws(Refusal) in try state.forceAd(at: placement, under: edit.view.terms) }
    }
  }
}

extension PlayerEdit {
  /// Changes what is counted at a placement.
  fileprivate func setAds(
    at placement: String, _ action: AuditAction, _ set: (inout PlayerState) throws(Refusal) -> HistoryEntry
  ) throws -> PlayerChanged<AdDecision> {
    var state = view.state
    let entry = try set(&state)
    var line = line(action)
    line.detail = .object(entry.details)
    let standing = try state.adStanding(at: placement, under: view.terms)
    return try commit(PlayerWrite(state: state, entry: entry), lines: [line], standing)
  }
}
