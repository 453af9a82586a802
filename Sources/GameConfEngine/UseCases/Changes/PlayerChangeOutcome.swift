// The outcome that every change of a player returns.
public import GameConfStorage

/// The outcome of a change of one player, with the stored player after it.
public struct PlayerChangeOutcome<Outcome: Sendable>: Sendable {
  /// The result, whose type depends on the kind of change, such as ``ScoreChangeOutcome``.
  public var outcome: Outcome
  /// The stored player after the change, with the new player revision.
  public var player: StoredPlayer
  /// True if the request was made before and changed nothing now.
  public var isRepeat: Bool
  /// The stored player before the change; nil if the difference is not reported.
  public var before: StoredPlayer?

  /// Creates an outcome, by default of a new request, without the player before the change.
  public init(outcome: Outcome, player: StoredPlayer, isRepeat: Bool = false, before: StoredPlayer? = nil) {
    self.outcome = outcome
    self.player = player
    self.isRepeat = isRepeat
    self.before = before
  }
}
