// Several stores on one PostgreSQL database, and a database that goes away.
import GameConfCore
import Synchronization
import TestSupport
import Testing

@testable import GameConfStorage

private let author = Author(uid: 1, name: "ada", pid: nil)
private let ada = PlayerID(game: "g", player: "ada")

/// A host of a fleet: one of several stores on one database.
final class FleetHost: Sendable {
  let store: PostgresStore
  let folder: TemporaryFolder
  private let published = Mutex<[StoreChange]>([])

  init(_ settings: PostgresSettings, _ name: String) throws {
    folder = try TemporaryFolder()
    store = try PostgresStore.fresh(in: StateDirectory(path: folder.path + "/state"), settings, writer: name)
    store.publish { [weak self] batch in
      self?.published.withLock { $0 += batch.changes }
      return nil
    }
  }

  deinit { store.close() }

  var changes: [StoreChange] { published.withLock { $0 } }

  /// Waits until a matching change is published.
  func receives(_ what: (StoreChange) -> Bool) async {
    while !changes.contains(where: what) { await Task.yield() }
  }

  /// Waits until the host's listener has written the host into the fleet's list.
  func isRegistered() async {
    while store.health.fleet?.hosts.isEmpty != false { await Task.yield() }
  }

  @discardableResult
  func force(_ key: String, _ value: Value, player: String? = nil) async throws -> Int64 {
    try await store.write(WriteMode(scope: .game("g")), refusing: StoreError.self) { transaction in
      let slot = OverrideSlot(game: "g", player: player, key: key)
      let revision = try transaction.nextRevision(of: "g")
      var overrides = KeyOverrides(slot: slot)
      overrides.setPermanent(
        OverrideRecord(slot: slot, value: value, author: author, reason: nil, at: Instant(seconds: 1), revision: revision))
      try transaction.put(overrides, revision: revision, playerRevision: try player.map { try transaction.nextPlayerRevision($0, in: "g") })
      var line = AuditRecord(at: Instant(seconds: 1), author: author, action: .overrideSet, game: "g")
      line.key = key
      _ = try transaction.append(line)
      return revision
    }
  }

  /// Opens a visit of a player, based on the stored row.
  func visit(_ id: PlayerID, readsPlayers: Bool = false) async throws(StoreError) {
    try await store.write(WriteMode(scope: .players([id]), readsPlayers: readsPlayers), refusing: StoreError.self) { transaction in
      let stored = try transaction.player(id)
      var state = stored.state ?? PlayerState(createdAt: Instant(seconds: 0))
      let entry = state.openVisit(now: Instant(seconds: 1))
      guard try transaction.write(PlayerWrite(state: state, entry: entry), of: id, over: stored) != nil else {
        throw StoreError.failed("another revision than was just read")
      }
    }
  }
}

extension PostgresCommand {
  /// Returns commands that hold a table's lock until the test ends it. The timeout of idle transactions is switched off, because on a busy
  /// machine the test may be idle for longer.
  static func holding(_ table: String) -> [PostgresCommand] {
    [
      PostgresCommand("BEGIN"), PostgresCommand("SET LOCAL idle_in_transaction_session_timeout TO 0"),
      PostgresCommand("LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE"),
    ]
  }
}

@Suite("A fleet on PostgreSQL", .enabled(if: StoreKind.postgresConnection != nil))
struct FleetTests {
  /// A fresh schema, and connections with its name.
  let settings: PostgresSettings

  init() throws {
    var settings = try PostgresSettings.fresh()
    settings.connection += " application_name=\(settings.schema)"
    self.settings = settings
  }

