// Loss of power under a running daemon: in every state that a disk may be left in, nothing acknowledged is lost and nothing is doubled.

import GameConfCore
import Glibc
import TestSupport
import Testing

@testable import GameConfStorage

@Suite("States of a disk after a loss of power", .enabled(if: TestStore.connection == nil))
struct CrashStateTests {
  private static let game = "wheresthedot"
  private static let client = "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d"
  /// The states of each workload: all of them, and half a second of each in `make test`.
  private static let places = TestLength.count(4, long: 6_000)

  /// Records a daemon with one game while a body asks it, then opens states of that.
  /// - Parameter body: its calls go through the function it is given, which marks what was acknowledged.
  private func states(
    players: [String] = ["p1"], over database: ((String) throws -> Void)? = nil,
    _ body: (RunningDaemon, (() throws -> RawConnection.Answer) throws -> RawConnection.Answer) throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    if let database {
      mkdir(folder.path + "/state", 0o750)
      try database(folder.path + "/state/gameconfd.db")
    }
    let before = DiskModel(of: folder.path + "/state")
    guard let library = try DiskLibrary.make(in: folder) else { return }
    let log = try DiskLog(folder, library: library)
    let catalog = try #require(TemporaryFolder.read(Built.tree + "/Defaults/\(Self.game).yaml"))
    let daemon = try RunningDaemon(
      catalogs: ["\(Self.game).yaml": String(decoding: catalog, as: UTF8.self)], folder: folder,
      environment: log.environment)
    try body(daemon) { ask in
      let answer = try ask()
      log.mark("\(answer.status)")
      return answer
    }
    daemon.stop()
    let records = try log.records()
    let began = ContinuousClock.now
    let opened = try await CrashStates(before: before, records: records, game: Self.game, players: players).open(
      places: Self.places, seed: 1)
    let milliseconds = (ContinuousClock.now - began) / .milliseconds(1)
    print("crash states: \(opened) of \(records.count) records, \(milliseconds / Double(opened)) ms each")
  }

  @Test("events with sequences, over a kill and a restart")
  func events() async throws {
    try await states { daemon, acknowledged in
      let player = AskedPlayer(daemon: daemon)
      for number in 1...30 {
        let sequence: (String, Value) = ("sequence", ["client": .string(Self.client), "number": .integer(Int64(number))])
        let answer = try acknowledged { try player.event(score: .integer(Int64(number)), more: [sequence]) }
        try #require(answer.status == 200, "\(answer.text)")
        if number == 10 || number == 20 { try daemon.restart(killing: number == 10) }
      }
    }
  }

  @Test("an admin's work: overrides with windows, imports, clears, reverts, templates, a clock")
  func admin() async throws {
    try await states(players: ["p1", "p2"]) { daemon, acknowledged in
      var (work, statuses) = (AdminWork(seed: 18), Set<Int>())
      for number in 0..<60 {
        let call = work.call(day: 60 + number / 20)
        statuses.insert(try acknowledged { try daemon.ask(call.method, call.target, body: call.body, admin: true) }.status)
        if number == 30 { try daemon.restart(killing: true) }
      }
      #expect(statuses.contains(200) && !statuses.contains { $0 >= 500 }, "\(statuses)")
    }
  }

  @Test("a player's visits, plays with values pinned, settings, purchases and ads, and a player who is forgotten")
  func player() async throws {
    try await states(players: ["p1", "p2"]) { daemon, acknowledged in
      for name in ["p1", "p2", "p1"] {
        let player = AskedPlayer(daemon: daemon, player: name)
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

  @Test("a database of an earlier version is brought up to date", arguments: TestLength.isLong ? Array(1..<Schema.current.version) : [1])
  func migration(version: Int) async throws {
    try await states(players: ["p"]) { path in
      let connection = try DatabaseFile(path: path).connect()
      defer { connection.close() }
      try connection.execute("PRAGMA journal_mode = WAL")
      try Schema(steps: Array(Schema.current.steps.prefix(version))).migrate(connection, from: 0)
      try connection.execute(
        """
        INSERT INTO overrides (game, player, key, window, is_open, value, author_uid, author_name, at_ms, revision)
          VALUES ('\(Self.game)', '', 'arcade_time_limit_base', '', 0, '3.5', 1, 'ada', 5000, 3);
        INSERT INTO game_revisions (game, revision) VALUES ('\(Self.game)', 3);
        INSERT INTO player_revisions (game, player, revision) VALUES ('\(Self.game)', 'p', 7);
        INSERT INTO numbers (name, number) VALUES ('player_revision_max', 7);
        """)
    } _: { daemon, acknowledged in
      let value = try acknowledged { try daemon.ask("GET", "/v1/games/\(Self.game)/config/arcade_time_limit_base") }
      #expect(value.json["value"] == 3.5)
    }
  }

  @Test("a backup is restored while the daemon runs")
  func restore() async throws {
    try await states { daemon, acknowledged in
      let player = AskedPlayer(daemon: daemon)
      for score in 1...4 { _ = try acknowledged { try player.event(score: .integer(Int64(score))) } }
      let backup = daemon.folder.path + "/backup.db"
      #expect(try daemon.control("store", "backup", backup).status == 0)
      for value in [3.0, 3.5] { _ = try acknowledged { try daemon.put("arcade_time_limit_base", .double(value), game: Self.game) } }
      let restored = try daemon.control("store", "restore", backup, "--yes")
      #expect(restored.status == 0, "\(restored.output) \(restored.errors)")
      _ = try acknowledged { try daemon.put("arcade_time_limit_base", 4.0, game: Self.game) }
    }
  }
}
