// One daemon of a history: its engine over a real store, started and stopped like the daemon.
import GameConfCore
import GameConfEngine
import Glibc
import Synchronization
import TestStore
import TestSupport

@testable import GameConfStorage

/// The intended failure of a part of a transaction.
enum HistoryRefusal: StoreRefusal, Hashable {
  case onPurpose
  case store(StoreError)
}

/// A store on SQLite or PostgreSQL that a history can open, read independently and close.
enum HistoryStore: Sendable {
  case sqlite(SQLiteStore)
  case postgres(PostgresStore)

  var store: any Store {
    switch self {
    case .sqlite(let store): store
    case .postgres(let store): store
    }
  }

  func close() {
    switch self {
    case .sqlite(let store): store.close()
    case .postgres(let store): store.close()
    }
  }

  /// Applies the commits of other hosts.
  func catchUp() async throws {
    if case .postgres(let store) = self { try await store.command { $0.catchUp() } }
  }

  /// Loads the state from the rows, bypassing everything in memory.
  func load() async throws -> StoreContents {
    switch self {
    case .sqlite(let store):
      let connection = try SQLiteConnection(path: store.file.path, for: .reading)
      defer { connection.close() }
      // One transaction reads one consistent state, because the writer may be unpacking audit lines at the same time.
      try connection.execute("BEGIN")
      return StoreContents(state: try StoredState.loaded(from: connection) { _ in }.0)
    case .postgres(let store):
      return try await store.command { writer in
        Result {
          guard let session = writer.session else { throw StoreError.unavailable("the database cannot be reached") }
          let transaction = PostgresTransaction(session.connection, session.grammar)
          defer { session.rollBack() }
          transaction.add(PostgresCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
          return StoreContents(state: try StoredState.loaded(from: transaction) { _ in }.0)
        }
      }.get()
    }
  }
}

/// A backup of the database, with the model at the time of the backup.
struct HistoryBackup: Sendable {
  let path: String
  let model: HistoryModel
}

/// The engine of one daemon between its start and its stop.
struct HistoryRun: Sendable {
  let opened: HistoryStore
  /// The same store, with the interface for use cases.
  let store: any Store
  let directory: StateDirectory
  let live: LiveWorld
  let service: PlayerService
  let reload: ReloadCatalogs

  var checking: WorldChecking { WorldChecking(live.present) }

  /// Returns the number of visits that each player has opened.
  func visits() async throws -> [String: Int64] {
    try await store.read { view in
      var visits: [String: Int64] = [:]
      for player in HistoryGenerator.players { visits[player] = try view.player(Self.id(player)).state?.visits.count }
      return visits.filter { $0.value > 0 }
    }
  }

  func close() {
    opened.close()
    directory.unlock()
  }

  /// Backs the database up, if it is on SQLite.
  func backup(_ model: HistoryModel) async throws -> HistoryBackup? {
    guard case .sqlite(let store) = opened else { return nil }
    let made = try await store.backup().path
    // The copy is moved because a start removes copies that are left in the state directory.
    let path = directory.path + ".backup"
    guard rename(made, path) == 0 else { throw HistoryFault(description: "the backup is not where the store says") }
    return HistoryBackup(path: path, model: model)
  }

  /// - Returns: True if the backup was restored.
  func restore(_ backup: HistoryBackup, isDryRun: Bool, now: Int64) async throws -> Bool {
    guard case .sqlite(let store) = opened else { return false }
    let change = StoreRestoration(author: Author(uid: 1, name: "ada"), reason: nil, at: Instant(seconds: now), isDryRun: isDryRun)
    _ = try await RestoreStore(store: store, administration: store, checking: checking).replace(from: backup.path, by: change)
    return !isDryRun
  }
}

/// The parts of a daemon that a simulation replaces.
struct HistoryParts: Sendable {
  var times = StoreTiming.tests
  /// Returns the store that use cases get, by default the opened store itself.
  var store: @Sendable (HistoryStore) -> any Store = { $0.store }
  /// Returns the publication that the store calls, by default the given one.
  var publication: @Sendable (@escaping Publication, HistoryStore, LiveWorld) -> Publication = { publication, _, _ in publication }
}

/// One daemon of a random history, which can be stopped and started again on its files.
final class HistoryHost: Sendable {
  private let folder: Mutex<TemporaryFolder>
  private let catalogs: HistoryCatalogs
  private let settings: PostgresSettings?
  private let parts: HistoryParts
  private let name: String
  private let time: Mutex<Int64>
  /// The games whose catalogs other hosts have changed.
  private let followed = Mutex<Set<String>>([])

