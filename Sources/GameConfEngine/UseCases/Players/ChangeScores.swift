// Sets a player's scores.
public import GameConfCore
import GameConfStorage

/// The milestones and themes that a change of scores unlocked.
public struct ScoreChangeOutcome: Sendable, Hashable {
  /// The unlocked milestones, in the order of unlocking.
  public var milestones: [String]
  /// The unlocked milestones and themes in the form in which they are reported.
  public var unlocked: Unlocks

  /// Creates an outcome; both lists are empty if the scores unlocked nothing.
  public init(milestones: [String], unlocked: Unlocks) {
    self.milestones = milestones
    self.unlocked = unlocked
  }
}

extension PlayerAct<ScoreChangeOutcome> {
  /// Sets scores as an admin wants them, and unlocks the milestones they reach. Milestones that were unlocked before stay unlocked.
  ///
  /// It throws `.refused` for an invalid score or a mode that the game does not have.
  public static func set(_ scores: ScoreChange) -> Self { Self { edit in try edit.set(scores) } }
}

extension PlayerEdit {
  func set(_ scores: ScoreChange) throws -> PlayerChangeOutcome<ScoreChangeOutcome> {
    var state = view.state
    let changed = try state.change(scores, under: view.terms)
    var line = line(.playerScores)
    line.before = view.state.scores
    line.after = state.scores
    line.detail = .object(changed.entry.details)
    return try commit(
      PlayerWrite(state: state, entry: changed.entry), lines: [line],
      ScoreChangeOutcome(milestones: changed.milestones, unlocked: changed.unlocked))
  }
}

extension PlayerState {
  /// The scores in the form of the audit log.
  fileprivate var scores: Value {
    let best = bestScores.sorted { $0.key < $1.key }.map { ($0.key, Value.integer($0.value)) }
    return [
      "lifetime_score": .integer(lifetimeScore), "games_played": .integer(gamesPlayed), "best_scores": .object(ObjectValue(best)),
    ]
  }
}
