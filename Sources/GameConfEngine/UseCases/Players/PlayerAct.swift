// A change of a player, with the facts that the service needs before its transaction.
import GameConfCore
import GameConfStorage

/// A change of one player, as a route passes it to the service.
///
/// ```swift
/// let answer = try await players.change(id, .set(scores), change)
/// ```
public struct PlayerAct<Outcome: Sendable>: Sendable {
  /// The players or the game that a change may write, from which the transaction's scope follows.
  enum ActScope: Sendable {
    case player
    /// The change writes the player and another one of the same game, with this id, as a transfer of purchases does.
    case players(and: String)
    /// The change writes the game too, because it creates a revision of the game.
    case game
  }

  let reach: ActScope
  /// True if the change may first be decided on the cached player. It is decided again if the cached player is stale, so it must not write
  /// before it commits.
  let trustsMemory: Bool
  /// True if the change works for a player whose rows cannot be read.
  let takesUnreadable: Bool
  let edit: @Sendable (PlayerEdit) throws -> PlayerChangeOutcome<Outcome>

  init(
    reach: ActScope = .player, trustsMemory: Bool = true, takesUnreadable: Bool = false,
    _ edit: @escaping @Sendable (PlayerEdit) throws -> PlayerChangeOutcome<Outcome>
  ) {
    self.reach = reach
    self.trustsMemory = trustsMemory
    self.takesUnreadable = takesUnreadable
    self.edit = edit
  }

  /// Returns the scope of the transaction; nil for the player alone.
  func scope(of id: PlayerID) -> WriteScope? {
    switch reach {
    case .player: nil
    case .players(let other): .players([id, PlayerID(game: id.game, player: other)])
    case .game: .game(id.game)
    }
  }
}
