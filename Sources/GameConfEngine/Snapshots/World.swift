// An immutable snapshot of all games, which an event loop refers to.

internal import GameConfCore
public import GameConfStorage

/// All games, each at its revision; immutable.
///
/// A world has three layers. ``state`` is the contents of the database. The parameter tables of ``games`` are computed from it and from
/// compiled catalogs and templates. The faults and warnings of a snapshot are this daemon's own.
public struct World: Sendable {
  /// The served games, by id in ascending order.
  public let games: [GameSnapshot]
  /// The stored state of all games, including games that are not served.
  public let state: StoredState
  /// Decodes the active templates from their stored documents.
  public let documents: any TemplateDocuments
  /// The games whose newest catalog was accepted by another host and not read by this one yet. Their newest revisions name values that this
  /// host does not serve.
  let awaited: Set<String>
  private let positions: [String: Int]

  /// Creates a world; of two games with one id, the last is used.
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

  /// The store's epoch. Revisions compare only within one epoch.
  public var epoch: UInt64 { state.epoch }

  /// Returns the snapshot of the game with an id; nil if it is not served.
  public subscript(game: String) -> GameSnapshot? { positions[game].map { games[$0] } }

  /// Returns the overrides of a game, served or not.
  func overrides(of game: String) -> OverrideIndex { self[game]?.overrides ?? state.overrides(of: game) }

  /// Returns the active template of a game, compiled for its catalog; nil if the game has no readable template.
  func template(for catalog: Catalog) -> ActiveTemplate? {
    state.templates[catalog.game].flatMap { ActiveTemplate(stored: $0, catalog: catalog, by: documents) }
  }

  /// Returns the stored state of a game, with the faults and warnings of its former snapshot, which are not stored.
  func state(for catalog: Catalog, over former: GameState?, revision: Int64) -> GameState {
    var state = former ?? GameState(revision: revision)
    state.take(self.state, of: catalog.game)
    (state.revision, state.template) = (revision, template(for: catalog))
    return state
  }

  /// Returns the world in which these snapshots replace those of the same games, or are added.
  public func replacing(_ games: some Sequence<GameSnapshot>) -> World {
    World(games: self.games + Array(games), state: state, documents: documents, awaited: awaited)
  }

  /// Returns the world with another stored state and the same snapshots of games, which the caller changes separately.
  func over(_ state: StoredState) -> World { World(games: games, state: state, documents: documents, awaited: awaited) }

  /// Returns the world in which these games, and no others, await a catalog that another host has accepted.
  func awaiting(_ games: Set<String>) -> World { World(games: self.games, state: state, documents: documents, awaited: games) }

  /// True if another host has accepted a catalog of the game that this host has still to read. A catalog that this host has refused does
  /// not count.
  func awaitsCatalog(of game: String) -> Bool {
    awaited.contains(game) && self[game]?.degraded.contains { $0.kind == .catalogRefused } != true
  }

  /// Returns the world without a game, whose stored state stays.
  public func removing(_ game: String) -> World {
    World(games: games.filter { $0.game != game }, state: state, documents: documents, awaited: awaited)
  }
}

extension ActiveTemplate {
  /// Decodes a stored template; nil if it is malformed.
  init?(stored: Value, catalog: Catalog, by documents: any TemplateDocuments) {
    guard let number = stored["number"]?.countValue, let since = stored["since_ms"]?.instantValue,
      let text = stored["document"]?.stringValue
    else { return nil }
    let bytes = Array(text.utf8)
    self.init(
      number: number, document: bytes, since: since, template: documents.fitting(bytes, for: catalog))
  }
}
