// Tasks that only one host of a fleet performs, and databases with faults.
import GameConfCore
import Testing

@testable import GameConfStorage

private let ada = PlayerID(game: "g", player: "ada")

extension FleetTests {
  @Test("a task for a single host belongs to one host while that host renews its lease, and to another host when the lease has expired")
  func leases() async throws {
    let (one, other) = (try FleetHost(settings, "one"), try FleetHost(settings, "other"))
    #expect(try await one.store.takes(lease: "a", milliseconds: 3_600_000))
    #expect(try await !other.store.takes(lease: "a", milliseconds: 3_600_000))
    #expect(try await one.store.takes(lease: "a", milliseconds: -1))
    #expect(try await other.store.takes(lease: "b", milliseconds: 3_600_000))
    #expect(try await other.store.takes(lease: "a", milliseconds: 3_600_000))
    #expect(try await !one.store.takes(lease: "a", milliseconds: 3_600_000))
  }

  @Test("a host publishes another host's change of a player whom it follows, and of no other player")
  func watched() async throws {
    let (one, other) = (try FleetHost(settings, "one"), try FleetHost(settings, "other"))
    let many = (0..<300).map { PlayerID(game: "g", player: "p\($0)") }
    try await one.visit(ada)
    other.store.follow { [ada] + many }
    func receives(_ id: PlayerID, _ revision: Int64) async {
      await other.receives { if case .player(id, let stored) = $0 { stored.revision == revision } else { false } }
    }
    await receives(ada, 1)
    try await one.visit(many[299])
    try await one.visit(PlayerID(game: "g", player: "eve"))
    try await one.visit(ada)
    await receives(ada, 2)
    await receives(many[299], 1)
    let names = Set(other.changes.compactMap { if case .player(let id, _) = $0 { id.player } else { nil } })
    #expect(!names.contains("eve"))
  }

