// Power loss under a running daemon: in every possible state of the disk nothing acknowledged is lost, and nothing is doubled.

import GameConfCore
import Glibc
import TestSupport
import Testing

@testable import GameConfStorage

@Suite("States of a disk after a loss of power", .enabled(if: TestStore.connection == nil))
struct CrashStateTests {
  private static let client = "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d"

  @Test("acknowledged events with sequences and ids, some sent twice, survive a power loss, a kill and a restart")
  func events() async throws {
    try await CrashRecording("events").check { daemon, acknowledged in
      let player = TestPlayer(daemon: daemon)
      for number in 1...30 {
        let sequence: (String, Value) = ("sequence", ["client": .string(Self.client), "number": .integer(Int64(number))])
        let isByID = number.isMultiple(of: 3)
        for _ in 0..<(number.isMultiple(of: 5) ? 2 : 1) {
          let answer = try acknowledged {
            try player.event(score: .integer(Int64(number)), id: isByID ? "e\(number)" : nil, more: isByID ? [] : [sequence])
          }
          try #require(answer.status == 200, "\(answer.text)")
        }
        if number == 10 || number == 20 { try daemon.restart(killing: number == 10) }
      }
    }
  }

  @Test("an admin's acknowledged overrides, imports, clears, reverts, templates and clocks survive a power loss")
  func admin() async throws {
    try await CrashRecording("an admin's work", players: ["p1", "p2"]).check { daemon, acknowledged in
      var (work, statuses) = (AdminWork(seed: 18), Set<Int>())
      for number in 0..<60 {
        let call = work.call(day: 60 + number / 20)
        statuses.insert(try acknowledged { try daemon.ask(call.method, call.target, body: call.body, admin: true) }.status)
        if number == 30 { try daemon.restart(killing: true) }
      }
      #expect(statuses.contains(200) && !statuses.contains { $0 >= 500 }, "\(statuses)")
    }
  }

