// Sets a player's scores.
public import GameConfCore

/// What a change of scores unlocked.
public struct ScoresChanged: Sendable, Hashable {
  /// The milestones, in the order they unlocked.
  public var milestones: [String]
  /// The same as it is told, with the themes those milestones unlock.
  public var unlocked: Unlocks

  /// What was unlocked.
  public init(milestones: [String], unlocked: Unlocks) {
    self.milestones = milestones
    self.unlocked = unlocked
  }
}

/// Sets scores as an admin wants them, and unlocks what they reach.
public struct ChangeScores: Sendable {
  private let desk: PlayerDesk

  /// A use case on a desk.
  public init(_ desk: PlayerDesk) { self.desk = desk }

  /// Sets the scores; what was earned stays earned.
  /// - Throws: `.refused` for a score that is none or a mode the game does not have, and what every change of a player throws.
  public func callAsFunction(
    _ id: PlayerID, _ scores: ScoreChange, _ change: Change,
    remembering: Remembering<PlayerChanged<ScoresChanged>, PlayerRefusal>? = nil
  ) async throws(PlayerRefusal) -> Answered<PlayerChanged<ScoresChanged>> {
    try await desk.change(id, change, remembering: remembering) { edit in try edit.set(scores) }
  }
}

extension PlayerEdit {
  /// Sets the scores.
  func set(_ scores: ScoreChange) throws -> PlayerChanged<ScoresChanged> {
    var state = view.state
    let changed = try state.change(scores, under: view.terms)
    var line = line(.playerScores)
    line.before = view.state.scores
    line.after = state.scores
    line.detail = .object(changed.entry.details)
    return try commit(
      PlayerWrite(state: state, entry: changed.entry), lines: [line],
      ScoresChanged(milestones: changed.milestones, unlocked: changed.unlocked))
  }
}

extension PlayerState {
  /// The scores as the audit log shows them.
  fileprivate var scores: Value {
    let best = bestScores.sorted { $0.key < $1.key }.map { ($0.key, Value.integer($0.value)) }
    return [
      "lifetime_score": .integer(lifetimeScore), "games_played": .integer(gamesPlayed), "best_scores": .object(ObjectValue(best)),
    ]
  }
}
