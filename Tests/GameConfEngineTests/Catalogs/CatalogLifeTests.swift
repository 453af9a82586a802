// A game's catalog through its life: accepted, invalid, missing and returned, over restarts, a full disk and a crash.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("The life of a catalog")
struct CatalogLifeTests {
  private let fixture = CatalogFixture()
  private let now = CatalogFixture.now
  private let full = StateFault(code: .noSpace, path: "accepted", message: "no space is left")

  @Test("an accepted catalog stays at its revision while its file is invalid or missing, also over restarts, until the file is valid again")
  func lastAccepted() async throws {
    fixture.save("g", .g())
    var run = try await fixture.start()
    #expect(run.world["g"]?.revision == 1)
    fixture.save("g", nil)
    _ = try await run.reload(now: now, because: .hangUp)
    #expect(run.world["g"]?.degraded.map(\.kind) == [.catalogRefused])
    run = try await fixture.start()
    #expect(run.value("a") == 1 && run.world["g"]?.degraded.map(\.kind) == [.catalogRefused])
    fixture.remove(file: "g")
    run = try await fixture.start()
    #expect(run.world["g"]?.degraded.map(\.kind) == [.catalogVanished])
    fixture.save("g", .g())
    let outcomes = try await run.reload(now: now, because: .hangUp)
    #expect(outcomes.map(\.kind) == [.unchanged] && outcomes.map(\.isRecovered) == [true])
    #expect(run.world["g"]?.degraded == [] && run.world["g"]?.revision == 1)
  }

  @Test("a degradation by a missing file begins when the fault is first seen, and not at a later reload")
  func since() async throws {
    fixture.save("g", .g())
    let run = try await fixture.start()
    fixture.remove(file: "g")
    for seconds: Int64 in [1010, 1020] { _ = try await run.reload(now: Instant(seconds: seconds), because: .hangUp) }
    #expect(run.world["g"]?.degraded.map(\.since) == [Instant(seconds: 1010)])
  }

  @Test("an invalid file of a game that was never accepted is reported until it is removed")
  func refused() async throws {
    fixture.save("g", nil)
    let run = try await fixture.start()
    #expect(await run.reload.refused == ["g": ["g.yaml:1:1: not a catalog"]])
    fixture.remove(file: "g")
    _ = try await run.reload(now: now, because: .hangUp)
    #expect(await run.reload.refused.isEmpty && run.world.games.isEmpty)
  }

  @Test("an accepted catalog that can no longer be read is reported, and the file is served again at a higher revision")
  func spoilt() async throws {
    fixture.save("g", .g())
    _ = try await fixture.start()
    fixture.spoilAccepted("g")
    fixture.remove(file: "g")
    let gone = try await fixture.start()
    #expect(gone.world.games.isEmpty)
    #expect(await gone.reload.refused["g"]?.isEmpty == false)
    fixture.save("g", .g())
    let run = try await fixture.start()
    #expect(run.value("a") == 1 && run.world["g"]?.revision == 2)
  }

  @Test("the overrides of an unserved game are in force again with its next catalog, without the windows that ended meanwhile")
  func unserved() async throws {
    fixture.save("g", .g())
    var run = try await fixture.start()
    try await fixture.set(run, 10, "a")
    try await fixture.set(run, 20, "b", player: "p")
    try await fixture.set(run, 30, "c", until: 1005)
    let before = try #require(run.world["g"]?.revision)
    fixture.spoilAccepted("g")
    fixture.remove(file: "g")
    run = try await fixture.start()
    #expect(run.world.games.isEmpty && run.world.state.overrides["g"]?.counts.game == 2)
    _ = try await fixture.store.applyWindowEdges(now: Instant(seconds: 1006))
    fixture.save("g", .g())
    _ = try await run.reload(now: Instant(seconds: 1007), because: .hangUp)
    #expect(run.value("a") == 10 && run.value("b", player: "p") == 20 && run.value("b") == 2 && run.value("c") == 3)
    #expect(run.world["g"]?.overrides.counts.game == 1 && run.world["g"]?.overrides.counts.players == 1)
    #expect(try #require(run.world["g"]?.revision) > before)
  }

