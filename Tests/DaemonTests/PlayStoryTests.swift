// Games of Darts as the app plays them: pauses, results with the settings of their play, over kills, moves and restores.

import GameConfCore
import Glibc
import Testing

@testable import GameConfStorage

@Suite("Games of Darts", .serialized)
struct PlayStoryTests {
  private static let client = "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d"
  private static let game = "dartsscore"

  private func darts(_ daemon: RunningDaemon, _ player: String = "p1") -> TestPlayer {
    TestPlayer(daemon: daemon, game: Self.game, player: player)
  }

  private func open(_ player: TestPlayer) throws -> String {
    try #require(try player.daemon.ask("POST", player.path + "/plays").json["play"]?.stringValue)
  }

  private static func answer(right: Bool, points: Int64) -> Value {
    [
      "target": 10, "answer": right ? 10 : 40, "right": .bool(right), "ms": 3_000, "points": .integer(points), "options": [10, 40, 20],
      "darts": [["sector": 10, "times": 1, "points": 10]],
    ]
  }

  /// Sends the result of a game of Darts.
  /// - Parameter right: For each attempt, true if the answer was right, which scores ten points.
  private func over(_ player: TestPlayer, right: [Bool], _ more: [(String, Value)] = []) throws -> RawConnection.Answer {
    let count = Int64(right.filter { $0 }.count)
    let details: Value = [
      "attempts": .integer(Int64(right.count)), "right": .integer(count), "wrong": .integer(Int64(right.count) - count), "missed": 0,
      "seconds": 15.5, "answers": .list(right.map { Self.answer(right: $0, points: $0 ? 10 : 0) }),
    ]
    return try player.event("game_over", mode: nil, score: .integer(count * 10), reason: nil, more: [("details", details)] + more)
  }

  private func history(_ player: TestPlayer) throws -> [Value] {
    try player.daemon.read(at: player.path + "/events?event=game_over&sort=score")["events"]?.listValue ?? []
  }

  private func slide(_ player: TestPlayer, times: Int) throws {
    for step in 0..<times {
      let set = try player.choose("sound_tap_volume", .double(Double(step % 100) / 100))
      try #require(set.status < 300, "\(set.text)")
    }
  }

  private func choose(_ player: TestPlayer, attempts: Int64, milliseconds: Int64) throws {
    #expect(try player.choose("attempts", .integer(attempts)).status == 200)
    #expect(try player.choose("time_for_answer_ms", .integer(milliseconds)).status == 200)
  }