  init(_ name: String, _ file: HistoryFile, on settings: PostgresSettings?, _ parts: HistoryParts = HistoryParts()) throws {
    folder = Mutex(try TemporaryFolder(isInMemory: true))
    catalogs = HistoryCatalogs(file)
    self.parts = parts
    self.name = name
    self.settings = settings
    time = Mutex(1_000)
  }

  /// The folder that contains the daemon's state directory.
  var temporary: TemporaryFolder { folder.withLock { $0 } }
  var accepted: [AcceptedCatalog] { catalogs.load().catalogs }
  /// The number of the catalog in the daemon's files.
  var fileNumber: Int { catalogs.file.number }

  /// Continues on the files of another folder, as after a crash.
  func move(to temporary: TemporaryFolder, accepted: [AcceptedCatalog]) throws {
    folder.withLock { $0 = temporary }
    for catalog in accepted { try catalogs.store(catalog) }
  }

  /// Replaces the daemon's catalog.
  func accept(_ number: Int, _ run: HistoryRun, isDryRun: Bool, now: Int64) async throws {
    let former = catalogs.file.number
    catalogs.file.number = number
    _ = try await run.reload(now: Instant(seconds: now), because: .hangUp, isDryRun: isDryRun)
    if isDryRun { catalogs.file.number = former }
  }

  func setTime(_ seconds: Int64) { time.withLock { $0 = seconds } }
  private var now: Instant { Instant(seconds: time.withLock { $0 }) }

  func start() async throws -> HistoryRun {
    let directory = try StateDirectory(path: temporary.path + "/state")
    let opened = open(in: directory)
    let store = parts.store(opened)
    let contents = try await store.contents()
    let accepted = catalogs.load().catalogs
    let publications = PublicationObservers()
    let live = LiveWorld(await HistoryWorld.world(accepted, contents, catalogs), publication: publications)
    let recent = PlayerCache(store: store)
    publications.follow(recent)
    store.publish(to: parts.publication(publications.publication(changing: live), opened, live))
    let reload = ReloadCatalogs(
      source: catalogs, storedCatalogs: catalogs, store: store, live: live, accepted: accepted, digests: contents.state.catalogDigests,
      fleet: settings == nil ? nil : Set(contents.state.revisions.keys))
    _ = try await reload(now: now, because: .start)
    // Like the daemon, the host starts with the catalog that the fleet has accepted before.
    if settings != nil {
      let left = await reload.follow(["g"], now: now)
      followed.withLock { $0.formUnion(left) }
    }
    let service = PlayerService(store: store, world: live.present, recent: recent, rates: WriteRateLimiter { 0 })
    return HistoryRun(opened: opened, store: store, directory: directory, live: live, service: service, reload: reload)
  }

  private func open(in directory: StateDirectory) -> HistoryStore {
    let lastGood = LastGoodFile(in: directory)
    let now: @Sendable () -> Instant = { [weak self] in self?.now ?? Instant(seconds: 0) }
    guard let settings else { return .sqlite(SQLiteStore(in: directory, lastGood: lastGood, times: parts.times, now: now)) }
    return .postgres(
      PostgresStore(
        settings, writer: name, lastGood: lastGood, times: parts.times, now: now,
        catalogsChanged: { [weak self] games in self?.followed.withLock { $0.formUnion(games) } }))
  }

  /// Applies the commits of other hosts, including catalogs.
  func catchUp(_ run: HistoryRun) async throws {
    try await run.opened.catchUp()
    let games = followed.withLock { followed in
      defer { followed = [] }
      return followed
    }
    if games.isEmpty { return }
    let left = await run.reload.follow(games.sorted(), now: now)
    followed.withLock { $0.formUnion(left) }
  }

