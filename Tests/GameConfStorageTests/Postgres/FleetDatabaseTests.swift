// A database that is replaced while hosts use it, one host's effect on the shared log, and the plans of statements.
import GameConfCore
import Testing

@testable import GameConfStorage

@Suite("The database of a fleet", .enabled(if: StoreKind.postgresConnection != nil))
struct FleetDatabaseTests {
  private let settings: PostgresSettings
  private let admin: PostgresConnection

  init() throws {
    var settings = try PostgresSettings.fresh()
    settings.connection += " application_name=\(settings.schema)"
    self.settings = settings
    admin = try PostgresConnection(try PostgresSettings.fresh(), for: .following)
  }

  private func ask(_ sql: String) throws -> Int64? { try admin.round([PostgresCommand(sql)]).last?.integer(0, 0) }

  private func breakConnections() throws {
    _ = try ask("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = '\(settings.schema)'")
  }

  private func words(_ host: FleetHost) -> String { if case .failing(let words) = host.store.health.condition { words } else { "" } }

  @Test("a host neither serves from nor writes to another database in place of its own, and recovers by itself when its own returns")
  func exchanged() async throws {
    let host = try FleetHost(settings, "one")
    #expect(try await host.force("k", 1) == 1)
    let away = settings.schema + "_away"
    _ = try ask("ALTER SCHEMA \(settings.quotedSchema) RENAME TO \(away)")
    try breakConnections()
    while !words(host).contains("has no tables of gameconfd's") { await Task.yield() }
    #expect(try ask("SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = '\(settings.schema)'") == 0, "nothing is made")
    let other = try FleetHost(settings, "other")
    #expect(try await other.force("k", 2) == 1)
    try breakConnections()
    while !words(host).contains("is the fleet") { await Task.yield() }
    #expect(words(host).contains("restore that database, or restart gameconfd"))
    await #expect(throws: StoreError.self) { try await host.force("k", 3) }
    let contents = try await host.store.contents()
    #expect(contents.state.sortedOverrides.first?.records.first?.value == 1 && contents.state.revisions["g"] == 1)
    other.store.close()
    _ = try ask("DROP SCHEMA \(settings.quotedSchema) CASCADE")
    _ = try ask("ALTER SCHEMA \(away) RENAME TO \(settings.quotedSchema)")
    while host.store.health.condition != .good { await Task.yield() }
    #expect(try await host.force("k", 4) == 2)
  }

  @Test("another host's audit lines are reported, even for a change to a player, which raises no revision of a game")
  func logged() async throws {
    let (one, other) = (try FleetHost(settings, "one"), try FleetHost(settings, "other"))
    let player = PlayerID(game: "g", player: "ada")
    for number in Int64(1)...3 {
      let id = try await one.store.write(WriteMode(scope: .players([player])), refusing: StoreError.self) { transaction in
        let author = Author(uid: 1, name: "ada")
        return try transaction.append(AuditRecord(at: Instant(seconds: 1), author: author, action: .playerReset, game: "g")).id
      }
      #expect(id == number)
      await other.receives { if case .auditLogReaches(let last) = $0 { last == number } else { false } }
    }
  }

  @Test("no statement that sets an override scans a whole table or is JIT-compiled", arguments: [true, false])
  func planned(prepares: Bool) async throws {
    var settings = settings
    settings.prepares = prepares
    let connection = try PostgresConnection(settings, for: .reading)
    let shown = try connection.round([PostgresCommand("SELECT current_setting('jit')::TEXT")]).last
    connection.close()
    #expect(shown?.rows.first.map(Row.init)?.optionalText(0) == "off")
    // A server that plans each statement separately may choose a full scan of a table with few rows.
    if !prepares { return }
    /// Returns the number of full scans of each table while a store overrides a value that many times.
    func scans(overriding times: Int) async throws -> [String: Int64] {
      let query =
        """
        SELECT relname::TEXT, seq_scan FROM pg_stat_user_tables WHERE schemaname = '\(settings.schema)'
        AND relname IN ('numbers', 'overrides', 'slot_revisions', 'player_revisions', 'players', 'audit')
        """
      func counts() throws -> [String: Int64] {
        // A connection reports its statistics when it ends.
        while try ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(settings.schema)'") != 0 {}
        let rows = try admin.round([PostgresCommand(query)]).last?.rows.map(Row.init) ?? []
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.optionalText(0) ?? "", $0.optionalInteger(1) ?? 0) })
      }
      let before = try counts()
      do {
        let host = try FleetHost(settings, "one")
        for number in 0..<times { try await host.force("k", .integer(Int64(number)), player: number.isMultiple(of: 2) ? nil : "ada") }
        host.store.close()
      }
      return try counts().merging(before) { $0 - $1 }
    }
    _ = try await scans(overriding: 1)
    _ = try ask("SET search_path TO \(settings.quotedSchema)")
    _ = try ask(
      """
      INSERT INTO numbers (name, number) SELECT 'n' || place, place FROM generate_series(1, 20000) AS given (place)
      """)
    _ = try ask("ANALYZE numbers")
    let opening = try await scans(overriding: 0)
    #expect(try await scans(overriding: 40) == opening)
  }
}
