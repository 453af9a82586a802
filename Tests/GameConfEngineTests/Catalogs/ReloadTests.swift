// The outcome of a reload for each game, and the report for the log.

import GameConfCore
import GameConfEngine
import GameConfStorage
import Synchronization
import TestStore
import Testing

@Suite("Reloads of catalogs")
struct ReloadTests {
  /// A fixture with catalog files that the tests write, and the reload that reads them.
  private final class Fixture: CatalogSource, AcceptedCatalogs, WorldPublisher {
    private let outcomes = Mutex<[String: CatalogLoad.Outcome]>([:])
    private let catalogs = Mutex<[String: AcceptedCatalog]>([:])
    private let reports = Mutex<[ReloadReport]>([])
    let memory = MemoryStore()

    func write(_ game: String, _ outcome: CatalogLoad.Outcome?) { outcomes.withLock { $0[game] = outcome } }
    var reported: [ReloadReport] { reports.withLock { $0 } }

    func reloading(
      serving catalog: Catalog? = nil, accepted: [AcceptedCatalog] = [], digests: [String: Int64] = [:], fleet: Set<String>? = nil
    ) -> (reload: ReloadCatalogs, live: LiveWorld) {
      let games = catalog.map { [GameSnapshot(catalog: $0, revision: 1)] } ?? []
      let live = LiveWorld(World(games: games), publication: self)
      memory.publish { batch in { await live.change { $0.applying(batch.changes) } } }
      let reload = ReloadCatalogs(
        source: self, storedCatalogs: self, store: memory, live: live, accepted: accepted, digests: digests, fleet: fleet
      ) { report in
        self.reports.withLock { $0.append(report) }
      }
      return (reload, live)
    }

    func publish(_ world: World) async {}

    func read() async -> CatalogLoads {
      CatalogLoads(
        games: outcomes.withLock { $0 }.map { game, outcome in
          let bytes =
            switch outcome {
            case .read(let catalog, _): Array(catalog.title.utf8)
            case .refused(let faults): Array(faults.joined().utf8)
            }
          return CatalogLoad(game: game, files: [AcceptedFile(name: "\(game).yaml", bytes: bytes)], outcome: outcome)
        })
    }

    func read(_ accepted: AcceptedCatalog) async -> CatalogLoad {
      CatalogLoad(game: accepted.game, files: accepted.files, outcome: .refused(["not asked for here"]))
    }

    func load() -> AcceptedCatalogContents { AcceptedCatalogContents() }
    func store(_ catalog: AcceptedCatalog) throws(StateFault) { catalogs.withLock { $0[catalog.game] = catalog } }
    func remove(game: String) throws(StateFault) { catalogs.withLock { $0[game] = nil } }
  }

  private static let now = Instant(seconds: 1_000)
  private static func good(_ title: String) -> CatalogLoad.Outcome {
    .read(Catalog(game: "g", title: title, locales: ["en"]), warnings: [])
  }
  private static let bad = CatalogLoad.Outcome.refused(["g.yaml:3:5: no"])

