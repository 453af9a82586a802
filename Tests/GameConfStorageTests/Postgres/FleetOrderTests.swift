// What hosts decide at the same moment: the edges of windows, and players of whom each has many at once.
import GameConfCore
import GameConfEngine
import Testing

@testable import GameConfStorage

extension FleetTests {
  @Test("windows that begin and end on two hosts at once do so once: each edge has one revision and one line of the log")
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
    for host in hosts { await host.hears { if case .overrides(_, revision: Int64(count), _) = $0 { true } else { false } } }
    for now in [Int64(2_001), 3_001] {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          for host in hosts { group.addTask { _ = try await ApplyWindowEdges(store: host.store)(now: Instant(seconds: now)) } }
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

  @Test("hosts whose batches have the same players lock them in one order: the server finds no deadlock")
  func order() async throws {
    let admin = try PostgresConnection(try PostgresSettings.fresh(), for: .following)
    defer { admin.close() }
    // The server counts deadlocks by database.
    let name = "o" + settings.schema
    _ = try admin.round([PostgresCommand("CREATE DATABASE \(name) TEMPLATE template0")])
    defer { _ = try? admin.round([PostgresCommand("DROP DATABASE \(name) WITH (FORCE)")]) }
    var own = settings
    own.connection += " dbname=\(name)"
    let players = (0..<24).map { PlayerID(game: "g", player: "p\($0)") }
    do {
      let hosts = try (0..<3).map { try FleetHost(own, "h\($0)") }
      for id in players { try await hosts[0].visit(id) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for round in 0..<10 {
          for (at, id) in players.enumerated() {
            // In another order on each host.
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
    func number(_ query: String) throws -> Int64? { try admin.round([PostgresCommand(query, [.text(name)])]).first?.integer(0, 0) }
    // A session's counts are reported when it has ended.
    while try number("SELECT count(*) FROM pg_stat_activity WHERE datname = $1") != 0 { await Task.yield() }
    #expect(try number("SELECT deadlocks FROM pg_stat_database WHERE datname = $1") == 0)
    #expect(try number("SELECT xact_commit FROM pg_stat_database WHERE datname = $1") ?? 0 > 10)
  }

  @Test(
    "while a newer daemon brings the tables up to date, older ones go on writing and lose nothing; one that starts afterwards is refused")
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
            Result { () throws(PostgresError) in
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

  @Test("what another host has changed of a game is reported before a transaction about that game decides, though nobody announced it")
  func caughtUp() async throws {
    var deaf = settings
    deaf.listens = false
    let (one, other) = (try FleetHost(settings, "one"), try FleetHost(deaf, "other"))
    for value in 1...8 {
      let revision = try await one.force("k", .integer(Int64(value)))
      let isTold = try await other.store.write(WriteMode(scope: .game("g")), refusing: StoreError.self) { _ in
        other.changes.contains { change in
          switch change {
          case .overrides(_, revision, _): true
          case .replaced(let contents): contents.state.revisions["g"] == revision
          default: false
          }
        }
      }
      #expect(isTold, "revision \(revision)")
    }
  }

  @Test("a write over a player's row that another host has changed since is not made, and the transaction is notified")
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