  /// Returns the world that this host would serve after a start from these contents.
  func world(of contents: StoreContents) async -> World { await HistoryWorld.world(catalogs.load().catalogs, contents, catalogs) }

  /// The last good state, which is stored beside the database.
  func lastGood() throws -> LastGoodState? {
    try LastGoodCopy.state(temporary.read("state/last-good.json"))
  }
}

/// Builds worlds (the snapshots of all games) from a store's contents as a start does, and evaluates every key in them.
enum HistoryWorld {
  static func world(_ accepted: [AcceptedCatalog], _ contents: StoreContents, _ catalogs: HistoryCatalogs) async -> World {
    var games: [GameSnapshot] = []
    for each in accepted {
      guard case .read(let catalog, _) = await catalogs.read(each).outcome else { continue }
      games.append(GameSnapshot(catalog: catalog, revision: contents.state.revisions[catalog.game] ?? 0))
    }
    return World(games: games, documents: HistoryDocuments()).applying([.replaced(contents)])
  }

  /// Returns every key's answer for every player and without a player: value, layer, revision.
  static func answers(_ world: World, now: Int64) -> [HistorySlot: EvaluatedValue] {
    guard let game = world["g"] else { return [:] }
    var answers: [HistorySlot: EvaluatedValue] = [:]
    for player in [nil] + HistoryGenerator.players.map(Optional.some) {
      let evaluation = Evaluation(EvaluationContext(player: player), in: game, host: Instant(seconds: now))
      for key in HistoryGenerator.keys { answers[HistorySlot(player: player, key: key)] = evaluation.answer(for: key) }
    }
    return answers
  }

  /// Returns the answers as lines, so that a fault names the differences.
  static func lines(_ world: World, now: Int64) -> Set<String> {
    var lines = Set(
      answers(world, now: now).map { slot, answer in
        "\(slot.key) for \(slot.player ?? "all"): \(answer.value) \(answer.layer.rawValue) at \(answer.revision)"
      })
    guard let game = world["g"] else { return lines }
    lines.insert("the catalog “\(game.catalog.title)” and the template \(game.template?.number ?? 0)")
    // The answers already contain the overrides. Faults and warnings belong to one daemon, so they are not compared.
    return lines.union(self.lines(of: game.state, except: ["overrides", "template", "degraded", "warnings"]))
  }

  /// Returns a state without the parts that may differ: a clock that was never set equals one that was reset. The last revision of a
  /// player's slot is compared by the players' answers, since memory and database forget it by different rules. The highest clock time and
  /// player revision are stored only occasionally.
  static func comparable(_ state: StoredState) -> StoredState {
    var comparable = state
    comparable.clocks = state.clocks.filter { $0.value != .host }
    comparable.overrides = [:]
    for overrides in state.allOverrides { comparable.put(overrides) }
    for (slot, revision) in state.slotRevisions where slot.player == nil { comparable.note(revision, at: slot) }
    (comparable.playerRevisionMax, comparable.hostSeen) = (0, nil)
    return comparable
  }

  /// The members of a state that are not compared, and the reasons.
  static let incomparable = ["playerRevisionMax": "stored only occasionally", "hostSeen": "stored only occasionally"]

  /// Returns the stored layer as one line for each member, so that a fault names the differences. Formatting them is slow.
  static func lines(_ state: StoredState) -> Set<String> {
    var lines = lines(of: state, except: ["overrides"])
    for (slot, revision) in state.slotRevisions { lines.insert("revision \(slot.game) \(slot.player ?? "") \(slot.key) \(revision)") }
    for record in state.allOverrides.flatMap(\.records) { lines.insert("\(record)") }
    return lines
  }

  /// Returns a line for each member of a state, or for each element of a collection, whose order may differ.
  private static func lines(of state: Any, except others: Set<String>) -> Set<String> {
    var lines: Set<String> = []
    for member in Mirror(reflecting: state).children {
      guard let name = member.label, !others.contains(name) else { continue }
      if let values = member.value as? any Sequence {
        for value in values { lines.insert("\(name) \(value)") }
      } else {
        lines.insert("\(name) \(member.value)")
      }
    }
    return lines
  }
}
