// Two daemons on one PostgreSQL database, over their sockets.

import GameConfCore
import Glibc
import Testing

@Suite("Two hosts on one database", .enabled(if: TestStore.postgres != nil))
struct FleetDaemonTests {
  private static let key = "arcade_time_limit_base"

  private func settings(_ folder: TemporaryFolder, schema: String) throws -> [String] {
    let connection = try #require(TestStore.postgres)
    try folder.write("store: {postgres: \"\(connection)\", schema: \(schema)}\n", to: "store.yaml")
    return ["--config", folder.path + "/store.yaml"]
  }

  private func start(schema: String, more: [String] = []) throws -> RunningDaemon {
    let folder = try TemporaryFolder()
    return try RunningDaemon(folder: folder, arguments: try settings(folder, schema: schema) + more)
  }

  private static func schema() -> String { "f" + String(UInt64.random(in: .min ... .max), radix: 16) }

  @Test("an override set on one host notifies a watcher on the other host, where a player's change is visible too")
  func shared() throws {
    let schema = Self.schema()
    let (one, other) = (try start(schema: schema), try start(schema: schema))
    let stream = try StreamReader(other.gamesSocket, "/v1/games/wheresthedot/watch?keys=\(Self.key)")
    #expect(stream.next()?.event == "state")
    for value in [3.5, 4.5] {
      #expect(try one.control("config", "set", "wheresthedot", Self.key, "\(value)").status == 0)
      #expect(stream.data()["values"]?[Self.key]?["value"] == .double(value))
    }
    let status = try other.control("status", "--all")
    #expect(status.output.contains("PostgreSQL, schema \(schema)"), "\(status.output)")
    let visit = try one.ask("POST", "/v1/games/wheresthedot/players/p1/visits", body: [:])
    #expect(visit.status < 300, "\(visit.text)")
    let player = try other.ask("GET", "/v1/games/wheresthedot/players/p1", admin: true)
    #expect(player.status == 200 && player.json["player_revision"] == visit.json["player_revision"], "\(player.text)")
    // The other host now has the player in its cache, and must still notice the change.
    for count in 2...4 {
      let writer = count.isMultiple(of: 2) ? one : other
      let changed = try writer.ask("POST", "/v1/games/wheresthedot/players/p1/visits", body: [:])
      #expect(changed.json["visits"]?["count"] == .integer(Int64(count)), "\(changed.text)")
      for daemon in [one, other] {
        #expect(
          try daemon.waits {
            try daemon.ask("GET", "/v1/games/wheresthedot/players/p1", admin: true).json["player_revision"]
              == changed.json["player_revision"]
          })
      }
    }
    // A decision on an outdated cached player is repeated, also if it would change nothing.
    let settings = "/v1/games/wheresthedot/players/p1/settings/sound_enabled"
    for (daemon, isOn) in [(one, true), (other, false), (one, true), (other, false), (one, false), (other, true), (one, true)] {
      let set = try daemon.ask("PUT", settings, body: ["value": .bool(isOn)])
      #expect(set.status < 300, "\(set.text)")
      #expect(set.json["effective"]?["value"] == .bool(isOn) || set.json["value"] == .bool(isOn), "\(set.text)")
    }
    #expect(try other.waits { try other.ask("GET", "/v1/games/wheresthedot/config/sound_enabled?player=p1").json["value"] == true })
    try one.restart(killing: true)
    let stored = try one.ask("GET", "/v1/games/wheresthedot/config/\(Self.key)")
    #expect(stored.json["value"] == 4.5)
  }

  @Test("an event of an uncached player makes no more round trips to PostgreSQL than one of a cached player")
  func foreseen() throws {
    let daemon = try start(schema: Self.schema())
    func waits() throws -> Int {
      let lines = try daemon.ask("GET", "/metrics", admin: true).text.split(separator: "\n")
      let line = try #require(lines.first { $0.hasPrefix("gameconf_store_turn_waits_total ") })
      return try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }
    func play(_ players: Range<Int>, _ score: Int64) throws -> Int {
      let before = try waits()
      for player in players {
        let event = try daemon.ask(
          "POST", "/v1/games/wheresthedot/players/p\(player)/events",
          body: ["event": "game_over", "mode": "classic", "score": .integer(score), "reason": "wrongTap"])
        #expect(event.status < 300, "\(event.text)")
      }
      return try waits() - before
    }
    // The first event creates the leaderboard, the second reads its number.
    #expect(try play(0..<2, 5) > 0)
    #expect(try play(2..<9, 5) == 0)
    #expect(try play(0..<9, 6) == 0)
    try daemon.restart()
    _ = try play(0..<1, 7)
    #expect(try play(1..<9, 7) == 0)
    let board = try daemon.ask("GET", "/v1/games/wheresthedot/leaderboards/classic", admin: true)
    #expect(board.json["rows"]?.listValue?.map { $0["score"] } == Array(repeating: 7, count: 9), "\(board.text)")
  }

  @Test("when one host forgets or resets a player or pushes a template, watchers on the other are sent only differences")
  func forgotten() throws {
    let schema = Self.schema()
    let (one, other) = (try start(schema: schema), try start(schema: schema))
    let streams = try ["wheresthedot", "dartsscore"].map { try StreamReader(other.gamesSocket, "/v1/games/\($0)/watch") }
    for stream in streams { #expect(stream.next()?.event == "state") }
    for player in ["p1", "p2"] {
      #expect(try one.control("config", "set", "wheresthedot", Self.key, "3.5", "--player", player).status == 0)
      #expect(try one.ask("POST", "/v1/games/wheresthedot/players/\(player)/visits", body: [:]).status < 300)
      #expect(
        try other.waits { try other.ask("GET", "/v1/games/wheresthedot/config/\(Self.key)?player=\(player)").json["value"] == 3.5 })
    }
    #expect(try one.control("player", "forget", "wheresthedot", "p1", "--yes").status == 0)
    #expect(try one.control("player", "reset", "wheresthedot", "p2", "--yes").status == 0)
    let template = #"{"parameters": {"\#(Self.key)": {"defaultValue": {"value": "5.5"}}}}"#
    try one.folder.write(template, to: "template.json")
    let pushed = try one.control("template", "push", "wheresthedot", one.folder.path + "/template.json")
    #expect(pushed.status == 0, "\(pushed.errors)")
    for player in ["", "?player=p1", "?player=p2"] {
      #expect(try other.waits { try other.ask("GET", "/v1/games/wheresthedot/config/\(Self.key)\(player)").json["value"] == 5.5 })
    }
    let last = ["wheresthedot": ("haptics_enabled", "off"), "dartsscore": ("sound_tap_volume", "0.25")]
    for (game, stream) in zip(["wheresthedot", "dartsscore"], streams) {
      let (key, value) = try #require(last[game])
      let set = try one.control("config", "set", game, key, value)
      #expect(set.status == 0, "\(set.errors)")
      var events: [String?] = []
      while let event = stream.next() {
        events.append(event.event)
        if try JSONReader.value(from: event.data)["values"]?[key] != nil { break }
      }
      #expect(events.allSatisfy { $0 != "state" }, "\(game): \(events)")
      if game == "dartsscore" { #expect(events.count == 1, "\(events)") }
    }
  }

  @Test("a player's change on another host is not lost if an override of the player arrives before it")
  func overridden() throws {
    let schema = Self.schema()
    let (one, other) = (try start(schema: schema), try start(schema: schema))
    let player = "/v1/games/wheresthedot/players/p1"
    for key in ["sound_enabled", "haptics_enabled"] {
      #expect(try one.ask("PUT", "\(player)/settings/\(key)", body: ["value": true]).status < 300)
    }
    #expect(try other.ask("PUT", "\(player)/settings/sound_enabled", body: ["value": false]).status < 300)
    #expect(try other.ask("PUT", "\(player)/overrides/\(Self.key)", body: ["value": 3.5], admin: true).status < 300)
    #expect(try one.waits { try one.ask("GET", "/v1/games/wheresthedot/overrides?player=p1", admin: true).text.contains("3.5") })
    #expect(try one.ask("PUT", "\(player)/settings/haptics_enabled", body: ["value": false]).status < 300)
    for daemon in [one, other] {
      for key in ["sound_enabled", "haptics_enabled"] {
        #expect(
          try daemon.waits { try daemon.ask("GET", "/v1/games/wheresthedot/config/\(key)?player=p1").json["value"] == false }, "\(key)")
      }
    }
  }

  @Test("a host that joins another fleet reports the change, and serves that fleet's catalogs with and without its database")
  func moved() throws {
    let folder = try TemporaryFolder()
    func host(_ schema: String, limit: Int, server: String? = nil) throws -> RunningDaemon {
      let arguments = try settings(folder, schema: schema)
      if let server { try folder.write("store: {postgres: \"host=\(server) dbname=x\", schema: \(schema)}\n", to: "store.yaml") }
      return try RunningDaemon(catalogs: ["shared.yaml": Self.catalog(limit)], folder: folder, arguments: arguments)
    }
    func limit(_ daemon: RunningDaemon) throws -> Value? { try daemon.ask("GET", "/v1/games/shared/config/limit").json["value"] }
    let (first, second) = (Self.schema(), Self.schema())
    var daemon = try host(first, limit: 1)
    #expect(try daemon.control("config", "set", "shared", "limit", "5").status == 0)
    #expect(try limit(daemon) == 5)
    daemon.stop()
    daemon = try host(second, limit: 2)
    #expect(try limit(daemon) == 2)
    let status = try daemon.control("status")
    #expect(status.output.contains("last-good.json") || status.output.contains("the state served before"), "\(status.output)")
    #expect(daemon.startLines.contains { $0.contains("state served before") })
    #expect(!daemon.startLines.contains { $0.contains("has lost changes") })
    daemon.stop()
    daemon = try host(second, limit: 3, server: "/nonexistent")
    #expect(try limit(daemon) == 2, "what the second fleet had accepted")
    #expect(daemon.startLines.contains { $0.contains("the database cannot be opened now; serving last-good.json") })
    daemon.stop()
    try folder.write("# SQLite.\n", to: "store.yaml")
    daemon = try RunningDaemon(
      catalogs: ["shared.yaml": Self.catalog(4)], folder: folder, arguments: ["--config", folder.path + "/store.yaml", "--abandon"])
    #expect(try limit(daemon) == 4)
    #expect(daemon.startLines.contains { $0.contains("what was accepted of shared was written in the fleet") })
    #expect(try daemon.ask("GET", "/v1/status", admin: true).json["store"]?["state"] == "good")
    daemon.stop()
  }

  @Test("a watcher of a player on one host is notified once of the player's changes on another")
  func watchedPlayer() throws {
    let schema = Self.schema()
    let (one, other) = (try start(schema: schema), try start(schema: schema))
    let stream = try StreamReader(other.gamesSocket, "/v1/games/wheresthedot/watch?player=p1&keys=sound_enabled")
    #expect(stream.next()?.event == "state")
    let settings = "/v1/games/wheresthedot/players/p1/settings/sound_enabled"
    for isOn in [false, true, false] {
      #expect(try one.ask("PUT", settings, body: ["value": .bool(isOn)]).status < 300)
      #expect(stream.data()["values"]?["sound_enabled"]?["value"] == .bool(isOn))
    }
    // The player is in this host's cache, and watchers must still be notified.
    #expect(try one.ask("PUT", settings, body: ["value": true]).status < 300)
    #expect(try other.waits { try other.ask("GET", "/v1/games/wheresthedot/config/sound_enabled?player=p1").json["value"] == true })
    #expect(stream.data()["values"]?["sound_enabled"]?["value"] == true)
    let fleet = try other.ask("GET", "/v1/status", admin: true).json["store"]?["fleet"]
    #expect(fleet?["schema"] == .string(schema) && fleet?["hosts"]?.listValue?.count == 2, "\(fleet ?? .null)")
    // Changes of players are not announced by NOTIFY, changes of games are.
    #expect(try one.control("config", "set", "wheresthedot", "sound_enabled", "true").status == 0)
    #expect(try other.waits { try other.control("status").output.contains("last announcement") })
    #expect(try other.control("status").output.contains("synchronous_commit on"))
  }

  @Test("behind a transaction pooler the store uses no prepared statements, session settings or LISTEN")
  func unprepared() throws {
    let schema = Self.schema()
    func host() throws -> RunningDaemon {
      let folder = try TemporaryFolder()
      let connection = try #require(getenv("GAMECONF_POOLER").map { String(cString: $0) } ?? TestStore.postgres)
      try folder.write("store: {postgres: \"\(connection)\", schema: \(schema), prepared: false, listen: false}\n", to: "store.yaml")
      return try RunningDaemon(folder: folder, arguments: ["--config", folder.path + "/store.yaml"])
    }
    let (one, other) = (try host(), try host())
    let stream = try StreamReader(other.gamesSocket, "/v1/games/wheresthedot/watch?keys=\(Self.key)")
    #expect(stream.next()?.event == "state")
    for value in [3.5, 4.5] {
      #expect(try one.control("config", "set", "wheresthedot", Self.key, "\(value)").status == 0)
      #expect(stream.data()["values"]?[Self.key]?["value"] == .double(value))
    }
    for count in 1...6 {
      let visit = try (count.isMultiple(of: 2) ? one : other).ask("POST", "/v1/games/wheresthedot/players/p1/visits", body: [:])
      #expect(visit.json["visits"]?["count"] == .integer(Int64(count)), "\(visit.text)")
    }
    try one.restart(killing: true)
    #expect(try one.ask("GET", "/v1/games/wheresthedot/config/\(Self.key)").json["value"] == 4.5)
  }

  private static func catalog(_ limit: Int) -> String {
    """
    gameconf: 1
    game: shared
    title: Shared
    locales: [en]
    parameters:
      limit: {type: integer, default: \(limit), section: Play, description: How much.}
    """
  }

  @Test("a catalog accepted by one host is in force on all, and other hosts' files do not undo it")
  func catalogs() throws {
    let schema = Self.schema()
    func host(_ limit: Int) throws -> RunningDaemon {
      let folder = try TemporaryFolder()
      return try RunningDaemon(
        catalogs: ["shared.yaml": Self.catalog(limit)], folder: folder, arguments: try settings(folder, schema: schema))
    }
    func limit(_ daemon: RunningDaemon) throws -> Value? { try daemon.ask("GET", "/v1/games/shared/config/limit").json["value"] }
    let (one, other) = (try host(1), try host(2))
    for daemon in [one, other] { #expect(try limit(daemon) == 1) }
    #expect(try !one.ask("GET", "/v1/games").text.contains("drift"))
    let drifted = try other.ask("GET", "/v1/games")
    #expect(drifted.text.contains("drift"), "\(drifted.text)")
    try other.folder.write(Self.catalog(3), to: "games/shared.yaml")
    let reload = try other.control("reload")
    #expect(reload.status == 0, "\(reload.errors)")
    for daemon in [one, other] { #expect(try daemon.waits { try limit(daemon) == 3 }) }
    let again = try one.control("reload")
    #expect(try limit(one) == 3, "\(again.output)")
    try one.restart()
    for daemon in [one, other] { #expect(try limit(daemon) == 3) }
    let revisions = try [one, other].map { try $0.ask("GET", "/v1/games/shared/config/limit").headers["gameconf-revision"] }
    #expect(revisions[0] == revisions[1])
  }

  @Test("a daemon that starts without its database uses the database's catalogs when it is reachable")
  func later() throws {
    let schema = Self.schema()
    let link = try TemporaryFolder()
    let connection = try #require(TestStore.postgres)
    let server = try #require(connection.split(separator: " ").first { $0.hasPrefix("host=") }?.dropFirst(5))
    let one = try start(schema: schema)
    #expect(try one.control("config", "set", "wheresthedot", Self.key, "3.5").status == 0)
    let folder = try TemporaryFolder()
    let away = connection.split(separator: " ").map { $0.hasPrefix("host=") ? "host=\(link.path)/server" : $0 }.joined(separator: " ")
    try folder.write("store: {postgres: \"\(away)\", schema: \(schema)}\n", to: "store.yaml")
    let late = try RunningDaemon(
      catalogs: ["wheresthedot.yaml": Self.catalog(7).split(separator: "shared").joined(separator: "wheresthedot")], folder: folder,
      arguments: ["--config", folder.path + "/store.yaml"])
    #expect(try late.ask("GET", "/v1/games/wheresthedot/config/limit").json["value"] == 7)
    #expect(symlink(String(server), link.path + "/server") == 0)
    #expect(try late.waits { try late.ask("GET", "/v1/games/wheresthedot/config/\(Self.key)").json["value"] == 3.5 })
    #expect(try one.ask("GET", "/v1/games/wheresthedot/config/\(Self.key)").json["value"] == 3.5, "the other catalog has not won")
    #expect(try late.ask("POST", "/v1/games/wheresthedot/players/p1/visits", body: [:]).status < 300)
  }

  @Test("a follower of a game's events on one host gets the events that the other host records")
  func events() throws {
    let schema = Self.schema()
    let (one, other) = (try start(schema: schema), try start(schema: schema))
    for number in 1...6 {
      let daemon = number.isMultiple(of: 2) ? one : other
      #expect(try daemon.ask("POST", "/v1/games/wheresthedot/players/p\(number)/events", body: ["event": "sound_enabled"]).status < 300)
    }
    for daemon in [one, other] {
      var lines = 0
      // An event appears when no open transaction on the server could still commit an earlier one, and other tests have long transactions.
      let isWhole = try daemon.waits(seconds: 60) {
        lines = try daemon.control("events", "export", "wheresthedot", "--since", "1h").output.split(separator: "\n").count
        return lines == 6
      }
      #expect(isWhole, "\(lines)")
    }
  }

  @Test("a state directory with players in its database is not abandoned without --abandon")
  func abandons() throws {
    let folder = try TemporaryFolder()
    try folder.write("# SQLite.\n", to: "plain.yaml")
    let before = try RunningDaemon(folder: folder, arguments: ["--config", folder.path + "/plain.yaml"])
    #expect(try before.ask("POST", "/v1/games/wheresthedot/players/p1/visits", body: [:]).status < 300)
    before.stop()
    let settings = try settings(folder, schema: Self.schema())
    let arguments =
      ["--defaults", Built.tree + "/Defaults", "--runtime-dir", folder.path + "/run", "--state-dir", folder.path + "/state"] + settings
    let refused = try ChildProcess(Built.daemon, arguments).waitForEnd()
    #expect(refused.status == 1 && refused.errors.contains("--abandon"), "\(refused.errors)")
    #expect(access(folder.path + "/state/gameconfd.db", F_OK) == 0)
    let moved = try RunningDaemon(folder: folder, arguments: settings + ["--abandon"])
    #expect(access(folder.path + "/state/gameconfd.db.abandoned", F_OK) == 0)
    #expect(!moved.startLines.contains { $0.contains("has lost changes") })
    #expect(try moved.ask("GET", "/v1/games/wheresthedot/players/p1", admin: true).json["player_revision"] == 0)
    moved.stop()
  }

  @Test(
    "invalid settings of the store are refused with their place",
    arguments: [
      "store: postgres", "store: {schema: x}", "store: {postgres: 5}", "store: {postgres: \"dbname=x\", schema: \"\"}",
      "store: {postgres: \"dbname=x\", more: 1}", "store: {postgres: \"dbname=x\", listen: 1}",
      "store: {postgres: \"dbname=x\", schema: \(String(repeating: "x", count: 64))}",
    ])
  func refused(settings: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(settings + "\n", to: "store.yaml")
    let ended = try ChildProcess(Built.daemon, ["--check", "--config", folder.path + "/store.yaml"]).waitForEnd()
    #expect(ended.status == 2 && ended.errors.contains("store.yaml:1:8: store is {postgres:"), "\(ended.errors)")
  }

  @Test("a play closed on one host is closed with its state on another that has it cached, and accepts late results")
  func closedPlay() throws {
    let schema = Self.schema()
    let (one, other) = (try start(schema: schema), try start(schema: schema))
    let path = "/v1/games/remembersquare/players/p1"
    let play = try #require(try one.ask("POST", path + "/plays").json["play"]?.stringValue)
    func state(_ daemon: RunningDaemon, _ state: Value) throws -> RawConnection.Answer {
      try daemon.ask("PUT", path + "/plays/\(play)/state", body: ["state": state])
    }
    #expect(try other.ask("GET", "/v1/games/remembersquare/config?player=p1&play=\(play)&keys=order_length").status == 200)
    #expect(try other.read(at: path + "/plays/\(play)")["open"] == true)
    #expect(try state(other, ["round": 1]).status == 200)
    #expect(try one.read(at: path + "/plays/\(play)")["state"] == ["round": 1])
    func result(_ daemon: RunningDaemon, _ number: Int64) throws -> RawConnection.Answer {
      try daemon.ask(
        "POST", path + "/events",
        body: [
          "event": "round_over", "score": 1, "play": .string(play), "state": ["round": .integer(number)], "close": true,
          "event_id": .string("e\(number)"),
        ])
    }
    #expect(try result(one, 2).status == 200)
    for isKilled in [false, true] {
      if isKilled { try one.restart(killing: true) }
      for daemon in [other, one] {
        let shown = try daemon.read(at: path + "/plays/\(play)")
        #expect(shown["open"] == false && shown["state"] == ["round": 2])
        #expect(try daemon.read(at: path + "/plays")["plays"]?.listValue?.map { $0["open"] } == [false])
        #expect(try state(daemon, ["round": 3]).code == "PLAY_CLOSED")
      }
    }
    let closedAt = try other.read(at: path + "/plays/\(play)")["closed_at"]
    let again = try other.ask("POST", path + "/plays/\(play)/close")
    #expect(again.status == 200, "\(again.text)")
    #expect(try one.read(at: path + "/plays/\(play)")["closed_at"] == closedAt)
    let late = try result(other, 4)
    #expect(late.status == 200 && late.json["occurred_at"] == closedAt, "\(late.text)")
    #expect(try result(one, 4).headers["gameconf-repeated"] == "true")
    #expect(try one.read(at: path + "/events?event=round_over")["events"]?.listValue?.count == 2)
    #expect(try one.read(at: path + "/plays/\(play)")["state"] == ["round": 2])
  }

  @Test("a backup call on PostgreSQL is refused with the tool to use")
  func elsewhere() throws {
    let daemon = try start(schema: Self.schema())
    let backup = try daemon.control("store", "backup", daemon.folder.path + "/copy")
    #expect(backup.status == 6 && backup.errors.contains("pg_dump") && backup.errors.contains("STORE_ELSEWHERE"), "\(backup.errors)")
  }
}