  @Test("acknowledged imports and clears of overrides survive a power loss while their time windows begin and end")
  func windows() async throws {
    let game = "/v1/games/wheresthedot/overrides/"
    try await CrashRecording("windows, imports, clears", players: ["p1", "q7"]).check { daemon, acknowledged in
      for round in 0..<2 {
        let end = Instant(milliseconds: Int64(time(nil)) * 1_000 + 2_000).text
        let begun = try acknowledged {
          try daemon.put("arcade_difficulty_step", .integer(Int64(5 + round)), game: "wheresthedot", [("until", .string(end))])
        }
        #expect(begun.status / 100 == 2, "\(begun.text)")
        // The first import is computed before its transaction and has packed audit lines; the one with a window is not.
        let many: [Value] = (0..<300).map { number in
          ["player": .string("q\(number)"), "key": "arcade_time_limit_base", "value": .double(2.5)]
        }
        let from: Value = "2099-01-01T00:00:00Z"
        let windowed: Value = ["player": "p1", "key": "sound_enabled", "value": false, "from": from, "until": "2099-01-02T00:00:00Z"]
        for rows in [many, [windowed]] {
          let imported = try acknowledged { try daemon.ask("POST", game + "import", body: ["overrides": .list(rows)], admin: true) }
          #expect(imported.status == 200, "\(imported.text)")
        }
        if round == 1 { try daemon.restart(killing: true) }
        #expect(
          try daemon.waits {
            try daemon.ask("GET", game + "arcade_difficulty_step", admin: true).json["windows"]?.listValue?.isEmpty ?? true
          })
        let cleared = try acknowledged { try daemon.ask("POST", game + "clear", body: ["scope": "all"], admin: true) }
        #expect(cleared.status == 200, "\(cleared.text)")
      }
    }
  }

  @Test("a player's visits, plays, settings, purchases and ads, and a player's removal, survive a power loss")
  func player() async throws {
    try await CrashRecording("players", players: ["p1", "p2"]).check { daemon, acknowledged in
      for name in ["p1", "p2", "p1"] {
        let player = TestPlayer(daemon: daemon, player: name)
        func post(_ path: String, _ body: Value? = nil) throws -> RawConnection.Answer {
          try acknowledged { try daemon.ask("POST", player.path + path, body: body) }
        }
        #expect(try post("/visits").status == 200)
        #expect(try post("/plays").status / 100 == 2)
        #expect(try acknowledged { try player.choose("selected_theme", "neon") }.status == 200)
        for score in [5, 90, 400] { #expect(try acknowledged { try player.event(score: .integer(Int64(score))) }.status == 200) }
        _ = try post("/purchases", ["product": "removeads"])
        if name == "p2" { #expect(try acknowledged { try daemon.ask("DELETE", player.path, admin: true) }.status / 100 == 2) }
      }
    }
  }

  @Test("the states and results of plays, and lists of events, survive a power loss")
  func plays() async throws {
    try await CrashRecording("plays with state", game: "remembersquare").check { daemon, acknowledged in
      let player = TestPlayer(daemon: daemon, game: "remembersquare")
      for number in 1...5 {
        let opened = try acknowledged { try daemon.ask("POST", player.path + "/plays") }
        let play = try #require(opened.json["play"]?.stringValue, "\(opened.text)")
        for state in 1...3 {
          let put = try acknowledged {
            try daemon.ask("PUT", player.path + "/plays/\(play)/state", body: ["state": .integer(Int64(state))])
          }
          #expect(put.status == 200, "\(put.text)")
        }
        if number == 3 { try daemon.restart(killing: true) }
        func result(_ more: [(String, Value)]) -> Value {
          .object(ObjectValue([("event", "round_over"), ("score", .integer(Int64(number))), ("play", .string(play))] + more))
        }
        let first = result([("state", 4), ("sequence", ["client": .string(Self.client), "number": .integer(Int64(2 * number - 1))])])
        let last = result([
          ("state", 5), ("close", true), ("sequence", ["client": .string(Self.client), "number": .integer(Int64(2 * number))]),
        ])
        let recorded = try acknowledged { try daemon.ask("POST", player.path + "/events", body: .list([first, last])) }
        #expect(recorded.json.listValue?.map { $0["status"] } == [200, 200], "\(recorded.text)")
      }
    }
  }

  @Test("the best scores and leaderboards of several players, and removals of best scores, survive a power loss")
  func bests() async throws {
    try await CrashRecording("bests and leaderboards", game: "kidsdoku2", players: ["p1", "p2", "p3"]).check { daemon, acknowledged in
      for number in 0..<18 {
        let player = TestPlayer(daemon: daemon, game: "kidsdoku2", player: "p\(1 + number % 3)")
        let score = Int64(30 - number % 4 * 5)
        let details: Value = ["puzzle": .string("4-Easy-\(1 + number / 6)"), "mistakes": .integer(max(0, (30 - score) / 5 * 2 - 1))]
        let solved = try acknowledged {
          try player.event("puzzle_solved", mode: "4x4", score: .integer(score), reason: nil, more: [("details", details)])
        }
        #expect(solved.status == 200, "\(solved.text)")
        if number == 9 { try daemon.restart(killing: true) }
      }
      let removed = try acknowledged { try daemon.ask("DELETE", "/v1/games/kidsdoku2/players/p1/bests?prefix=4-") }
      #expect(removed.status / 100 == 2, "\(removed.text)")
    }
  }

  @Test("a running scenario, and the end of another scenario, survive a power loss")
  func scenarios() async throws {
    let players: Value = [
      "a": ["scores": ["lifetime_score": 5], "purchases": [["product": "removeads"]]], "b": ["scores": ["lifetime_score": 7]],
    ]
    let game: Value = ["overrides": ["arcade_time_limit_base": 3.5], "players": players]
    try await CrashRecording("scenarios").check { daemon, acknowledged in
      var ids: [String] = []
      for title in ["one", "another"] {
        let begun = try acknowledged {
          try daemon.ask(
            "POST", "/v1/scenarios", body: ["title": .string(title), "games": ["wheresthedot": game]],
            headers: ["Idempotency-Key": title], admin: true)
        }
        ids.append(try #require(begun.json["id"]?.stringValue, "\(begun.text)"))
      }
      try daemon.restart(killing: true)
      #expect(try acknowledged { try daemon.ask("DELETE", "/v1/scenarios/\(ids[0])", admin: true) }.status == 204)
      let tested = TestPlayer(daemon: daemon, player: "scn-\(ids[1])-a")
      #expect(try acknowledged { try tested.event(score: 3) }.status == 200)
    }
  }

  @Test("purchases, grants, refunds, transfers and players' clocks survive a power loss")
  func purchases() async throws {
    try await CrashRecording("purchases", players: ["p1", "p2"]).check { daemon, acknowledged in
      func ask(_ method: String, _ player: String, _ path: String, _ body: Value? = nil, key: String? = nil) throws -> Value {
        let answer = try acknowledged {
          try daemon.ask(
            method, "/v1/games/wheresthedot/players/\(player)/\(path)", body: body, headers: key.map { ["Idempotency-Key": $0] } ?? [:],
            admin: true)
        }
        #expect(answer.status / 100 == 2, "\(method) \(path): \(answer.text)")
        return answer.json
      }
      for (number, product) in ["removeads", "theme.aurora", "theme.inferno"].enumerated() {
        for _ in 0..<2 { _ = try ask("POST", "p1", "purchases", ["product": .string(product)], key: "k\(number)") }
      }
      let bought = try ask("POST", "p1", "purchases", ["product": "premium"])
      let transaction = try #require(bought["transaction"]?["id"]?.stringValue)
      _ = try ask("POST", "p1", "transactions/\(transaction)/refund", ["reason": "asked for"])
      try daemon.restart(killing: true)
      _ = try ask("POST", "p2", "grants", ["entitlement": "ad_free", "period": "P7D"])
      _ = try ask("PUT", "p2", "clock", ["advance": "P8D"])
      _ = try ask("POST", "p2", "restore", ["from_player": "p1"])
      _ = try ask("PUT", "p1", "clock", ["advance": "P1D"])
    }
  }

  @Test("a power loss while old rows are removed leaves no half-removed audit lines, stored answers or forgotten players")
  func retention() async throws {
    try await CrashRecording("retention") { path in
      let connection = try DatabaseFile(path: path).connect()
      defer { connection.close() }
      try connection.execute("PRAGMA journal_mode = WAL")
      try StoreSchema.current.migrate(connection, from: 0)
      try connection.execute(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
          INSERT INTO audit (at_ms, author_uid, author_name, action, game) SELECT i, 1, 'ada', 'override.set', 'wheresthedot' FROM n;
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
          INSERT INTO answers (request, digest, status, headers, body, at_ms, uid, bytes, seen_ms)
          SELECT 'r' || i, 'd', 200, '{}', '""', i, 1, 600, 0 FROM n;
        INSERT INTO answer_shares (uid, bytes) SELECT uid, sum(bytes) FROM answers GROUP BY uid;
        INSERT INTO numbers (name, number) VALUES ('\(RepeatRows.seen)', \(3 * StoreLimits.repeatsRetentionMilliseconds));
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
          INSERT INTO player_lines (number, player, prior, entry, at_ms, line)
          SELECT i, 77, CASE WHEN i > 1 THEN i - 1 END, i, i, '[0,"visit",{}]' FROM n;
        INSERT INTO forgotten_lines (player, head) VALUES (77, 1200);
        INSERT INTO forgotten_players (player) VALUES (77);
        INSERT INTO game_revisions (game, revision) VALUES ('wheresthedot', 1);
        """)
    }.check { daemon, acknowledged in
      let player = TestPlayer(daemon: daemon)
      for number in 1...8 { #expect(try acknowledged { try player.event(score: 1, id: "e\(number)") }.status == 200) }
      #expect(try daemon.waits { try daemon.audit(game: "wheresthedot", "limit=1000").allSatisfy { $0["action"] != "override.set" } })
      try daemon.restart(killing: true)
      #expect(try acknowledged { try player.event(score: 1, id: "e9") }.status == 200)
    }
  }

  @Test("accepted catalogs survive a kill and a power loss")
  func catalogs() async throws {
    let bytes = try #require(TemporaryFolder.read(Built.tree + "/Defaults/wheresthedot.yaml"))
    let catalog = String(decoding: bytes, as: UTF8.self)
    try await CrashRecording("catalogs").check { daemon, acknowledged in
      for number in 1...6 {
        try daemon.folder.write(CrashStates.edition(number, of: catalog), to: "games/wheresthedot.yaml")
        let reloaded = try acknowledged { try daemon.ask("POST", "/v1/reload", admin: true) }
        #expect(reloaded.status == 200, "\(reloaded.text)")
        if number == 3 { try daemon.restart(killing: true) }
      }
    }
  }

  @Test(
    "a power loss during a migration leaves the old or the new version of the database",
    arguments: TestLength.isLong ? Array(1..<StoreSchema.current.version) : [1])
  func migration(version: Int) async throws {
    try await CrashRecording("migration from \(version)", players: ["p"]) { path in
      let connection = try DatabaseFile(path: path).connect()
      defer { connection.close() }
      try connection.execute("PRAGMA journal_mode = WAL")
      try StoreSchema(steps: Array(StoreSchema.current.steps.prefix(version))).migrate(connection, from: 0)
      try connection.execute(
        """
        INSERT INTO overrides (game, player, key, window, is_open, value, author_uid, author_name, at_ms, revision)
          VALUES ('wheresthedot', '', 'arcade_time_limit_base', '', 0, '3.5', 1, 'ada', 5000, 3);
        INSERT INTO game_revisions (game, revision) VALUES ('wheresthedot', 3);
        INSERT INTO player_revisions (game, player, revision) VALUES ('wheresthedot', 'p', 7);
        INSERT INTO numbers (name, number) VALUES ('player_revision_max', 7);
        """)
    }.check { daemon, acknowledged in
      let value = try acknowledged { try daemon.ask("GET", "/v1/games/wheresthedot/config/arcade_time_limit_base") }
      #expect(value.json["value"] == 3.5)
    }
  }

  @Test("a power loss during a restore leaves the old or the restored database")
  func restore() async throws {
    try await CrashRecording("backup and restore").check { daemon, acknowledged in
      let player = TestPlayer(daemon: daemon)
      for score in 1...4 { _ = try acknowledged { try player.event(score: .integer(Int64(score))) } }
      let backup = daemon.folder.path + "/backup.db"
      #expect(try daemon.control("store", "backup", backup).status == 0)
      for value in [3.0, 3.5] { _ = try acknowledged { try daemon.put("arcade_time_limit_base", .double(value), game: "wheresthedot") } }
      let restored = try daemon.control("store", "restore", backup, "--yes")
      #expect(restored.status == 0, "\(restored.output) \(restored.errors)")
      // The restore is acknowledged: from here on the restored data is the minimum, and the audit log continues from it.
      _ = try acknowledged { try daemon.ask("GET", "/v1/games/wheresthedot/config/arcade_time_limit_base") }
      _ = try acknowledged { try daemon.put("arcade_time_limit_base", 4.0, game: "wheresthedot") }
    }
  }
}