  @Test("a database role without privileges is refused, and the message names the missing privilege")
  func rights() throws {
    let admin = try PostgresConnection(try PostgresSettings.fresh(), for: .following)
    defer { admin.close() }
    let role = "r" + settings.schema
    _ = try admin.round([PostgresCommand("CREATE ROLE \(role) LOGIN")])
    defer { _ = try? admin.round([PostgresCommand("DROP ROLE \(role)")]) }
    var poor = settings
    poor.connection += " user=\(role)"
    let refused = #expect(throws: DatabaseFailure.self) {
      try PostgresSession(poor, .current, PostgresGrammar(), writer: "one", process: "a") { _ in }.connection.close()
    }
    #expect(refused?.message.contains("permission denied") == true, "\(refused?.message ?? "")")
  }

  @Test("a database in another encoding than UTF-8 is refused, and the message names both encodings")
  func latin() throws {
    let admin = try PostgresConnection(try PostgresSettings.fresh(), for: .following)
    defer { admin.close() }
    let name = "l" + settings.schema
    _ = try admin.round([PostgresCommand("CREATE DATABASE \(name) ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")])
    defer { _ = try? admin.round([PostgresCommand("DROP DATABASE \(name)")]) }
    var latin = settings
    latin.connection += " dbname=\(name)"
    let refused = #expect(throws: DatabaseFailure.self) { try PostgresConnection(latin, for: .writing).close() }
    #expect(refused?.message.contains("LATIN1") == true && refused?.message.contains("UTF8") == true)
  }

  @Test("a server with a statement timeout of one millisecond is reported, and no change is stored in part")
  func hasty() async throws {
    let host = try FleetHost(settings, "one")
    try await host.force("k", 1)
    let admin = try PostgresConnection(settings, for: .following)
    defer { admin.close() }
    // Beside hundreds of tests a connection rarely completes each of its own statements within the millisecond.
    _ = try admin.round(PostgresCommand.holding("overrides"))
    var hasty = settings
    hasty.connection += " options='-c statement_timeout=1'"
    let other = try FleetHost(hasty, "other")
    let refused = await #expect(throws: StoreError.self) { try await other.force("k", 2) }
    // The server's own message. If the time is over as the statement ends, the server gives another reason with the same code.
    let words = refused.map(String.init(describing:)) ?? ""
    #expect(words.contains("canceling statement due to statement timeout") || words.contains("57014"), "\(words)")
    _ = try admin.round([PostgresCommand("ROLLBACK")])
    #expect(try await host.force("k", 3) == 2, "the refused one has made no revision")
  }

  @Test("a read of a whole database that hangs is abandoned after three times the usual time without data")
  func hangsAtLoad() async throws {
    try await FleetHost(settings, "one").force("k", 1)
    let admin = try PostgresConnection(settings, for: .following)
    defer { admin.close() }
    _ = try admin.round(PostgresCommand.holding("overrides"))
    var shortTimeout = settings
    shortTimeout.patienceMilliseconds = 700
    let late = try FleetHost(shortTimeout, "late")
    let words = if case .failing(let words) = late.store.health.condition { words } else { "" }
    #expect(words.contains("has not answered for 2100 ms"), "\(words)")
    _ = try admin.round([PostgresCommand("ROLLBACK")])
    while late.store.health.condition != .good { try? await late.store.look() }
    #expect(try await late.store.contents().state.sortedOverrides.count == 1)
  }

  @Test("a row that was corrupted by hand is reported; everything else continues")
  func nonsense() async throws {
    let host = try FleetHost(settings, "one")
    try await host.visit(ada)
    try await host.force("k", 1)
    let admin = try PostgresConnection(settings, for: .following)
    defer { admin.close() }
    _ = try admin.round([PostgresCommand("UPDATE players SET state = 'nonsense'"), PostgresCommand("UPDATE overrides SET value = '{'")])
    let late = try FleetHost(settings, "late")
    #expect(late.store.health.unreadable.map(\.kind) == [.override] && late.store.health.condition == .good)
    let refused = await #expect(throws: StoreError.self) { try await late.visit(ada) }
    if case .unreadable(let row) = refused { #expect(row.player == "ada") } else { Issue.record("\(String(describing: refused))") }
    try await late.visit(PlayerID(game: "g", player: "eve"))
    #expect(try await late.force("other", 2) == 2)
  }

  @Test("daemons for which the server has no connection report it, and connect when there is one")
  func crowd() async throws {
    let admin = try PostgresConnection(try PostgresSettings.fresh(), for: .following)
    defer { admin.close() }
    let role = "c" + settings.schema
    _ = try admin.round([
      PostgresCommand("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 3"),
      PostgresCommand("CREATE SCHEMA \(settings.quotedSchema) AUTHORIZATION \(role)"),
    ])
    var crowded = settings
    crowded.connection += " user=\(role)"
    var hosts = try (0..<8).map { try FleetHost(crowded, "h\($0)") }
    let words = hosts.compactMap { if case .failing(let words) = $0.store.health.condition { words } else { nil } }
    #expect(words.count >= 5)
    #expect(words.allSatisfy { $0.contains("too many connections") }, "\(words)")
    hosts = []
    // The limit is the number of connections that one host needs.
    _ = try admin.round([PostgresCommand("ALTER ROLE \(role) CONNECTION LIMIT 4")])
    let last = try FleetHost(crowded, "last")
    while last.store.health.condition != .good { try? await last.store.look() }
    try await last.force("k", 1)
  }

  @Test("a host that can write but has no connection for reading players, or for polling, reports it until it has one")
  func missingConnections() async throws {
    let admin = try PostgresConnection(try PostgresSettings.fresh(), for: .following)
    defer { admin.close() }
    let role = "d" + settings.schema
    _ = try admin.round([
      PostgresCommand("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 1"),
      PostgresCommand("CREATE SCHEMA \(settings.quotedSchema) AUTHORIZATION \(role)"),
    ])
    var poor = settings
    poor.connection += " user=\(role)"
    let host = try FleetHost(poor, "one")
    func words() -> String { if case .failing(let words) = host.store.health.condition { words } else { "" } }
    while !words().contains("players that are not in memory cannot be read") { await Task.yield() }
    #expect(words().contains("too many connections"))
    try await host.force("k", 1)
    #expect(host.store.health.condition != .good, "a write says nothing about it")
    // The limit leaves one connection: for a reader or for the listener.
    _ = try admin.round([PostgresCommand("ALTER ROLE \(role) CONNECTION LIMIT 4")])
    while host.store.health.condition != .good { await Task.yield() }
    #expect(try await host.store.read(deadlineMilliseconds: 60_000) { try $0.player(ada).state } == nil)
  }
}