  @Test("changes of settings do not push games out of a play history whose length the catalog sets")
  func settingsPushNothingOut() throws {
    let daemon = try RunningDaemon()
    let player = darts(daemon)
    let first = try over(player, right: [true, true, false, true, false], [("event_id", "g1")])
    #expect(first.status == 200, "\(first.text)")
    try slide(player, times: 205)
    for isKilled in [false, true] {
      if isKilled { try daemon.restart(killing: true) }
      #expect(try history(player).map { $0["details"]?["score"] } == [30])
      let again = try over(player, right: [true, true, false, true, false], [("event_id", "g1")])
      #expect(again.status == 200 && again.headers["gameconf-repeated"] == "true" && again.text == first.text, "\(again.text)")
      #expect(try over(player, right: [false, true, false, true, false], [("event_id", "g1")]).code == "ID_REUSED")
    }
    for right in [[true, true, true, true, true], [false, false, false, false, true]] {
      #expect(try over(player, right: right).status == 200)
    }
    #expect(try history(player).map { $0["details"]?["score"] } == [50, 30, 10])
    #expect(try daemon.control("config", "set", Self.game, "history_max", "1").status == 0)
    #expect(try history(player).map { $0["details"]?["score"] } == [10], "the newest game, and the best of those that are kept")
    #expect(try daemon.control("config", "set", Self.game, "history_max", "500").status == 0)
    for _ in 0..<250 { #expect(try over(player, right: [true, false, false, false, false]).status == 200) }
    #expect(try daemon.read(at: player.path + "/events?event=game_over&limit=1000")["events"]?.listValue?.count == 253)
    #expect(try player.page()["scores"]?["games_played"] == 253)
  }

  @Test("a play of Darts continues over changed settings, a pause and a kill, and the history has each game's settings")
  func story() throws {
    let daemon = try RunningDaemon()
    let player = darts(daemon)
    // The player makes the choices of the settings screen and begins the first game.
    try choose(player, attempts: 5, milliseconds: 20_000)
    let first = try open(player)
    let statePath = player.path + "/plays/\(first)/state"
    // The player makes two attempts, then returns to the settings screen. The new settings apply from the next game on.
    let paused: Value = [
      "attempt": 3, "score": 10, "answers": [Self.answer(right: true, points: 10), Self.answer(right: false, points: 0)],
    ]
    #expect(try daemon.ask("PUT", statePath, body: ["state": paused]).status == 200)
    try choose(player, attempts: 10, milliseconds: 30_000)
    try slide(player, times: 500)
    try daemon.restart(killing: true)
    // "Continue" in the app reads the stored state, and the values with which the game began.
    let shown = try daemon.read(at: player.path + "/plays/\(first)")
    #expect(shown["state"] == paused && shown["open"] == true)
    let values = try daemon.read(at: "/v1/games/\(Self.game)/config?player=p1&play=\(first)&keys=attempts,time_for_answer_ms")["values"]
    #expect(values?["attempts"] == 5 && values?["time_for_answer_ms"] == 20_000)
    let wrong = try over(player, right: Array(repeating: true, count: 10), [("play", .string(first))])
    #expect(wrong.status == 422 && wrong.text.contains("attempts_are_the_games"), "\(wrong.text)")
    let result = try over(player, right: [true, false, true, true, false], [("play", .string(first)), ("close", true)])
    #expect(result.status == 200, "\(result.text)")
    // "Start over" in the app begins the next game, which has the new settings.
    let second = try open(player)
    let all = [true, true, false, true, true, true, true, false, true, true]
    #expect(try over(player, right: all, [("play", .string(second)), ("close", true)]).status == 200)
    try daemon.restart(killing: true)
    let games = try history(player)
    #expect(games.map { $0["details"]?["score"] } == [80, 30])
    for (game, (attempts, milliseconds)) in zip(games, [(10, 30_000), (5, 20_000)] as [(Int64, Int64)]) {
      let play = try #require(game["details"]?["play"]?.stringValue)
      let path = "/v1/games/\(Self.game)/config?player=p1&play=\(play)&keys=attempts,time_for_answer_ms"
      let values = try daemon.read(at: path)["values"]
      #expect(values?["attempts"] == .integer(attempts) && values?["time_for_answer_ms"] == .integer(milliseconds))
      let answers = game["details"]?["details"]?["answers"]?.listValue
      #expect(answers?.count == Int(attempts) && answers?.first?["darts"] == [["sector": 10, "times": 1, "points": 10]])
    }
  }

  @Test(
    "a kill between a play's result, state and end loses and doubles nothing after the game sends them again", arguments: 0...3)
  func killedBetween(steps: Int) throws {
    let daemon = try RunningDaemon()
    let player = darts(daemon)
    let play = try open(player)
    let sequence: Value = ["client": .string(Self.client), "number": 1]
    let calls: [() throws -> RawConnection.Answer] = [
      {
        try over(
          player, right: [true, true, true, false, false, true, true, true, true, true], [("play", .string(play)), ("sequence", sequence)])
      },
      { try daemon.ask("PUT", player.path + "/plays/\(play)/state", body: ["state": ["over": true]]) },
      { try daemon.ask("POST", player.path + "/plays/\(play)/close", headers: ["Gameconf-Sequence": Self.client + "/2"]) },
    ]
    for call in calls.prefix(steps) { #expect(try call().status == 200) }
    try daemon.restart(killing: true)
    // The game does not know which calls succeeded, so it sends all of them again.
    for call in calls {
      let answer = try call()
      #expect(answer.status == 200, "\(answer.text)")
    }
    try daemon.restart(killing: true)
    let shown = try daemon.read(at: player.path + "/plays/\(play)")
    #expect(shown["open"] == false && shown["state"] == ["over": true])
    #expect(try player.page()["scores"]?["games_played"] == 1)
    #expect(try history(player).count == 1)
  }

  @Test("results that reach a closed play three days late, over a kill of the daemon, count once")
  func lateQueue() throws {
    let daemon = try RunningDaemon()
    let player = darts(daemon)
    let play = try open(player)
    #expect(try daemon.ask("POST", player.path + "/plays/\(play)/close").status == 200)
    let closedAt = try #require(try daemon.read(at: player.path + "/plays/\(play)")["closed_at"]?.stringValue)
    let late = try #require(Instant(parsing: closedAt).adding(milliseconds: -3 * 86_400_000))
    func event(_ number: Int64) -> Value {
      let details: Value = [
        "attempts": 10, "right": .integer(number), "wrong": .integer(10 - number), "missed": 0, "seconds": 1.5,
        "answers": .list((0..<10).map { Self.answer(right: $0 < number, points: $0 < number ? 10 : 0) }),
      ]
      return [
        "event": "game_over", "score": .integer(number * 10), "details": details, "play": .string(play),
        "occurred_at": .string(late.text), "state": ["n": .integer(number)], "close": true,
        "sequence": ["client": .string(Self.client), "number": .integer(number)],
      ]
    }
    #expect(try daemon.ask("POST", player.path + "/events", body: event(1)).status == 200)
    let list = Value.list((1...5).map(event))
    let body = JSONWriter.text(list)
    let connection = try RawConnection(daemon.gamesSocket)
    let head = "POST \(player.path)/events HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)"
    #expect(connection.send(head + "\r\n\r\n" + body))
    try daemon.restart(killing: true)
    for _ in 0..<2 {
      let answer = try daemon.ask("POST", player.path + "/events", body: list)
      #expect(answer.json.listValue?.map { $0["status"] } == [200, 200, 200, 200, 200], "\(answer.text)")
    }
    #expect(try history(player).map { $0["details"]?["score"] } == [50, 40, 30, 20, 10])
    #expect(try player.page()["scores"]?["lifetime_score"] == 150)
    let shown = try daemon.read(at: player.path + "/plays/\(play)")
    #expect(shown["closed_at"] == .string(closedAt) && shown["state"] == nil, "a closed play stays as it ended")
  }

  @Test("an event is refused and not recorded if its play is unknown or the play's new state is too large")
  func refused() throws {
    let daemon = try RunningDaemon()
    let (player, other) = (darts(daemon), darts(daemon, "p2"))
    let play = try open(player)
    let right = Array(repeating: true, count: 10)
    let large = try over(player, right: right, [("play", .string(play)), ("state", .string(String(repeating: "x", count: 4_095)))])
    #expect(large.status == 422 && large.code == "VALUE_TOO_LARGE" && large.pointer == "/state", "\(large.text)")
    #expect(try over(other, right: right, [("play", .string(play)), ("state", 1)]).code == "UNKNOWN_PLAY")
    #expect(try over(player, right: right, [("play", "none"), ("state", 1)]).code == "UNKNOWN_PLAY")
    #expect(try player.page()["scores"]?["games_played"] == 0)
    #expect(try daemon.read(at: player.path + "/plays/\(play)")["state"] == nil)
    let control = try daemon.control("ads", "event", Self.game, "p1", "game_over", "--state", "{}")
    #expect(control.status == 2 && control.errors.contains("--play"), "\(control.errors)")
  }

  /// The bytes that the database counts for plays, by owner and by user, and those of the plays' states.
  private struct PlayByteCounts: Equatable {
    var owners: Int64?
    var users: Int64?
    var states: Int64?
  }

  private func charges(_ daemon: RunningDaemon) throws -> PlayByteCounts {
    let database = try DatabaseFile(path: daemon.folder.path + "/state/gameconfd.db").connectReading()
    defer { database.close() }
    let taken = try database.integer("SELECT coalesce(sum(length(CAST(state AS BLOB))), 0) FROM plays")
    #expect(try database.integer("SELECT sum(state_bytes) FROM plays") == taken)
    return PlayByteCounts(
      owners: try database.integer("SELECT sum(bytes) FROM play_owners"), users: try database.integer("SELECT sum(bytes) FROM play_users"),
      states: taken)
  }

  @Test("a backup contains plays' states, and a restore counts their bytes again", .enabled(if: TestStore.connection == nil))
  func restored() throws {
    let daemon = try RunningDaemon()
    let player = darts(daemon)
    let play = try open(player)
    func store(_ length: Int) throws {
      let state: Value = ["text": .string(String(repeating: "x", count: length))]
      #expect(try daemon.ask("PUT", player.path + "/plays/\(play)/state", body: ["state": state]).status == 200)
    }
    let bare = try charges(daemon)
    try store(100)
    let before = try charges(daemon)
    #expect(before.states == 111 && before.owners == (bare.owners ?? 0) + 111 && before.users == (bare.users ?? 0) + 111)
    let backup = daemon.folder.path + "/backup.db"
    #expect(try daemon.control("store", "backup", backup).status == 0)
    try store(3_000)
    #expect(try over(player, right: Array(repeating: true, count: 10), [("play", .string(play)), ("close", true)]).status == 200)
    #expect(try charges(daemon).states == 3_011)
    let restore = try daemon.control("store", "restore", backup, "--yes")
    #expect(restore.status == 0, "\(restore.errors)")
    for isKilled in [false, true] {
      if isKilled { try daemon.restart(killing: true) }
      #expect(try charges(daemon) == before)
      let shown = try daemon.read(at: player.path + "/plays/\(play)")
      #expect(shown["open"] == true && shown["state"]?["text"] == .string(String(repeating: "x", count: 100)))
      #expect(try history(player).isEmpty)
    }
    try store(40)
    let after = try charges(daemon)
    #expect(after.owners == (before.owners ?? 0) - 60 && after.users == (before.users ?? 0) - 60)
  }
}
