// A row that SQLite returns but the store cannot parse: only requests about its subject are refused.
import GameConfCore
import Synchronization
import Testing

@testable import GameConfStorage

@Suite("A row that cannot be read")
struct UnreadableRowTests {
  private static let bad = PlayerID(game: "g", player: "bad")
  private static let good = PlayerID(game: "g", player: "good")

  /// The change to the row, as by another program or a later version.
  enum Damage: String, CaseIterable, Sendable {
    case noJSON, laterState, strangeState, cutRequests, laterMarks, laterLedger, greatLevel, noLedgerJSON

    var statement: String {
      let player = "WHERE player = 'bad'"
      let ledger = "WHERE number = (SELECT number FROM players \(player))"
      return switch self {
      case .noJSON: "UPDATE players SET state = '{' \(player)"
      case .laterState: "UPDATE players SET state = '{\"v\":2,\"c\":1000,\"m\":1000}' \(player)"
      case .strangeState: "UPDATE players SET state = '{\"v\":1,\"c\":1000,\"m\":1000,\"s\":-5}' \(player)"
      case .cutRequests: "UPDATE players SET requests = x'0102' \(player)"
      case .laterMarks: "UPDATE players SET marks = x'09' \(player)"
      case .laterLedger: "UPDATE ledgers SET ledger = replace(ledger, '\"format\":1', '\"format\":2') \(ledger)"
      case .greatLevel: "UPDATE ledgers SET ledger = replace(ledger, '\"count\":', '\"count\":9999999999') \(ledger)"
      case .noLedgerJSON: "UPDATE ledgers SET ledger = 'no JSON' \(ledger)"
      }
    }

    var kind: UnreadableRow.Kind {
      switch self {
      case .noJSON, .laterState, .strangeState, .cutRequests: .player
      case .laterMarks: .marks
      case .laterLedger, .greatLevel, .noLedgerJSON: .ledger
      }
    }
  }

  private func write(_ store: any Store, _ id: PlayerID) async throws {
    try await store.write(refusing: StoreError.self) { transaction in
      let stored = try transaction.player(id)
      var state = stored.state ?? PlayerState(createdAt: Instant(seconds: 1000))
      let entry = state.openVisit(now: Instant(seconds: 1000))
      let write = PlayerWrite(
        state: state, lines: [PlayerLine(entry: entry)], ledger: stored.ledger ?? Ledger(game: id.game, player: id.player))
      _ = try transaction.write(write, of: id, over: stored)
      _ = try transaction.nextRevision(of: "g")
    }
  }

  private func damaged(_ statements: [String]) async throws -> DiskFixture {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    for id in [Self.bad, Self.good] { try await write(store, id) }
    try await store.force(1, "a", player: "bad")
    try await store.force(2, "b")
    fixture.close()
    let connection = try DatabaseFile(path: fixture.path + "/gameconfd.db").connect()
    for statement in statements {
      try connection.run(statement)
      #expect(connection.changesCount > 0, "\(statement)")
    }
    connection.close()
    return fixture
  }

  private func unreadable<Answer>(_ body: () async throws -> Answer) async -> UnreadableRow? {
    do { _ = try await body() } catch let error as StoreError {
      if case .unreadable(let row) = error { return row }
      Issue.record("\(error)")
    } catch { Issue.record("\(error)") }
    return nil
  }

  @Test("calls about a player with an unreadable row fail with the row's name until the player is forgotten", arguments: Damage.allCases)
  func player(damage: Damage) async throws {
    let fixture = try await damaged([damage.statement])
    let store = try fixture.open()
    for _ in 0..<3 {
      let row = try #require(await unreadable { try await store.read { try $0.player(Self.bad) } })
      #expect(row.kind == damage.kind && row.player == "bad" && row.game == "g" && !row.words.isEmpty, "\(row)")
      #expect(await unreadable { try await self.write(store, Self.bad) } != nil)
      try await write(store, Self.good)
      #expect(try await store.read { try $0.player(Self.good) }.state != nil)
    }
    let listed = try await store.read { try $0.players(in: "g", after: nil, limit: 10) }
    #expect(listed.map(\.player) == ["bad", "good"])
    #expect(listed.map(\.isUnreadable) == [damage.kind == .player, false])
    #expect(store.health.condition == .good && fixture.reported.isEmpty)
    #expect(store.health.unreadable.map(\.kind) == [damage.kind])
    #expect(fixture.names().allSatisfy { !$0.contains("damaged") })

    let rows = try await store.read { try $0.storedRows(of: Self.bad) }
    #expect(rows["players"]?.listValue?.first?["player"] == "bad")
    #expect(rows["ledgers"]?.listValue?.count == 1 && rows["player_lines"]?.listValue?.count == 1)

    let gone = try await store.write(refusing: StoreError.self) { try $0.forget(Self.bad, by: .forget) }
    #expect(gone.isKnown && gone.isUnreadable && gone[.history] == 1)
    #expect(try await store.read { try $0.player(Self.bad) }.isUnknown)
    #expect(store.health.unreadable.isEmpty)
    try await write(store, Self.bad)
    fixture.close()
    #expect(try await fixture.open().read { try $0.player(Self.bad) }.revision > 1)
  }

