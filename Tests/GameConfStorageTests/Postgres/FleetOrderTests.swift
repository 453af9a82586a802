// Concurrent decisions of hosts: the beginnings and ends of time windows, and batches with many common players.
import GameConfCore
import GameConfEngine
import Synchronization
import TestSupport
import Testing

@testable import GameConfStorage

extension FleetTests {
  @Test("when two hosts open or close a time window at the same time, it is done once, with one revision and one audit line")
  func edges() async throws {
    let hosts = [try FleetHost(settings, "one"), try FleetHost(settings, "other")]
    let count = 12
    for number in 0..<count {
      try await hosts[number % 2].store.write(WriteMode(scope: .game("g")), refusing: StoreError.self) { transaction in
        let slot = OverrideSlot(game: "g", key: "k\(number)")
        let revision = try transaction.nextRevision(of: "g")
        var overrides = KeyOverrides(slot: slot)
        let window = OverrideWindow(id: "w\(number)", from: Instant(seconds: 2_000), until: Instant(seconds: 3_000))
        let record = OverrideRecord(
          slot: slot, window: window, value: 1, author: Author(uid: 1, name: "ada"), at: Instant(seconds: 1), revision: revision)
        overrides = KeyOverrides(slot: slot, records: overrides.records + [record])
        try transaction.put(overrides, revision: revision)
      }
    }
    for host in hosts { await host.receives { if case .overrides(_, revision: Int64(count), _) = $0 { true } else { false } } }
    for now in [Int64(2_001), 3_001] {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          for host in hosts { group.addTask { _ = try await host.store.applyWindowEdges(now: Instant(seconds: now)) } }
        }
        try await group.waitForAll()
      }
    }
    let lines = try await hosts[0].store.read(deadlineMilliseconds: 60_000) { try $0.audits(AuditSelection(limit: 1_000)) }
    #expect(lines.filter { $0.action == .windowOpened }.count == count && lines.filter { $0.action == .windowEnded }.count == count)
    #expect(Set(lines.map(\.revision)).count == 2 * count)
    for host in hosts {
      #expect(try await host.store.read(deadlineMilliseconds: 60_000) { try $0.revision(of: "g") } == Int64(3 * count))
    }
  }

  /// Runs hosts on a separate database, since the server counts deadlocks by database.
  /// - Parameter body: Uses and closes the hosts.
  /// - Returns: The number of deadlocks that the server found.
  private func deadlocks(_ body: (PostgresSettings) async throws -> Void) async throws -> Int64 {
    let admin = try PostgresConnection(try PostgresSettings.fresh(), for: .following)
    defer { admin.close() }
    let name = "o" + settings.schema
    _ = try admin.round([PostgresCommand("CREATE DATABASE \(name) TEMPLATE template0")])
    defer { _ = try? admin.round([PostgresCommand("DROP DATABASE \(name) WITH (FORCE)")]) }
    var own = settings
    own.connection += " dbname=\(name)"
    try await body(own)
    func number(_ query: String) throws -> Int64? { try admin.round([PostgresCommand(query, [.text(name)])]).first?.integer(0, 0) }
    // A session's statistics are reported when it has ended.
    while try number("SELECT count(*) FROM pg_stat_activity WHERE datname = $1") != 0 { await Task.yield() }
    #expect(try number("SELECT xact_commit FROM pg_stat_database WHERE datname = $1") ?? 0 > 10)
    return try #require(try number("SELECT deadlocks FROM pg_stat_database WHERE datname = $1"))
  }

  @Test("hosts whose batches have the same players lock them in one order, so that the server finds no deadlock")
  func order() async throws {
    let players = (0..<24).map { PlayerID(game: "g", player: "p\($0)") }
    let deadlocks = try await deadlocks { own in
      let hosts = try (0..<3).map { try FleetHost(own, "h\($0)") }
      for id in players { try await hosts[0].visit(id) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for round in 0..<10 {
          for (at, id) in players.enumerated() {
            // Each host visits the players in another order.
            for (number, host) in hosts.enumerated() {
              let id = number == 0 ? id : players[(at * (number * 2 + 5) + round) % players.count]
              group.addTask { try await host.visit(id) }
            }
          }
        }
        try await group.waitForAll()
      }
      for host in hosts { host.store.close() }
    }
    #expect(deadlocks == 0)
  }

  @Test(
    "a host that resets or forgets a player and a host that overrides the player's value cause no deadlock",
    arguments: [HistoryStep.reset("p1"), .forget("p1")])
  func removals(_ step: HistoryStep) async throws {
    let deadlocks = try await deadlocks { own in
      let file = HistoryFile()
      let (one, other) = (try HistoryHost("one", file, on: own), try HistoryHost("other", file, on: own))
      let (oneRun, otherRun) = (try await one.start(), try await other.start())
      let admin = try PostgresConnection(own, for: .following)
      defer {
        oneRun.close()
        otherRun.close()
        admin.close()
      }
      try await oneRun.perform(.visit("p1"))
      try await oneRun.perform(.set(HistorySlot(player: "p1", key: "a"), 4))
      try await one.catchUp(oneRun)
      try await other.catchUp(otherRun)
      // The admin's connection locks the game's revision. The overriding host waits for it while it holds the game's lock, for which the
      // other host waits.
      _ = try admin.round([PostgresCommand("BEGIN"), PostgresCommand("SELECT * FROM game_revisions FOR UPDATE")])
      func waits(for count: Int64) async throws {
        let waiting = PostgresCommand(
          "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
        while try admin.round([PostgresCommand("SELECT pg_stat_clear_snapshot()"), waiting]).last?.integer(0, 0) ?? 0 < count {
          await Task.yield()
        }
      }
      async let set: Void = otherRun.perform(.set(HistorySlot(player: "p1", key: "b"), 6))
      try await waits(for: 1)
      async let removed: Void = oneRun.perform(step)
      try await waits(for: 2)
      _ = try admin.round([PostgresCommand("COMMIT")])
      _ = try await (set, removed)
      try await one.catchUp(oneRun)
      try await other.catchUp(otherRun)
      #expect(HistoryWorld.lines(oneRun.live.present.world, now: 1_000) == HistoryWorld.lines(otherRun.live.present.world, now: 1_000))
    }
    #expect(deadlocks == 0)
  }

  @Test("a host that raises every revision locks the games first, as a host that changes a game does")
  func raising() async throws {
    try PostgresSession(settings, .current, PostgresGrammar(), writer: "w", process: "a") { _ in }.connection.close()
    let batch = try PostgresConnection(settings, for: .writing)
    defer { batch.close() }
    _ = try batch.round([
      PostgresCommand("INSERT INTO game_revisions (game, revision) VALUES ('g', 1)"),
      PostgresCommand("INSERT INTO game_locks (game) VALUES ('g')"),
    ])
    _ = try batch.round([PostgresCommand("BEGIN"), PostgresCommand("SELECT stamp FROM game_locks WHERE game = 'g' FOR UPDATE")])
    async let raised = WorkerThread.run { [settings] in
      Result { () throws(DatabaseFailure) in
        let session = try PostgresSession(settings, .current, PostgresGrammar(), writer: "raising", process: "a") { _ in }
        defer { session.connection.close() }
        try session.raise(above: StoredState(revisions: ["g": 5]), gap: 1)
      }
    }
    let waiting = PostgresCommand("SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))")
    while try batch.round([waiting]).first?.integer(0, 0) != 1 { await Task.yield() }
    _ = try batch.round([PostgresCommand("UPDATE game_revisions SET revision = 2 WHERE game = 'g'"), PostgresCommand("COMMIT")])
    try await raised?.get()
    #expect(try batch.round([PostgresCommand("SELECT revision FROM game_revisions WHERE game = 'g'")]).first?.integer(0, 0) == 6)
  }

  @Test(
    "while a newer daemon migrates the tables, older ones write on and lose nothing, and an older one that starts afterwards is refused")
  func upgrade() async throws {
    let hosts = [try FleetHost(settings, "one"), try FleetHost(settings, "other")]
    let ada = PlayerID(game: "g", player: "ada")
    for host in hosts {
      try await host.visit(ada)
      _ = try await host.store.read(deadlineMilliseconds: 60_000) { try $0.storedRows(of: ada) }
    }
    let later = ["ALTER TABLE players ADD COLUMN later BIGINT", "CREATE TABLE later (x BIGINT)"]
    let newer = StoreSchema(steps: StoreSchema.current.steps + [.init(sqlite: [], postgres: later)])
    let count = 60
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask { try await hosts[number % 2].force("k\(number % 3)", .integer(Int64(number))) }
        group.addTask { try await hosts[number % 2].visit(ada) }
      }
      for number in 0..<2 {
        group.addTask { [settings] in
          _ = await WorkerThread.run {
            Result { () throws(DatabaseFailure) in
              try PostgresSession(settings, newer, PostgresGrammar(), writer: "new\(number)", process: "a") { _ in }.connection.close()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for host in hosts {
      #expect(host.store.health.condition == .good)
      let player = try await host.store.read(deadlineMilliseconds: 60_000) { try $0.player(ada) }
      #expect(player.revision == Int64(2 + count))
      #expect(try await host.store.read(deadlineMilliseconds: 60_000) { try $0.revision(of: "g") } == Int64(count))
      let rows = try await host.store.read(deadlineMilliseconds: 60_000) { try $0.storedRows(of: ada) }
      #expect(rows["players"]?.listValue?.first?["later"] == .null)
    }
    let late = try FleetHost(settings, "late")
    let words = if case .failing(let words) = late.store.health.condition { words } else { "" }
    #expect(words.contains("version \(newer.version) by a newer gameconfd"), "\(words)")
  }

  @Test("changes by another host while a host starts are published to it before its own first change")
  func betweenContentsAndPublication() async throws {
    let one = try FleetHost(settings, "one")
    let folder = try TemporaryFolder()
    let starting = try PostgresStore.fresh(in: StateDirectory(path: folder.path + "/state"), settings, writer: "starting")
    defer { starting.close() }
    var served = try await starting.contents().state
    #expect(served.revisions["g"] == nil)
    try await one.store.write(WriteMode(scope: .game("g")), refusing: StoreError.self) { transaction in
      let slot = OverrideSlot(game: "g", key: "k")
      let revision = try transaction.nextRevision(of: "g")
      let window = OverrideWindow(id: "w", from: Instant(seconds: 2_000), until: Instant(seconds: 3_000))
      let record = OverrideRecord(
        slot: slot, window: window, value: 1, author: Author(uid: 1, name: "ada"), at: Instant(seconds: 1), revision: revision)
      try transaction.put(KeyOverrides(slot: slot, records: [record]), revision: revision)
    }
    // Waits until the state that the starting host will serve has the time window, although the host has published nothing yet.
    while starting.slotsWithEdges(at: Instant(seconds: 2_001)).isEmpty { await Task.yield() }
    let published = Mutex<[StoreChange]>([])
    starting.publish { batch in
      published.withLock { $0 += batch.changes }
      return nil
    }
    try await starting.write(WriteMode(scope: .game("g")), refusing: StoreError.self) { transaction in
      let revision = try transaction.nextRevision(of: "g")
      try transaction.put(KeyOverrides(slot: OverrideSlot(game: "g", key: "other")), revision: revision)
    }
    // The change is separate if the publication was set before it, and otherwise part of the whole state.
    for change in published.withLock({ $0 }) {
      if case .replaced(let contents) = change { served = contents.state } else { served.apply(change) }
    }
    #expect(served[OverrideSlot(game: "g", key: "k")]?.records.count == 1)
    #expect(served.revisions["g"] == 2)
  }

  @Test("another host's changes to a game are published before a transaction about that game decides, even without a notification")
  func caughtUp() async throws {
    var deaf = settings
    deaf.listens = false
    let (one, other) = (try FleetHost(settings, "one"), try FleetHost(deaf, "other"))
    for value in 1...8 {
      let revision = try await one.force("k", .integer(Int64(value)))
      let isPublished = try await other.store.write(WriteMode(scope: .game("g")), refusing: StoreError.self) { _ in
        other.changes.contains { change in
          switch change {
          case .overrides(_, revision, _): true
          case .replaced(let contents): contents.state.revisions["g"] == revision
          default: false
          }
        }
      }
      #expect(isPublished, "revision \(revision)")
    }
  }

  @Test("a write over a player's row that another host has changed since is discarded, and the transaction is notified")
  func overOld() async throws {
    let (one, other) = (try FleetHost(settings, "one"), try FleetHost(settings, "other"))
    let ada = PlayerID(game: "g", player: "ada")
    try await one.visit(ada)
    let old = try await other.store.read(deadlineMilliseconds: 60_000) { try $0.player(ada) }
    try await one.visit(ada)
    let made = try await other.store.write(WriteMode(scope: .players([ada])), refusing: StoreError.self) { transaction in
      try transaction.write(PlayerWrite(state: old.state), of: ada, over: old)
    }
    #expect(made == nil)
    #expect(try await one.store.read(deadlineMilliseconds: 60_000) { try $0.player(ada).revision } == 2)
  }
}