  @Test("a removed key's override is quarantined; if the key returns, it has the catalog's value until the override is released")
  func keyReturns() async throws {
    fixture.save("g", .g())
    let run = try await fixture.start()
    try await fixture.set(run, 10, "a")
    fixture.save("g", .g(["b": 2]))
    _ = try await run.reload(now: now, because: .hangUp)
    #expect(run.value("a") == nil)
    #expect(run.world["g"]?.overrides.game["a"]?.permanent?.quarantined != nil)
    fixture.save("g", .g())
    _ = try await run.reload(now: now, because: .hangUp)
    #expect(run.value("a") == 1)
    #expect(run.world["g"]?.revision(at: "a", for: nil) == run.world["g"]?.revision)
    #expect(try #require(run.world["g"]?.revision(at: "b", for: nil)) < (try #require(run.world["g"]?.revision)))
    let overrides = OverrideService(store: fixture.store, checking: WorldChecking(run.live.present))
    _ = try await overrides.change(.release, at: OverrideFixture.slot("a"), OverrideFixture.context())
    #expect(run.value("a") == 10)
  }

  @Test("a narrower range quarantines the overrides that it does not admit, of the game and of players, and leaves the rest")
  func narrower() async throws {
    fixture.save("g", .g())
    let run = try await fixture.start()
    try await fixture.set(run, 50, "a")
    try await fixture.set(run, 5, "b")
    try await fixture.set(run, 60, "b", player: "p")
    try await fixture.set(run, 6, "b", player: "q")
    fixture.save("g", .g(max: 10))
    _ = try await run.reload(now: now, because: .hangUp)
    #expect(run.value("a") == 1 && run.value("b") == 5 && run.value("b", player: "p") == 5 && run.value("b", player: "q") == 6)
    #expect(run.world["g"]?.overrides.counts.quarantined == 2)
  }

  @Test("a new constraint quarantines the overrides that violate it; if only a player's override does, only this one")
  func constrained() async throws {
    fixture.save("g", .g())
    let run = try await fixture.start()
    try await fixture.set(run, 50, "a")
    try await fixture.set(run, 60, "b")
    try await fixture.set(run, 70, "a", player: "p")
    try await fixture.set(run, 9, "c", player: "p")
    let ordered = try LogicExpression(compiling: ["<=": [["parameter": "a"], ["parameter": "b"]]])
    fixture.save("g", .g(constraints: [Constraint(id: "ordered", require: ordered, message: "a must not exceed b")]))
    _ = try await run.reload(now: now, because: .hangUp)
    #expect(run.value("a") == 50 && run.value("b") == 60)
    #expect(run.value("a", player: "p") == 50 && run.value("c", player: "p") == 9)
    await #expect(throws: ChangeRefusal.self) { try await fixture.set(run, 61, "a") }
    #expect(run.value("a") == 50)
  }

  @Test("a new catalog's constraints are checked at the game's simulated time instead of the host's")
  func constrainedAtGameTime() async throws {
    func catalog(_ title: String) throws -> Catalog {
      let ordered = try LogicExpression(compiling: ["<=": [["parameter": "a"], ["parameter": "b"]]])
      var catalog = Catalog.g(
        ["a": 1, "b": 60], title: title, constraints: [Constraint(id: "ordered", require: ordered, message: "a must not exceed b")])
      let late = try LogicExpression(compiling: [">": [["var": "$flagd.timestamp"], 5_000]])
      catalog.parameters[1].rules = [Rule(condition: late, value: .value(10))]
      return catalog
    }
    fixture.save("g", try catalog("early"))
    let run = try await fixture.start()
    try await fixture.set(run, 50, "a", player: "p")
    let clock = SimulatedClock(anchor: Instant(seconds: 10_000), hostAnchor: now, rateThousandths: 1_000)
    try await fixture.store.write(WriteMode(scope: .game("g")), refusing: StoreError.self) { try $0.put(clock, ofGame: "g") }
    #expect(run.value("a", player: "p") == 50)
    fixture.save("g", try catalog("late"))
    _ = try await run.reload(now: now, because: .hangUp)
    #expect(run.world["g"]?.catalog.title == "late" && run.world["g"]?.clock == clock)
    #expect(run.value("a", player: "p") == 1 && run.world["g"]?.overrides.counts.quarantined == 1)
  }