  /// Ends every connection of the stores, like a server that shuts down.
  func breakConnections() throws {
    let admin = try PostgresConnection(try PostgresSettings.fresh(), for: .following)
    defer { admin.close() }
    _ = try admin.round([
      PostgresCommand("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [.text(settings.schema)])
    ])
  }

  @Test("overrides of one host are published on the other in the order of their revisions, and revisions never repeat")
  func coherence() async throws {
    let (one, other) = (try FleetHost(settings, "one"), try FleetHost(settings, "other"))
    var revisions: [Int64] = []
    for number in Int64(1)...10 {
      revisions.append(try await (number.isMultiple(of: 2) ? one : other).force("k\(number)", .integer(number)))
    }
    #expect(revisions == Array(1...10))
    for host in [one, other] {
      await host.receives { if case .overrides(_, revision: 10, _) = $0 { true } else { false } }
      let published = host.changes.compactMap { if case .overrides(_, let revision, _) = $0 { revision } else { nil } }
      #expect(published == published.sorted() && Set(published).count == published.count)
      #expect(try await host.store.contents().state.sortedOverrides.count == 10)
      #expect(try await host.store.contents().state.revisions == ["g": 10])
    }
    #expect(try await one.store.contents().state.epoch == other.store.contents().state.epoch)
  }

  @Test("hosts that write at the same time neither lose nor double a change")
  func both() async throws {
    let hosts = [try FleetHost(settings, "one"), try FleetHost(settings, "other")]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask { try await hosts[number % 2].force("k\(number % 5)", .integer(Int64(number))) }
        group.addTask { try await hosts[number % 2].visit(ada) }
      }
      try await group.waitForAll()
    }
    for host in hosts {
      #expect(try await host.store.read(deadlineMilliseconds: 60_000) { try $0.revision(of: "g") } == 60)
      let player = try await host.store.read(deadlineMilliseconds: 60_000) { try $0.player(ada) }
      #expect(player.state?.visits.count == 60 && player.revision == 60)
    }
    let lines = try await hosts[0].store.read(deadlineMilliseconds: 60_000) { try $0.audits(AuditSelection(limit: 1_000)) }
    #expect(lines.map(\.id) == Array((1...60).reversed()))
  }

  @Test("each change of a batch to an uncached player sees the writes of the changes before it", arguments: [false, true])
  func foreseen(isKnown: Bool) async throws {
    let host = try FleetHost(settings, "one")
    if isKnown { try await host.visit(ada) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<40 { group.addTask { try await host.visit(ada, readsPlayers: true) } }
      try await group.waitForAll()
    }
    let stored = try await host.store.read { try $0.player(ada) }
    #expect(stored.revision == (isKnown ? 41 : 40))
  }

  @Test("a reader of two hosts' history lines misses no line, in whatever order the hosts' transactions commit")
  func lines() async throws {
    let hosts = [try FleetHost(settings, "one"), try FleetHost(settings, "other")]
    let count = 200
    let isOver = Mutex(false)
    let writing = Task {
      defer { isOver.withLock { $0 = true } }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<count {
          group.addTask { try await hosts[number % 2].visit(PlayerID(game: "g", player: "p\(number)")) }
          if number % 8 == 7 { try await group.next() }
        }
        try await group.waitForAll()
      }
    }
    let admin = try PostgresConnection(settings, for: .following)
    defer { admin.close() }
    let grammar = PostgresGrammar()
    let query = Statement(.query, "SELECT number FROM player_lines WHERE number > ?1\(PostgresGrammar.linesBound) ORDER BY number")
    var (reached, found, last): (Int64, [Int64], Int64?) = (0, [], nil)
    while true {
      // Open transactions of other tests on this server hold the log back too. The log is complete when all transactions have ended that
      // were open at the end.
      let lowest = try admin.round([PostgresCommand("SELECT txid_snapshot_xmin(txid_current_snapshot())")]).first?.integer(0, 0) ?? 0
      let isComplete = last.map { $0 < lowest } ?? false
      let transaction = PostgresTransaction(admin, grammar)
      let rows = try transaction.rows(query, [reached])
      found += try rows.map { try $0.integer(0) }
      reached = found.last ?? 0
      if isComplete { break }
      if last == nil, isOver.withLock({ $0 }) { last = try admin.round([PostgresCommand("SELECT txid_current()")]).first?.integer(0, 0) }
      await Task.yield()
    }
    try await writing.value
    #expect(found.count == count && found == found.sorted())
    #expect(try PostgresTransaction(admin, grammar).integer(Statement(.query, "SELECT count(*) FROM player_lines")) == Int64(count))
  }

  @Test("a host that connects while another one writes history lines leaves the offset of their numbers unchanged")
  func connectingBesideLines() async throws {
    let host = try FleetHost(settings, "one")
    try await host.visit(ada)
    let admin = try PostgresConnection(settings, for: .following)
    defer { admin.close() }
    _ = try admin.round([PostgresCommand("BEGIN"), PostgresCommand("SELECT txid_current()")])
    try await host.visit(ada)
    _ = try admin.round([PostgresGrammar.raiseBase, PostgresCommand("COMMIT")])
    let offsets = try admin.round([PostgresCommand("SELECT count(*) FROM numbers WHERE name = 'line_base'")])
    #expect(offsets.first?.integer(0, 0) == 0)
  }

  @Test("new history lines of a database that was restored on another server get numbers above the newest one")
  func broughtBack() async throws {
    try await FleetHost(settings, "one").visit(ada)
    let admin = try PostgresConnection(settings, for: .following)
    defer { admin.close() }
    _ = try admin.round([
      PostgresCommand("UPDATE player_lines SET number = 1::BIGINT << 50"), PostgresCommand("UPDATE players SET head = 1::BIGINT << 50"),
    ])
    let host = try FleetHost(settings, "two")
    try await host.visit(ada)
    let grammar = PostgresGrammar()
    let transaction = PostgresTransaction(admin, grammar)
    #expect(try transaction.integer(PlayerLineRows.last) ?? 0 > 1 << 50)
    let history = try await host.store.read(deadlineMilliseconds: 60_000) { try $0.history(of: ada, before: nil, limit: 10) }
    #expect(history.count == 2)
  }

  @Test("connections that end under load lose nothing that was acknowledged, and an unknown outcome is reported as unknown")
  func broken() async throws {
    let host = try FleetHost(settings, "one")
    var (acknowledged, unknown): (Set<String>, Set<String>) = ([], [])
    var (number, breaks) = (0, 0)
    // Breaks the connections once for every two acknowledged writes, at a random moment after them. By the clock, breaks would be too
    // frequent or too rare.
    while acknowledged.count < 80 {
      let breaking = acknowledged.count >= 2 * breaks ? Task { try breakConnections() } : nil
      if breaking != nil { breaks += 1 }
      number += 1
      let key = "k\(number)"
      do throws(StoreError) {
        _ = try await host.store.write(WriteMode(scope: .game("g")), refusing: StoreError.self) { transaction in
          var line = AuditRecord(at: Instant(seconds: 1), author: author, action: .overrideSet, game: "g")
          line.key = key
          return try transaction.append(line)
        }
        acknowledged.insert(key)
      } catch {
        if case .unknown = error { unknown.insert(key) }
        while host.store.health.condition != .good { try? await host.store.look() }
      }
      try await breaking?.value
    }
    #expect(breaks >= 40)
    while true {
      do throws(StoreError) {
        let lines = try await host.store.read(deadlineMilliseconds: 60_000) { try $0.audits(AuditSelection(limit: 1_000)) }
        let keys = lines.compactMap(\.key)
        #expect(Set(keys).count == keys.count)
        #expect(acknowledged.isSubset(of: keys) && Set(keys).isSubset(of: acknowledged.union(unknown)))
        return
      } catch { await Task.yield() }
    }
  }

  @Test("a host without its database serves its last state, refuses writes, and recovers by itself")
  func away() async throws {
    let host = try FleetHost(settings, "one")
    try await host.force("k", 1)
    let admin = try PostgresConnection(try PostgresSettings.fresh(), for: .following)
    defer { admin.close() }
    let quoted = settings.quotedSchema
    _ = try admin.round([PostgresCommand("ALTER TABLE \(quoted).writers RENAME TO away")])
    try breakConnections()
    await #expect(throws: StoreError.self) { try await host.force("k", 2) }
    #expect(host.store.health.condition != .good)
    #expect(try await host.store.contents().state.sortedOverrides.first?.records.first?.value == 1)
    _ = try admin.round([PostgresCommand("ALTER TABLE \(quoted).away RENAME TO writers")])
    while host.store.health.condition != .good { try await host.store.look() }
    #expect(try await host.force("k", 3) == 2)
  }

  @Test("a database that hangs does not block: transactions that have not begun are refused, and nothing of them is written")
  func hangs() async throws {
    var shortTimeout = settings
    shortTimeout.patienceMilliseconds = 500
    let host = try FleetHost(shortTimeout, "one")
    try await host.force("k", 1)
    let admin = try PostgresConnection(settings, for: .following)
    defer { admin.close() }
    _ = try admin.round(PostgresCommand.holding("writers"))
    await #expect(throws: StoreError.self) { try await host.force("k", 2) }
    #expect(try await host.store.contents().state.sortedOverrides.first?.records.first?.value == 1)
    _ = try admin.round([PostgresCommand("ROLLBACK")])
    while host.store.health.condition != .good { try? await host.store.look() }
    #expect(try await host.force("k", 3) == 2, "the refused one has made no revision")
  }

  @Test("a database that lost changes gets revisions above all that were served, and another epoch")
  func lost() async throws {
    let host = try FleetHost(settings, "one")
    for number in Int64(1)...3 { try await host.force("k", .integer(number)) }
    let epoch = try await host.store.contents().state.epoch
    let admin = try PostgresConnection(settings, for: .following)
    defer { admin.close() }
    _ = try admin.round([PostgresCommand("UPDATE game_revisions SET revision = 1")])
    try breakConnections()
    await host.receives { if case .replaced = $0 { true } else { false } }
    let contents = try await host.store.contents()
    #expect(contents.state.epoch != epoch)
    #expect(try #require(contents.state.revisions["g"]) == 3 + StoreLimits.revisionGapAfterLoss)
    #expect(try await host.force("k", 4) == 4 + StoreLimits.revisionGapAfterLoss)
  }

  @Test("a newer session of a daemon fences its older session")
  func fenced() throws {
    let grammar = PostgresGrammar()
    let old = try PostgresSession(settings, .current, grammar, writer: "one", process: "a") { _ in }
    defer { old.connection.close() }
    let young = try PostgresSession(settings, .current, grammar, writer: "one", process: "a") { _ in }
    defer { young.connection.close() }
    let refused = #expect(throws: DatabaseFailure.self) { _ = try old.begin(BatchScope([]), playerRevisionMax: 0, numbers: 0) }
    #expect(refused?.kind == .fenced)
    let (transaction, _) = try young.begin(BatchScope([]), playerRevisionMax: 0, numbers: 0)
    try young.commit(transaction, games: [:])
    #expect(young.batch == 1)
  }

  @Test("an abandoned session that reaches the database late fences no session; another daemon of the same name does")
  func late() async throws {
    let host = try FleetHost(settings, "one")
    try await host.force("k", 1)
    let admin = try PostgresConnection(settings, for: .following)
    defer { admin.close() }
    _ = try admin.round([PostgresCommand("UPDATE writers SET session = split_part(session, '-', 1) || '-late'")])
    #expect(try await host.force("k", 2) == 2)
    _ = try admin.round([PostgresCommand("UPDATE writers SET session = 'another-one'")])
    let refused = await #expect(throws: StoreError.self) { try await host.force("k", 3) }
    let words = if case .failed(let words) = refused { words } else { "" }
    #expect(words.contains("another gameconfd"))
    #expect(try await host.store.contents().state.revisions["g"] == 2)
  }

  @Test("foreign tables, and those of a newer daemon, are refused with the remedy")
  func foreign() throws {
    let admin = try PostgresConnection(try PostgresSettings.fresh(), for: .following)
    defer { admin.close() }
    _ = try admin.round([
      PostgresCommand("CREATE SCHEMA \(settings.quotedSchema)"), PostgresCommand("CREATE TABLE \(settings.quotedSchema).theirs (a BIGINT)"),
    ])
    let grammar = PostgresGrammar()
    func begin() throws(DatabaseFailure) {
      try PostgresSession(settings, .current, grammar, writer: "one", process: "a") { _ in }.connection.close()
    }
    let refused = #expect(throws: DatabaseFailure.self) { try begin() }
    #expect(refused?.message.contains("tables that are not gameconfd's") == true)
    _ = try admin.round([PostgresCommand("DROP TABLE \(settings.quotedSchema).theirs")])
    try begin()
    _ = try admin.round([PostgresCommand("UPDATE \(settings.quotedSchema).fleet SET format = 999")])
    let newer = #expect(throws: DatabaseFailure.self) { try begin() }
    #expect(newer?.message.contains("version 999") == true)
  }

  @Test("if the server does not exist, the store's health names it, and writes are refused")
  func unreachable() async throws {
    let nowhere = try #require(PostgresSettings(connection: "host=/nonexistent dbname=x"))
    let host = try FleetHost(nowhere, "one")
    let words = if case .failing(let words) = host.store.health.condition { words } else { "" }
    #expect(words.contains("/nonexistent"))
    await #expect(throws: StoreError.self) { try await host.force("k", 1) }
  }
}