  @Test("a game with an accepted catalog counts as missing until it is served or forgotten")
  func expected() async throws {
    let fixture = Fixture()
    let (reload, live) = fixture.reloading(digests: ["g": 1, "h": 2], fleet: ["g", "h"])
    func missing() -> [String] { reload.expected.missing(from: live.present.world).map { $0.game } }
    #expect(missing() == ["g", "h"])
    fixture.write("g", Self.good("one"))
    _ = try await reload(now: Self.now, because: .start)
    #expect(missing() == ["g", "h"], "the fleet's catalog may be another than the file's")
    #expect(
      reload.expected.missing(from: live.present.world)[0].details == [
        "the game is not served, because its accepted catalog could not be read; gameconfd tries again"
      ])
    let change = ChangeContext(author: .daemon, reason: nil, now: Self.now)
    #expect(try await reload.forget("h", change).isKnown)
    #expect(missing() == ["g"])
  }

  @Test("a served game whose catalog the database has lost is accepted again; a game that was forgotten there is dropped")
  func lostOrForgotten() async throws {
    let fixture = Fixture()
    guard case .read(let catalog, _) = Self.good("one") else { return }
    let earlier = AcceptedCatalog(game: "g", files: [AcceptedFile(name: "g.yaml", bytes: Array("one".utf8))])
    let (reload, live) = fixture.reloading(serving: catalog, accepted: [earlier], fleet: ["g"])
    #expect(await reload.follow(["g"], now: Self.now).isEmpty)
    #expect(live.present.world["g"] != nil)
    let stored = try await fixture.memory.read { view in
      try view.newestCatalog(of: "g").flatMap { newest in try view.catalog(newest.number, of: "g") }
    }
    #expect(stored?.files == earlier.files)
    try await fixture.memory.write(refusing: StoreError.self) { transaction in
      try transaction.forgetCatalogs(of: "g")
      _ = try transaction.append(AuditRecord(at: Self.now, author: .daemon, action: .catalogForgotten, game: "g"))
    }
    #expect(await reload.follow(["g"], now: Self.now).isEmpty)
    #expect(live.present.world["g"] == nil)
    #expect(reload.expected.missing(from: live.present.world).isEmpty)
  }

  @Test("a host whose catalog is older than the fleet's at its start follows the fleet instead of accepting its own again")
  func outdated() async throws {
    let fixture = Fixture()
    guard case .read(let catalog, _) = Self.good("one") else { return }
    let earlier = AcceptedCatalog(game: "g", files: [AcceptedFile(name: "g.yaml", bytes: Array("one".utf8))])
    let (reload, _) = fixture.reloading(serving: catalog, accepted: [earlier], digests: ["g": 7], fleet: ["g"])
    _ = try await reload(now: Self.now, because: .start)
    #expect(await reload.outdated == ["g"])
    #expect(try await fixture.memory.read { try $0.newestCatalog(of: "g")?.digest } == nil)
  }

  @Test("an invalid file leaves the accepted catalog in force; the fault and its end are reported once each")
  func lifetime() async throws {
    let fixture = Fixture()
    let (reload, live) = fixture.reloading()
    fixture.write("g", Self.good("one"))
    _ = try await reload(now: Self.now, because: .start)
    let first = try #require(live.present.world["g"]?.revision)
    fixture.write("g", Self.bad)
    let author = Author(uid: 7, name: "ada")
    _ = try await reload(now: Self.now, because: .requested(author))
    #expect(live.present.world["g"]?.catalog.title == "one")
    _ = try await reload(now: Self.now, because: .hangUp)
    #expect(live.present.world["g"]?.revision == first)
    fixture.write("g", Self.good("two"))
    _ = try await reload(now: Self.now, because: .saved)
    _ = try await reload(now: Self.now, because: .saved)
    #expect(live.present.world["g"]?.catalog.title == "two")

    let reported = fixture.reported
    #expect(reported.map(\.cause) == [.start, .requested(author), .hangUp, .saved, .saved])
    #expect(reported.map { $0.outcomes.flatMap(\.faults) } == [[], ["g.yaml:3:5: no"], ["g.yaml:3:5: no"], [], []])
    let outcomes = reported.compactMap(\.outcomes.first)
    #expect(outcomes.map(\.kind) == [.changed, .degraded, .degraded, .changed, .unchanged])
    #expect(outcomes.map(\.isKnown) == [false, false, true, false, false])
    #expect(outcomes.map(\.isRecovered) == [false, false, false, true, false])
  }

  @Test("a catalog whose file vanishes stays in force at its revision")
  func vanished() async throws {
    let fixture = Fixture()
    let (reload, live) = fixture.reloading()
    fixture.write("g", Self.good("one"))
    _ = try await reload(now: Self.now, because: .start)
    let revision = try #require(live.present.world["g"]?.revision)
    fixture.write("g", nil)
    let outcomes = try await reload(now: Self.now, because: .hangUp)
    #expect(outcomes.map(\.kind) == [.degraded] && outcomes.map(\.revision) == [revision])
    #expect(live.present.world["g"]?.degraded.map(\.kind) == [.catalogVanished])
  }

  @Test("a game whose catalog was never valid is not served, and only the first report counts its fault as new")
  func neverGood() async throws {
    let fixture = Fixture()
    let (reload, live) = fixture.reloading()
    fixture.write("g", Self.bad)
    _ = try await reload(now: Self.now, because: .start)
    _ = try await reload(now: Self.now, because: .hangUp)
    #expect(live.present.world.games.isEmpty)
    #expect(fixture.reported.flatMap(\.outcomes).map(\.isKnown) == [false, true])
  }

  @Test("a dry run returns each game's outcome, changes nothing and reports nothing")
  func dryRun() async throws {
    let fixture = Fixture()
    let (reload, live) = fixture.reloading()
    fixture.write("g", Self.good("one"))
    let outcomes = try await reload(now: Self.now, because: .hangUp, isDryRun: true)
    #expect(outcomes.map(\.kind) == [.changed])
    #expect(live.present.world.games.isEmpty && fixture.reported.isEmpty)
  }

  @Test("if the store fails, the failure is reported, the reload throws, and the catalog in force stays")
  func storeTrouble() async throws {
    let fixture = Fixture()
    let (reload, live) = fixture.reloading()
    fixture.write("g", Self.good("one"))
    _ = try await reload(now: Self.now, because: .start)
    fixture.write("g", Self.good("two"))
    fixture.memory.fail(with: .noSpace)
    await #expect(throws: StoreError.noSpace) { try await reload(now: Self.now, because: .hangUp) }
    #expect(fixture.reported.map(\.storeError) == [nil, .noSpace])
    #expect(live.present.world["g"]?.catalog.title == "one")
  }
}
