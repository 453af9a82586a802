// Every game of the daemon at one moment: what an event loop holds on to.

internal import GameConfCore
public import GameConfStorage

/// All games, each at its revision; immutable.
///
/// A world has three layers. ``state`` is what the database has. The tables of ``games`` are made of it and of compiled catalogs and templates. What a
/// snapshot says of faults and warnings is this daemon's own.
public struct World: Sendable {
  /// The games that are served, by id in ascending order.
  public let games: [GameSnapshot]
  /// The stored state that the games are made of, also of games that are not served.
  public let state: StoredState
  /// Compiles the documents of templates.
  public let documents: any TemplateDocuments
  /// The games of which another host has accepted a catalog that is not read yet: its revision names values that are not served.
  let awaited: Set<String>
  private let positions: [String: Int]

  /// The games of a daemon; of two with one id the last counts.
  public init(
    games: some Sequence<GameSnapshot>, state: StoredState = StoredState(), documents: any TemplateDocuments = NoTemplateDocuments()
  ) {
    self.init(games: games, state: state, documents: documents, awaited: [])
  }

  private init(games: some Sequence<GameSnapshot>, state: StoredState, documents: any TemplateDocuments, awaited: Set<String>) {
    var byID: [String: GameSnapshot] = [:]
    for game in games { byID[game.game] = game }
    self.games = byID.values.sorted { $0.game < $1.game }
    self.state = state
    self.documents = documents
    self.awaited = awaited
    var positions: [String: Int] = [:]
    for (at, game) in self.games.enumerated() { positions[game.game] = at }
    self.positions = positions
  }

  /// The store's epoch: revisions compare only within one.
  public var epoch: UInt64 { state.epoch }

  /// The game of that id.
  public subscript(game: String) -> GameSnapshot? { positions[game].map { games[$0] } }

  /// The overrides of a game, whether it is served or not.
  func overrides(of game: String) -> OverrideIndex { self[game]?.overrides ?? state.overrides(of: game) }

  /// The template in force in a catalog's game.
  func template(for catalog: Catalog) -> ActiveTemplate? {
    state.templates[catalog.game].flatMap { ActiveTemplate(kept: $0, catalog: catalog, by: documents) }
  }

  /// The state of a catalog's game, as it is stored, over what is known of the game beside that.
  func state(for catalog: Catalog, over former: GameState?, revision: Int64) -> GameState {
    var state = former ?? GameState(revision: revision)
    state.take(self.state, of: catalog.game)
    (state.revision, state.template) = (revision, template(for: catalog))
    return state
  }

  /// The same world with these games in place of theirs; those not there yet are added.
  public func replacing(_ games: some Sequence<GameSnapshot>) -> World {
    World(games: self.games + Array(games), state: state, documents: documents, awaited: awaited)
  }

  /// The same games over another state; their snapshots are changed apart.
  func over(_ state: StoredState) -> World { World(games: games, state: state, documents: documents, awaited: awaited) }

  /// The same world, in which the catalogs of these games are awaited.
  func awaiting(_ games: Set<String>) -> World { World(games: self.games, state: state, documents: documents, awaited: games) }

  /// True if a catalog of the game is to come. One that this host cannot read does not come.
  func awaitsCatalog(of game: String) -> Bool {
    awaited.contains(game) && self[game]?.degraded.contains { $0.kind == .catalogRefused } != true
  }

  /// The same world without that game.
  public func removing(_ game: String) -> World {
    World(games: games.filter { $0.game != game }, state: state, documents: documents, awaited: awaited)
  }
}

extension ActiveTemplate {
  /// Reads what was kept; nil when it is something else.
  init?(kept: Value, catalog: Catalog, by documents: any TemplateDocuments) {
    guard let number = kept["number"]?.countValue, let since = kept["since_ms"]?.instantValue,
      let text = kept["document"]?.stringValue
    else { return nil }
    let bytes = Array(text.utf8)
    self.init(
      number: number, document: bytes, since: since, template: documents.fitting(bytes, for: catalog))
  }
}
