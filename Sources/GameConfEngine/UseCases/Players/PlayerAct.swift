// One thing that is done to a player, with what the service must know before its transaction.
import GameConfCore
import GameConfStorage

/// A change of one player, as a route hands it to the service.
///
/// ```swift
/// let answer = try await players.change(id, .set(scores), change)
/// ```
public struct PlayerAct<Outcome: Sendable>: Sendable {
  /// The reach of the decision.
  enum Reach: Sendable {
    case player
    /// The player and another one of the game.
    case players(and: String)
    /// The game too, since it gets a revision.
    case game
  }

  let reach: Reach
  /// True if the act may first be decided on the player in memory. It then runs again if that is behind, so it must not write before it commits.
  let trustsMemory: Bool
  /// True if the act can be done to a player whose rows cannot be read.
  let takesUnreadable: Bool
  let edit: @Sendable (PlayerEdit) throws -> PlayerChangeOutcome<Outcome>

  init(
    reach: Reach = .player, trustsMemory: Bool = true, takesUnreadable: Bool = false,
    _ edit: @escaping @Sendable (PlayerEdit) throws -> PlayerChangeOutcome<Outcome>
  ) {
    self.reach = reach
    self.trustsMemory = trustsMemory
    self.takesUnreadable = takesUnreadable
    self.edit = edit
  }

  /// The scope of its transaction; nil for the player alone.
  func scope(of id: PlayerID) -> WriteScope? {
    switch reach {
    case .player: nil
    case .players(let other): .players([id, PlayerID(game: id.game, player: other)])
    case .game: .game(id.game)
    }
  }
}