  @Test("an override is quarantined too if it violates a constraint only through a default that refers to its key")
  func constrainedThroughDefault() async throws {
    fixture.save("g", .g(references: ["d": "a"]))
    let run = try await fixture.start()
    try await fixture.set(run, 50, "a")
    let small = try LogicExpression(compiling: ["<=": [["parameter": "d"], 10]])
    fixture.save("g", .g(references: ["d": "a"], constraints: [Constraint(id: "small", require: small, message: "d is at most 10")]))
    _ = try await run.reload(now: now, because: .hangUp)
    #expect(run.value("a") == 1 && run.value("d") == 1)
    #expect(run.world["g"]?.overrides.counts.quarantined == 1)
  }

  @Test("a changed catalog waits while the store is full, a new game is served meanwhile, and the change is accepted later")
  func storeFull() async throws {
    fixture.save("g", .g(title: "one"))
    let run = try await fixture.start()
    fixture.save("g", .g(title: "two"))
    var other = Catalog(game: "h", title: "H", locales: ["en"])
    other.parameters = Catalog.g().parameters
    fixture.save("h", other)
    fixture.store.fail(with: .noSpace)
    await #expect(throws: StoreError.noSpace) { try await run.reload(now: now, because: .hangUp) }
    #expect(run.world["g"]?.catalog.title == "one" && run.world["g"]?.degraded.map(\.kind) == [.catalogWaits])
    #expect(run.world["h"] != nil)
    #expect(await run.reload.isIncomplete)
    fixture.store.fail(with: nil)
    _ = try await run.reload(now: now, because: .again)
    #expect(run.world["g"]?.catalog.title == "two" && run.world["g"]?.degraded == [])
    #expect(await !run.reload.isIncomplete)
  }

  @Test("a changed catalog comes into force although the database is lost")
  func storeLost() async throws {
    fixture.save("g", .g(title: "one"))
    let run = try await fixture.start()
    fixture.store.fail(with: .unavailable("lost"))
    fixture.save("g", .g(title: "two"))
    _ = try await run.reload(now: now, because: .hangUp)
    #expect(run.world["g"]?.catalog.title == "two")
    #expect(await !run.reload.isIncomplete)
  }

  @Test("accepted files that could not be stored are stored by a later reload, at the same revision, and reported until then")
  func notStored() async throws {
    fixture.failKeeping(with: full)
    fixture.save("g", .g())
    let run = try await fixture.start()
    for _ in 0..<2 {
      #expect(run.value("a") == 1 && run.world["g"]?.degraded.map(\.kind) == [.catalogNotStored])
      #expect(await run.reload.isIncomplete && fixture.storedTitle(of: "g") == nil)
      _ = try await run.reload(now: now, because: .again)
    }
    fixture.failKeeping(with: nil)
    _ = try await run.reload(now: now, because: .again)
    #expect(run.world["g"]?.degraded == [] && run.world["g"]?.revision == 1 && fixture.storedTitle(of: "g") == "G")
    #expect(await !run.reload.isIncomplete)
  }

  @Test("accepted files that could not be stored are stored by a later reload even if the catalog's file is missing by then")
  func notStoredAndGone() async throws {
    fixture.save("g", .g(title: "one"))
    var run = try await fixture.start()
    fixture.failKeeping(with: full)
    fixture.save("g", .g(title: "two"))
    _ = try await run.reload(now: now, because: .hangUp)
    fixture.remove(file: "g")
    fixture.failKeeping(with: nil)
    _ = try await run.reload(now: now, because: .again)
    #expect(run.world["g"]?.degraded.map(\.kind) == [.catalogVanished])
    run = try await fixture.start()
    #expect(run.world["g"]?.catalog.title == "two" && run.world["g"]?.revision == 2)
  }

  @Test("after a crash between the revision and the bytes the revision is raised once more")
  func crash() async throws {
    fixture.save("g", .g(title: "one"))
    var run = try await fixture.start()
    fixture.failKeeping(with: full)
    fixture.save("g", .g(title: "two"))
    _ = try await run.reload(now: now, because: .hangUp)
    #expect(run.world["g"]?.revision == 2)
    fixture.failKeeping(with: nil)
    run = try await fixture.start()
    #expect(run.world["g"]?.catalog.title == "two" && run.world["g"]?.revision == 3)
  }