  @Test("an unreadable history line affects only the history; an unreadable stored answer affects only the repetition of its request")
  func line() async throws {
    let fixture = try await damaged(["UPDATE player_lines SET line = '[1000,\"something new\",{}]', answer = '{' WHERE player = 1"])
    let store = try fixture.open()
    #expect(await unreadable { try await store.read { try $0.history(of: Self.bad, before: nil, limit: 5) } }?.kind == .line)
    #expect(await unreadable { try await store.read { try $0.answer(beside: 1, of: Self.bad) } }?.name == "1")
    #expect(try await store.read { try $0.player(Self.bad) }.state != nil)
    #expect(try await store.read { try $0.history(of: Self.good, before: nil, limit: 5) }.count == 1)
    try await write(store, Self.bad)
    #expect(store.health.condition == .good)
  }

  /// A row of served state that cannot be read, and the write that replaces it.
  private struct ServedRow: Sendable {
    let of: any StateRows.Type
    let kind: UnreadableRow.Kind
    let damage: String
    let rewrite: @Sendable (SQLiteStore) async throws -> Void
  }

  private static let served = [
    ServedRow(of: OverrideRows.self, kind: .override, damage: "UPDATE overrides SET value = '{' WHERE key = 'b'") {
      try await $0.force(3, "b")
    },
    ServedRow(of: ClockRows.self, kind: .clock, damage: "INSERT INTO game_clocks VALUES ('g', 'yesterday', 0, 1000)") {
      try await $0.write(refusing: StoreError.self) { try $0.put(.host, ofGame: "g") }
    },
  ]

  /// The kinds of served state of which no single row can be unreadable until it is written, and the reasons.
  private static let neverRewritten = [
    "RevisionRows": "an unreadable number is a fault of the database", "TemplateRows": "a version is never written twice",
    "CatalogRows": "an unreadable digest is a fault of the database",
  ]

  @Test("every kind of served state is tested here with an unreadable row, or has a reason why not")
  func kinds() {
    let named = Self.served.map { "\($0.of)" } + Self.neverRewritten.keys
    #expect(named.sorted() == StateKinds.all.map { "\($0)" }.sorted(), "add a ServedRow of the kind")
  }

  @Test("an unreadable row of served state, or an unreadable audit line, is skipped and named; once rewritten, it is read again")
  func others() async throws {
    let fixture = try await damaged(Self.served.map(\.damage) + ["UPDATE audit SET after = '{' WHERE key = 'b'"])
    let store = try fixture.open()
    #expect(store.health.condition == .good)
    var unreadable = Set(Self.served.map(\.kind))
    #expect(Set(store.health.unreadable.map(\.kind)) == unreadable)
    #expect(try await store.served == ["bad a": 1])
    #expect(try await store.read { try $0.audits(AuditSelection()) }.map(\.key) == ["a"])
    unreadable.insert(.audit)
    #expect(Set(store.health.unreadable.map(\.kind)) == unreadable)
    for row in Self.served {
      try await row.rewrite(store)
      unreadable.remove(row.kind)
      #expect(Set(store.health.unreadable.map(\.kind)) == unreadable, "\(row.of).isWritten")
    }
    #expect(try await store.served == ["bad a": 1, "b": 3])
    fixture.close()
    let opened = try fixture.open()
    #expect(try await opened.served == ["bad a": 1, "b": 3] && opened.health.unreadable.isEmpty)
  }

  @Test("the number of reported rows is limited, and each is reported once")
  func reported() async throws {
    let fixture = try DiskFixture()
    let ids = (0...StoreLimits.unreadableRowsMax).map { PlayerID(game: "g", player: "p\($0)") }
    let first = try fixture.open()
    for id in ids { try await write(first, id) }
    fixture.close()
    let connection = try DatabaseFile(path: fixture.path + "/gameconfd.db").connect()
    try connection.run("UPDATE players SET state = '{'")
    connection.close()
    let reported = Mutex<[UnreadableRow]>([])
    let directory = try StateDirectory(path: fixture.path)
    defer { directory.unlock() }
    let store = SQLiteStore(
      in: directory, lastGood: LastGoodFile(in: directory), times: .tests, now: { Instant(seconds: 1000) },
      rowUnreadable: { row in reported.withLock { $0.append(row) } })
    defer { store.close() }
    for _ in 0..<2 {
      for id in ids { #expect(await unreadable { try await store.read { try $0.player(id) } } != nil) }
    }
    #expect(reported.withLock { $0 } == store.health.unreadable)
    #expect(store.health.unreadable.map(\.player) == ids.dropLast().map(\.player))
  }
}
