// Opens a visit: a launch of the game.
public import GameConfCore

/// Tells that a player has launched the game.
public struct OpenVisit: Sendable {
  private let desk: PlayerDesk

  /// A use case on a desk.
  public init(_ desk: PlayerDesk) { self.desk = desk }

  /// Opens a visit.
  /// - Returns: how many there are now, and when this one began.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.tooManyNewPlayers`, `.tooManyWrites`, `.changedMeanwhile`, `.repeatedWithOtherContent`,
  ///   `.reason`, `.store`.
  public func callAsFunction(
    _ id: PlayerID, _ change: Change, remembering: Remembering<PlayerChanged<Visits>, PlayerRefusal>? = nil
  ) async throws(PlayerRefusal) -> Answered<PlayerChanged<Visits>> {
    try await desk.change(id, change, remembering: remembering) { edit in
      var state = edit.view.state
      let entry = state.openVisit(now: edit.view.now)
      var line = edit.line(.playerVisit)
      line.detail = .object(entry.details)
      return try edit.commit(PlayerWrite(state: state, entry: entry), lines: [line], state.visits)
    }
  }
}