  @Test(
    "after a crash between the revision and the bytes, a restored file and each of its keys are served at a new revision",
    arguments: ["back", "gone", "bad"])
  func putBack(file: String) async throws {
    fixture.save("g", .g(title: "one"))
    _ = try await fixture.start()
    fixture.failKeeping(with: full)
    fixture.save("g", .g(["a": 5, "b": 2, "c": 3], title: "two"))
    let second = try await fixture.start()
    #expect(second.value("a") == 5 && second.world["g"]?.revision == 2)
    fixture.failKeeping(with: nil)
    switch file {
    case "back": fixture.save("g", .g(title: "one"))
    case "gone": fixture.remove(file: "g")
    default: fixture.save("g", nil)
    }
    for _ in 0..<2 {
      let run = try await fixture.start()
      #expect(run.value("a") == 1 && run.world["g"]?.catalog.title == "one")
      #expect(run.world["g"]?.revision == 3 && run.world["g"]?.revision(at: "a", for: nil) == 3)
      #expect(await !run.reload.isIncomplete)
    }
  }

  @Test("a catalog that came into force only in memory, on a full disk, is served at a new revision after the next start")
  func acceptedInMemory() async throws {
    fixture.save("g", .g(title: "one"))
    _ = try await fixture.start()
    fixture.spoilAccepted("g")
    fixture.remove(file: "g")
    let absent = try await fixture.start()
    #expect(absent.world["g"] == nil)
    fixture.store.fail(with: .noSpace)
    fixture.save("g", .g(["a": 5, "b": 2, "c": 3], title: "two"))
    _ = try await absent.reload(now: now, because: .hangUp)
    #expect(absent.value("a") == 5)
    fixture.store.fail(with: nil)
    let run = try await fixture.start()
    #expect(run.value("a") == 5)
    #expect(try #require(run.world["g"]?.revision) > 1 && run.world["g"]?.revision(at: "a", for: nil) == run.world["g"]?.revision)
  }

  @Test("an accepted catalog for which the database has no revision gets one at the start")
  func fresh() async throws {
    fixture.save("g", .g())
    _ = try await fixture.start()
    let other = CatalogFixture()
    other.save("g", .g())
    try other.store(AcceptedCatalog(game: "g", files: try #require(fixture.load().catalogs.first).files))
    let run = try await other.start()
    #expect(run.world["g"]?.revision == 1)
  }

  @Test("concurrent reloads run one after the other: each new catalog is accepted once")
  func atOnce() async throws {
    fixture.save("g", .g(title: "one"))
    let run = try await fixture.start()
    fixture.save("g", .g(title: "two"))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try? await run.reload(now: CatalogFixture.now, because: .hangUp) } }
    }
    #expect(run.world["g"]?.catalog.title == "two" && run.world["g"]?.revision == 2)
    let lines = try await fixture.store.audits(AuditSelection(game: "g"))
    #expect(lines.filter { $0.action == .catalogAccepted }.count == 2)
  }

  @Test("after concurrent changes and reloads, the overrides in memory equal the stored ones")
  func noLostUpdates() async throws {
    fixture.save("g", .g())
    let run = try await fixture.start()
    await withTaskGroup(of: Void.self) { [fixture] group in
      for number in 1...60 {
        group.addTask {
          _ = try? await fixture.set(
            run, .integer(Int64(number)), ["a", "b", "c"][number % 3], player: number % 2 == 0 ? "p\(number % 7)" : nil)
        }
        if number % 6 == 0 {
          fixture.save("g", number % 12 == 0 ? nil : .g(title: "\(number)"))
          group.addTask { _ = try? await run.reload(now: CatalogFixture.now, because: .hangUp) }
        }
      }
    }
    let contents = try await fixture.store.contents()
    #expect(run.world["g"]?.revision == contents.state.revisions["g"])
    for overrides in contents.state.allOverrides {
      let board = try #require(run.world["g"]?.overrides)
      let held = overrides.slot.player.map { board.player($0).slots[overrides.slot.key] } ?? board.game[overrides.slot.key]
      #expect(held == overrides)
      #expect(run.value(overrides.slot.key, player: overrides.slot.player) == overrides.inForce?.value)
    }
  }
}
