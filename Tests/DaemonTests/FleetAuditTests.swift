// Two daemons on one PostgreSQL database: the common audit log, too few connections, and lost settings.
import GameConfCore
import Glibc
import Testing

@testable import GameConfStorage

@Suite("Hosts that share a database", .enabled(if: TestStore.postgres != nil))
struct FleetAuditTests {
  private static let key = "arcade_time_limit_base"
  private let schema = "f" + String(UInt64.random(in: .min ... .max), radix: 16)

  private func start(_ folder: TemporaryFolder? = nil, user: String? = nil) throws -> RunningDaemon {
    let folder = try folder ?? TemporaryFolder()
    let connection = try #require(TestStore.postgres) + (user.map { " user=\($0)" } ?? "")
    try folder.write("store: {postgres: \"\(connection)\", schema: \(schema)}\n", to: "store.yaml")
    return try RunningDaemon(folder: folder, arguments: ["--config", folder.path + "/store.yaml"])
  }

  @Test("an admin's watch on either host gets every audit line of both hosts once and in order")
  func audit() throws {
    let hosts = [try start(), try start()]
    let streams = try hosts.map { try StreamReader($0.adminSocket, "/v1/watch") }
    for stream in streams { #expect(stream.next()?.event == "state") }
    let follow = try ChildProcess(
      Built.control, ["audit", "follow", "wheresthedot", "--lines", "10", "--count", "9"],
      environment: ["GAMECONF_SOCKET": hosts[1].gamesSocket, "GAMECONF_ADMIN_SOCKET": hosts[1].adminSocket])
    var reasons: [String] = []
    for number in 1...8 {
      let host = hosts[number % 3 == 0 ? 1 : 0]
      reasons.append("step \(number)")
      let words =
        number.isMultiple(of: 2)
        ? ["player", "settings", "wheresthedot", "p1", "sound_enabled", number.isMultiple(of: 4) ? "on" : "off"]
        : ["config", "set", "wheresthedot", Self.key, "\(2 + number)", "--player", "p1"]
      let ending = try host.control(words + ["--reason", reasons[number - 1]])
      #expect(ending.status == 0, "\(ending.errors)")
    }
    for stream in streams {
      var (ids, received): ([Int64], [String]) = ([], [])
      while received.last != reasons.last, let event = stream.next() {
        guard event.event == "audit" else { continue }
        let line = try JSONReader.value(from: event.data)
        ids.append(line["id"]?.integerValue ?? 0)
        received.append(line["reason"]?.stringValue ?? "")
      }
      #expect(received == reasons)
      #expect(zip(ids, ids.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(ids)")
    }
    let followed = follow.waitForEnd()
    #expect(followed.output.split(separator: "\n").map { $0.split(separator: "\t").last.map(String.init) ?? "" }.suffix(8) == reasons[...])
  }

  @Test(
    "a host with too few PostgreSQL connections serves every game, and becomes ready when it gets the missing ones", arguments: [1, 2])
  func crowded(more: Int) throws {
    let connection = try #require(TestStore.postgres)
    let settings = try #require(PostgresSettings(connection: connection, schema: schema))
    let admin = try PostgresConnection(settings, for: .following)
    defer { admin.close() }
    let role = "r" + schema
    _ = try admin.round([
      PostgresCommand("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 4"), PostgresCommand("CREATE SCHEMA \(schema) AUTHORIZATION \(role)"),
    ])
    let first = try start(user: role)
    let used = "SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE usename = '\(role)'"
    #expect(try first.waits { try admin.round([PostgresCommand(used)]).first?.integer(0, 0) == 4 })
    _ = try admin.round([PostgresCommand("ALTER ROLE \(role) CONNECTION LIMIT \(4 + more)")])
    let second = try start(user: role)
    let games = try first.read(at: "/v1/games")["games"]?.listValue?.map { $0["game"] }
    #expect(games?.count == 5)
    #expect(try second.read(at: "/v1/games")["games"]?.listValue?.map { $0["game"] } == games)
    #expect(try second.waits { try second.ask("GET", "/health/ready?strict=true").status == 503 })
    _ = try admin.round([PostgresCommand("ALTER ROLE \(role) CONNECTION LIMIT -1")])
    #expect(try second.waits { try second.ask("GET", "/health/ready?strict=true").status == 200 })
    #expect(try first.control("config", "set", "wheresthedot", Self.key, "3.5").status == 0)
    #expect(try second.waits { try second.ask("GET", "/v1/games/wheresthedot/config/\(Self.key)").json["value"] == 3.5 })
  }

  @Test("a start without the setting store is refused on a host of a fleet, and --abandon begins an empty store")
  func forgottenSetting() throws {
    let folder = try TemporaryFolder()
    try folder.write("# SQLite.\n", to: "plain.yaml")
    let before = try RunningDaemon(folder: folder, arguments: ["--config", folder.path + "/plain.yaml"])
    #expect(try before.ask("POST", "/v1/games/wheresthedot/players/p1/visits", body: [:]).status < 300)
    before.stop()
    let connection = try #require(TestStore.postgres)
    let state = ["--state-dir", folder.path + "/state", "--config", folder.path + "/plain.yaml"]
    let move = try ChildProcess(Built.daemon, ["move-store", "--to", "postgres", "--postgres", connection, "--schema", schema] + state)
    #expect(move.waitForEnd().status == 0)
    let plain = ["--defaults", Built.tree + "/Defaults", "--runtime-dir", folder.path + "/run"] + state
    func refusal(_ more: String...) throws -> String {
      let ended = try ChildProcess(Built.daemon, plain + more).waitForEnd()
      #expect(ended.status != 0)
      return ended.errors + ended.output
    }
    for words in [try refusal(), try refusal("--check")] {
      #expect(words.contains("gameconfd.db.moved") && words.contains("store: {postgres: …}"), "\(words)")
      #expect(words.contains("store move --to sqlite") && words.contains("--abandon"), "\(words)")
    }
    #expect(access(folder.path + "/state/gameconfd.db", F_OK) != 0)
    // A host that has served from the fleet's database and has no SQLite database.
    let fleet = try start(folder)
    #expect(try fleet.ask("GET", "/v1/games/wheresthedot/players/p1", admin: true).json["player_revision"] != 0)
    fleet.stop()
    unlink(folder.path + "/state/gameconfd.db.moved")
    #expect(try refusal().contains("the store was the PostgreSQL database of the fleet"))
    // The daemon stopped cleanly, so the store can be moved without waiting.
    let back = try ChildProcess(
      Built.daemon,
      ["move-store", "--to", "sqlite", "--postgres", connection, "--schema", schema, "--dry-run"] + state)
    let ended = back.waitForEnd()
    #expect(ended.status == 0, "\(ended.errors)")
    let alone = try RunningDaemon(folder: folder, arguments: ["--config", folder.path + "/plain.yaml", "--abandon"])
    #expect(try alone.ask("GET", "/v1/games/wheresthedot/players/p1", admin: true).json["player_revision"] == 0)
    alone.stop()
    let again = try RunningDaemon(folder: folder, arguments: ["--config", folder.path + "/plain.yaml"])
    again.stop()
  }
}
