// Every game of the daemon at one moment: what an event loop holds on to.

/// All games, each at its revision; immutable.
public struct World: Sendable {
  /// The games, by id in ascending order.
  public let games: [GameSnapshot]
  private let positions: [String: Int]

  /// The games of a daemon; of two with one id the last counts.
  public init(games: some Sequence<GameSnapshot>) {
    var byID: [String: GameSnapshot] = [:]
    for game in games { byID[game.game] = game }
    self.games = byID.values.sorted { $0.game < $1.game }
    var positions: [String: Int] = [:]
    for (at, game) in self.games.enumerated() { positions[game.game] = at }
    self.positions = positions
  }

  /// The game of that id.
  public subscript(game: String) -> GameSnapshot? { positions[game].map { games[$0] } }

  /// The same world with these games in place of theirs; those not there yet are added.
  public func replacing(_ games: some Sequence<GameSnapshot>) -> World { World(games: self.games + Array(games)) }

  /// The same world without that game.
  public func removing(_ game: String) -> World { World(games: games.filter { $0.game != game }) }
}
