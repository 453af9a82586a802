// A play with its values, for evaluations.
public import GameConfCore
public import GameConfStorage

/// One play of one player with its pinned values; immutable.
public final class PinnedPlay: Sendable {
  /// With the play's id, it determines equality.
  public let player: PlayerID
  /// The play's row in the store, without the decoded values.
  public let play: StoredPlay
  /// The decoded values, shared with equal plays.
  public let values: PinnedValues

  /// Creates a play with the values decoded from its row.
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
