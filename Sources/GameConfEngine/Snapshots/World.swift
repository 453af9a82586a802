// Every game of the daemon at one moment: what an event loop holds on to.

public import GameConfCore

/// All games, each at its revision; immutable.
public struct World: Sendable {
  /// The games, by id in ascending order.
  public let games: [GameSnapshot]
  /// What is forced in games that have no catalog in force, by game: it is in force again with the next catalog that is accepted.
  public let unserved: [String: OverrideIndex]
  /// The clock of each game that was ever set, served or not.
  public let clocks: [String: SimulatedClock]
  /// The templates of all games.
  public let templates: WorldTemplates
  /// The store's epoch: revisions compare only within one.
  public let epoch: UInt64
  private let positions: [String: Int]

  /// The games of a daemon; of two with one id the last counts.
  public init(
    games: some Sequence<GameSnapshot>, unserved: [String: OverrideIndex] = [:], clocks: [String: SimulatedClock] = [:],
    templates: WorldTemplates = WorldTemplates(), epoch: UInt64 = 0
  ) {
    var byID: [String: GameSnapshot] = [:]
    for game in games { byID[game.game] = game }
    self.games = byID.values.sorted { $0.game < $1.game }
    self.unserved = unserved.filter { byID[$0.key] == nil }
    self.clocks = clocks
    self.templates = templates
    self.epoch = epoch
    var positions: [String: Int] = [:]
    for (at, game) in self.games.enumerated() { positions[game.game] = at }
    self.positions = positions
  }

  /// The game of that id.
  public subscript(game: String) -> GameSnapshot? { positions[game].map { games[$0] } }

  /// What is forced in a game, whether it is served or not.
  func overrides(of game: String) -> OverrideIndex { self[game]?.overrides ?? unserved[game] ?? OverrideIndex() }

  /// The same world with these games in place of theirs; those not there yet are added.
  public func replacing(_ games: some Sequence<GameSnapshot>) -> World {
    World(games: self.games + Array(games), unserved: unserved, clocks: clocks, templates: templates, epoch: epoch)
  }

  /// The same world in which a game's clock is known; the game's own snapshot is another change.
  func setting(_ clock: SimulatedClock, ofGame game: String) -> World {
    World(games: games, unserved: unserved, clocks: clocks.merging([game: clock]) { $1 }, templates: templates, epoch: epoch)
  }

  /// The same world with other templates; the games' own snapshots are another change.
  func knowing(_ templates: WorldTemplates) -> World {
    World(games: games, unserved: unserved, clocks: clocks, templates: templates, epoch: epoch)
  }

  /// The same world with something else forced in a game that is not served.
  func forcing(_ overrides: OverrideIndex, inUnserved game: String) -> World {
    World(games: games, unserved: unserved.merging([game: overrides]) { $1 }, clocks: clocks, templates: templates, epoch: epoch)
  }

  /// The same world without that game.
  public func removing(_ game: String) -> World {
    World(
      games: games.filter { $0.game != game }, unserved: unserved.merging([game: overrides(of: game)]) { $1 }, clocks: clocks,
      templates: templates, epoch: epoch)
  }
}
