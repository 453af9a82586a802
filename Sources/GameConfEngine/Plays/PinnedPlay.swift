// A play with its values, as evaluations stand on it.
public import GameConfCore
public import GameConfStorage

/// One play of one player with what it pinned; immutable.
public final class PinnedPlay: Sendable {
  /// The player of the play.
  public let player: PlayerID
  /// The play as the store has it.
  public let play: StoredPlay
  /// The values that it pinned.
  public let values: PinnedValues

  /// A play.
  public init(player: PlayerID, play: StoredPlay, values: PinnedValues) {
    self.player = player
    self.play = play
    self.values = values
  }

  /// The keys it pinned that a game's catalog has no more, in the order in which they were pinned.
  public func keysGone(from table: ParameterTable) -> [String] { values.values.map(\.key).filter { table.position(of: $0) == nil } }
}

/// The pinned values of a play never change, so that its id says it all.
extension PinnedPlay: Hashable {
  /// True if both are the same play.
  public static func == (left: PinnedPlay, right: PinnedPlay) -> Bool {
    left === right || (left.player == right.player && left.play.id == right.play.id)
  }

  /// Feeds whose it is and its id.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(player)
    hasher.combine(play.id)
  }
}
