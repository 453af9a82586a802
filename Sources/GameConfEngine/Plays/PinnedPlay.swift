// A play with the values that it pinned, which take precedence in evaluations.
public import GameConfCore
public import GameConfStorage

/// One play of one player with its pinned values; immutable.
public final class PinnedPlay: Sendable {
  /// The player who opened the play. Two plays are equal if their players and ids are.
  public let player: PlayerID
  /// The play's row in the store, without the decoded values.
  public let play: StoredPlay
  /// The decoded pinned values. Plays with equal values refer to one object.
  public let values: PinnedValues

  /// Creates a play from its row, with the pinned values that were decoded before.
  public init(player: PlayerID, play: StoredPlay, values: PinnedValues) {
    self.player = player
    self.play = play
    self.values = values
  }

  /// Returns the pinned keys that a game's catalog no longer has, in the order of the pinning.
  public func keysGone(from table: ParameterTable) -> [String] { values.values.map(\.key).filter { table.position(of: $0) == nil } }
}

/// Equality compares ids, because the pinned values of a play never change.
extension PinnedPlay: Hashable {
  /// True for the same instance, or for the same player and play id.
  public static func == (left: PinnedPlay, right: PinnedPlay) -> Bool {
    left === right || (left.player == right.player && left.play.id == right.play.id)
  }

  /// Hashes the player and the id.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(player)
    hasher.combine(play.id)
  }
}
