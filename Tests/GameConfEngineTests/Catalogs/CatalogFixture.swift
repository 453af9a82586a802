// A fixture with a daemon's engine in memory: catalog files that tests write, a store, accepted catalogs, and starts over all three.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Synchronization
import TestStore

final class CatalogFixture: CatalogSource, AcceptedCatalogs {
  /// The engine from one start to the next.
  struct Run: Sendable {
    let live: LiveWorld
    let reload: ReloadCatalogs

    var world: World { live.present.world }
  }

  let store = MemoryStore()
  private let files = Mutex<[String: Catalog?]>([:])
  private let saved = Mutex<[[AcceptedFile]: Catalog]>([:])
  private let stored = Mutex<[String: (catalog: Catalog, files: [AcceptedFile])]>([:])
  private let keeping = Mutex<StateFault?>(nil)
  private let unreadable = Mutex<Set<String>>([])
  static let now = Instant(seconds: 1000)

  /// Saves a game's catalog file; nil saves a file that is no valid catalog.
  func save(_ game: String, _ catalog: Catalog?) {
    files.withLock { $0[game] = .some(catalog) }
    if let catalog { saved.withLock { $0[Self.files(of: catalog)] = catalog } }
  }
  func remove(file game: String) { _ = files.withLock { $0.removeValue(forKey: game) } }
  /// Makes the storing of accepted catalogs fail with this fault; nil makes it succeed again.
  func failKeeping(with fault: StateFault?) { keeping.withLock { $0 = fault } }
  /// Makes a game's accepted catalog unreadable at the next start.
  func spoilAccepted(_ game: String) { unreadable.withLock { _ = $0.insert(game) } }
  func storedTitle(of game: String) -> String? { stored.withLock { $0[game]?.catalog.title } }

  /// Starts the engine as the daemon does, on the stored state.
  func start(showing publication: (any WorldPublisher)? = nil, reloads: Bool = true) async throws -> Run {
    let contents = try await store.contents()
    var games: [GameSnapshot] = []
    for accepted in load().catalogs {
      if case .read(let catalog, _) = await read(accepted).outcome {
        games.append(GameSnapshot(catalog: catalog, revision: contents.state.revisions[catalog.game] ?? 0))
      }
    }
    let live = LiveWorld(
      World(games: games, documents: PlainDocuments()).applying([.replaced(contents)]),
      publication: publication ?? Unseen())
    store.publish { batch in { await live.change { $0.applying(batch.changes) } } }
    let reload = ReloadCatalogs(
      source: self, storedCatalogs: self, store: store, live: live, accepted: load().catalogs, digests: contents.state.catalogDigests)
    let run = Run(live: live, reload: reload)
    if reloads { _ = try await run.reload(now: Self.now, because: .start) }
    return run
  }

  func read() async -> CatalogLoads {
    let files = files.withLock { $0 }
    return CatalogLoads(
      games: files.keys.sorted().map { game in
        guard let catalog = files[game] ?? nil else {
          return CatalogLoad(game: game, files: [], outcome: .refused(["\(game).yaml:1:1: not a catalog"]))
        }
        return CatalogLoad(game: game, files: Self.files(of: catalog), outcome: .read(catalog, warnings: []))
      })
  }

  func read(_ accepted: AcceptedCatalog) async -> CatalogLoad {
    let catalog = unreadable.withLock { $0.contains(accepted.game) } ? nil : stored.withLock { $0[accepted.game]?.catalog }
    return CatalogLoad(
      game: accepted.game, files: accepted.files, outcome: catalog.map { .read($0, warnings: []) } ?? .refused(["spoilt"]))
  }

  func load() -> AcceptedCatalogContents {
    AcceptedCatalogContents(catalogs: stored.withLock { $0 }.sorted { $0.key < $1.key }.map { AcceptedCatalog(game: $0, files: $1.files) })
  }

  func store(_ catalog: AcceptedCatalog) throws(StateFault) {
    if let fault = keeping.withLock({ $0 }) { throw fault }
    guard let read = saved.withLock({ $0[catalog.files] }) else { return }
    stored.withLock { $0[catalog.game] = (read, catalog.files) }
    unreadable.withLock { _ = $0.remove(catalog.game) }
  }

  func remove(game: String) throws(StateFault) { stored.withLock { $0[game] = nil } }

  private static func files(of catalog: Catalog) -> [AcceptedFile] {
    [AcceptedFile(name: "\(catalog.game).yaml", bytes: Array("\(catalog)".utf8))]
  }

  private struct Unseen: WorldPublisher {
    func publish(_ world: World) async {}
  }
}

extension CatalogFixture {
  @discardableResult
  func set(_ run: Run, _ value: Value, _ key: String, player: String? = nil, until: Int64? = nil) async throws -> Int64 {
    let window = until.map { WindowRequest(until: Instant(seconds: $0)) }
    let answer = try await OverrideService(store: store, checking: WorldChecking(run.live.present)).change(
      .set(value, window: window), at: OverrideFixture.slot(key, player: player), OverrideFixture.context())
    return answer.fresh?.revision ?? 0
  }

  @discardableResult
  func unset(_ run: Run, _ key: String, player: String? = nil) async throws -> Int64 {
    let answer = try await OverrideService(store: store, checking: WorldChecking(run.live.present)).change(
      .remove(), at: OverrideFixture.slot(key, player: player), OverrideFixture.context())
    return answer.fresh?.revision ?? 0
  }
}

extension CatalogFixture.Run {
  func value(_ key: String, player: String? = nil) -> Value? {
    guard let game = world["g"] else { return nil }
    let caller = Caller(
      player: player, locales: ["en"], now: CatalogFixture.now, overrides: player.map { game.overrides.player($0).values } ?? [:])
    return game.table.resolve(key, for: caller)?.value
  }

  /// Returns the revision of every key, for each of these players and without a player.
  func revisions(of players: [String] = []) -> [String: Int64] {
    guard let game = world["g"] else { return [:] }
    var revisions = ["": game.revision]
    for key in game.catalog.parameters.map(\.key) {
      revisions[key] = game.revision(at: key, for: nil)
      for player in players { revisions["\(key) \(player)"] = game.revision(at: key, for: player) }
    }
    return revisions
  }
}

extension Catalog {
  /// Returns a catalog of the game “g” with integers of these values; `{KEY}` in `references` makes another key a key's default.
  static func g(
    _ numbers: KeyValuePairs<String, Int64> = ["a": 1, "b": 2, "c": 3], references: KeyValuePairs<String, String> = [:],
    title: String = "G",
    max: Int64 = 100, constraints: [Constraint] = []
  ) -> Catalog {
    var catalog = Catalog(game: "g", title: title, locales: ["en"])
    for (key, number) in numbers {
      var parameter = Parameter(key: key, type: .integer, defaultValue: .value(.integer(number)), section: "S", description: "D")
      parameter.range = NumericRange(min: .number(0), max: .number(.integer(max)))
      catalog.parameters.append(parameter)
    }
    for (key, other) in references {
      catalog.parameters.append(Parameter(key: key, type: .integer, defaultValue: .parameter(other), section: "S", description: "D"))
    }
    catalog.constraints = constraints
    return catalog
  }
}
