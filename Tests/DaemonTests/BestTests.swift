// Bests and leaderboards over the socket.

import GameConfCore
import Testing

@testable import GameConfStorage

@Suite("Best scores and leaderboards", .serialized)
struct BestTests {
  /// Reports a solved puzzle with the number of mistakes that gives this score.
  private func solve(_ player: TestPlayer, _ puzzle: String, _ score: Int64) throws -> RawConnection.Answer {
    let mistakes = max(0, (30 - score) / 5 * 2 - 1)
    return try player.event(
      "puzzle_solved", mode: "\(puzzle.prefix(1))x\(puzzle.prefix(1))", score: .integer(score), reason: nil,
      more: [("details", ["puzzle": .string(puzzle), "mistakes": .integer(mistakes)])])
  }

  private func bests(_ player: TestPlayer, _ query: String = "") throws -> [String] {
    let list = try player.daemon.ask("GET", player.path + "/bests" + query).json["bests"]?.listValue ?? []
    return list.map { "\($0["detail"]?.stringValue ?? "-") \($0["score"]?.integerValue ?? -1)" }
  }

  @Test("kidsdoku2: a puzzle solved twice keeps its better stars over a kill, and the best results of one size can be reset")
  func stars() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: "kidsdoku2")
    #expect(try solve(player, "4-Easy-1", 30).json["best"] == ["detail": "4-Easy-1", "score": 30, "is_best": true])
    #expect(try solve(player, "4-Easy-1", 15).json["best"] == ["detail": "4-Easy-1", "score": 30, "is_best": false])
    #expect(try solve(player, "4-Hard-3", 20).status == 200)
    _ = try solve(player, "6-Normal-3", 25)
    #expect(try bests(player) == ["4-Easy-1 30", "4-Hard-3 20", "6-Normal-3 25"])
    #expect(try bests(player, "?prefix=4-") == ["4-Easy-1 30", "4-Hard-3 20"])
    #expect(try bests(player, "?event=screen_view") == [])
    try daemon.restart(killing: true)
    #expect(try bests(player) == ["4-Easy-1 30", "4-Hard-3 20", "6-Normal-3 25"])
    #expect(try solve(player, "4-Easy-1", 25).json["best"]?["is_best"] == false)
    let dry = try daemon.ask("DELETE", player.path + "/bests?prefix=4-&dry_run=true")
    #expect(dry.status == 200 && dry.json["removed"] == 2)
    #expect(try daemon.ask("DELETE", player.path + "/bests?prefix=4-").status == 204)
    #expect(try daemon.ask("DELETE", player.path + "/bests?prefix=4-").status == 204)
    #expect(try bests(player) == ["6-Normal-3 25"])
    #expect(try daemon.ask("DELETE", player.path + "/bests").status == 204)
    #expect(try bests(player) == [])
    #expect(try solve(player, "4-Easy-1", 5).json["best"]?["is_best"] == true)
  }

  @Test(
    "event details that are missing, too many, too large or of a wrong type are refused and change nothing",
    arguments: [
      (#"{"event":"puzzle_solved","mode":"4x4","score":30}"#, 422, "DETAIL_MISSING", "/details"),
      (#"{"event":"puzzle_solved","mode":"4x4","score":30,"details":{"puzzle":"4-Easy-1"}}"#, 422, "DETAIL_MISSING", "/details"),
      (#"{"event":"puzzle_solved","mode":"4x4","details":{"puzzle":4,"mistakes":0}}"#, 422, "TYPE_MISMATCH", "/details/puzzle"),
      (#"{"event":"puzzle_solved","mode":"4x4","details":{"puzzle":"5-Easy-1","mistakes":0}}"#, 422, "PATTERN_MISMATCH", "/details/puzzle"),
      (
        #"{"event":"puzzle_solved","mode":"4x4","details":{"puzzle":"4-Easy-1","mistakes":1000}}"#, 422, "OUT_OF_RANGE", "/details/mistakes"
      ),
      (
        #"{"event":"puzzle_solved","mode":"4x4","details":{"puzzle":"4-Easy-1","mistakes":0,"a/b":1}}"#, 422, "UNKNOWN_DETAIL",
        "/details/a~1b"
      ),
      (
        #"{"event":"puzzle_solved","mode":"4x4","score":30,"details":{"puzzle":"4-Easy-1","mistakes":11}}"#, 422, "CONSTRAINT_VIOLATED", ""
      ),
      (#"{"event":"puzzle_solved","mode":"4x4","details":[]}"#, 400, "MALFORMED_REQUEST", "/details"),
      (#"{"event":"screen_view","details":{"screen_name":"BIG"}}"#, 422, "EVENT_TOO_LARGE", "/details"),
      (#"{"event":"screen_view","details":{"screen_name":"x"},"context":{"a":"BIG"}}"#, 422, "EVENT_TOO_LARGE", "/details"),
      (
        #"{"event":"screen_view","details":{"screen_name":"\#(String(repeating: "x", count: 65))"}}"#, 422, "TOO_LONG",
        "/details/screen_name"
      ),
    ])
  func refused(body: String, status: Int, code: String, pointer: String) throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: "kidsdoku2")
    _ = try solve(player, "4-Easy-1", 20)
    let revision = try player.revision()
    let value = try JSONReader.value(from: Array(body.replacing("BIG", with: String(repeating: "y", count: 16 << 10)).utf8))
    let answer = try daemon.ask("POST", player.path + "/events", body: value)
    #expect(answer.status == status && answer.code == code && answer.pointer == pointer, "\(answer.text.prefix(400))")
    #expect(try player.revision() == revision)
    #expect(try bests(player) == ["4-Easy-1 20"])
  }

  @Test("wheresthedot: the modes classic and arcade have separate ranks, and a forgotten player has no rank")
  func boards() throws {
    let daemon = try RunningDaemon()
    func board(_ id: String, _ query: String = "") throws -> Value {
      try daemon.ask("GET", "/v1/games/wheresthedot/leaderboards/\(id)\(query)").json
    }
    func rows(_ board: Value) -> [String] {
      (board["rows"]?.listValue ?? []).map {
        "\($0["rank"]?.integerValue ?? 0) \($0["player"]?.stringValue ?? "") \($0["score"]?.integerValue ?? -1)"
      }
    }
    for (player, mode, score) in [
      ("ada", "classic", 12), ("bob", "classic", 30), ("eve", "classic", 30), ("ada", "arcade", 5), ("bob", "classic", 4),
      ("ada", "classic", 11),
      ("eve", "daily", 99),
    ] {
      #expect(try TestPlayer(daemon: daemon, player: player).event(mode: mode, score: .integer(Int64(score))).status == 200)
    }
    #expect(rows(try board("classic")) == ["1 bob 30", "2 eve 30", "3 ada 12"])
    #expect(rows(try board("arcade")) == ["1 ada 5"])
    #expect(rows(try board("classic", "?limit=1")) == ["1 bob 30"])
    #expect(try board("classic", "?player=ada")["standing"]?["rank"] == 3)
    #expect(try board("arcade", "?player=bob")["standing"] == nil)
    try daemon.restart(killing: true)
    #expect(try board("classic", "?player=eve")["standing"]?["rank"] == 2)
    #expect(try daemon.ask("DELETE", "/v1/games/wheresthedot/players/bob", admin: true).status == 204)
    #expect(rows(try board("classic", "?player=ada")) == ["1 eve 30", "2 ada 12"])
    #expect(try board("classic", "?player=ada")["standing"]?["rank"] == 2)
    let shown = try daemon.control("leaderboard", "show", "wheresthedot", "classic", "--player", "ada").output
    #expect(shown.hasSuffix("ada: rank 2, score 12\n"))
    let unknown = try daemon.ask("GET", "/v1/games/wheresthedot/leaderboards/clasic")
    #expect(unknown.status == 404 && unknown.code == "UNKNOWN_LEADERBOARD" && unknown.detail?.contains("classic") == true)
    #expect(try daemon.control("config", "set", "wheresthedot", "leaderboards_enabled", "false", "--reason", "x").status == 0)
    let off = try daemon.ask("GET", "/v1/games/wheresthedot/leaderboards/classic")
    #expect(off.status == 409 && off.code == "LEADERBOARD_OFF")
  }

  @Test("remembersquare: each order length, board and speed has its own list of ranks, and a player's settings select the list")
  func lists() throws {
    let daemon = try RunningDaemon()
    #expect(try daemon.control("config", "set", "remembersquare", "leaderboard_enabled", "true", "--reason", "x").status == 0)
    let (ada, bob) = (
      TestPlayer(daemon: daemon, game: "remembersquare", player: "ada"), TestPlayer(daemon: daemon, game: "remembersquare", player: "bob")
    )
    func play(_ player: TestPlayer, _ score: Value) throws {
      #expect(try player.event("round_over", mode: nil, score: score, reason: "success").status == 200)
    }
    try play(ada, 5)
    try play(bob, 9)
    #expect(try ada.choose("order_length", 8).status == 200)
    try play(ada, 3)
    func board(_ query: String) throws -> Value { try daemon.ask("GET", "/v1/games/remembersquare/leaderboards/rounds\(query)").json }
    func players(_ board: Value) -> [String] { (board["rows"]?.listValue ?? []).compactMap { $0["player"]?.stringValue } }
    #expect(try players(board("")) == ["bob", "ada"] && board("")["per"] == "6,4,normal")
    #expect(try players(board("?player=ada")) == ["ada"] && board("?player=ada")["per"] == "8,4,normal")
    #expect(try board("")["parameters"] == ["order_length", "grid_side", "speed_mode"])
    let six = try board("?player=ada&per=6,4,normal")
    #expect(players(six) == ["bob", "ada"] && six["standing"]?["rank"] == 2)
    #expect(try players(board("?per=7,4,normal")) == [])
    #expect(try daemon.control("config", "set", "remembersquare", "difficulty_modes_enabled=true", "grid_sizes_enabled=true").status == 0)
    #expect(try ada.choose("speed_mode", "hard").status == 200)
    try play(ada, 4)
    #expect(try players(board("?player=ada")) == ["ada"] && board("?player=ada")["per"] == "8,4,hard")
  }

  @Test("the rows of a leaderboard stay readable after its lists depend on more parameters")
  func earlierLists() throws {
    let daemon = try RunningDaemon()
    #expect(try daemon.control("config", "set", "remembersquare", "leaderboard_enabled", "true", "--reason", "x").status == 0)
    let ada = TestPlayer(daemon: daemon, game: "remembersquare", player: "ada")
    #expect(try ada.event("round_over", mode: nil, score: 5, reason: "success").status == 200)
    daemon.stop()
    let connection = try DatabaseFile(path: daemon.folder.path + "/state/gameconfd.db").connect()
    try connection.run("UPDATE boards SET per = '6' WHERE game = 'remembersquare' AND per = '6,4,normal'")
    #expect(connection.changesCount == 1)
    connection.close()
    try daemon.start()
    func rows(_ per: String) throws -> [Value] {
      try daemon.read(at: "/v1/games/remembersquare/leaderboards/rounds?player=ada&per=\(per)")["rows"]?.listValue ?? []
    }
    #expect(try rows("6").first?["score"] == 5 && rows("6,4,normal").isEmpty)
    #expect(try ada.event("round_over", mode: nil, score: 4, reason: "success").status == 200)
    #expect(try rows("6").first?["score"] == 5 && rows("6,4,normal").first?["score"] == 4)
  }

  @Test("an event beyond a game's 10 000 leaderboards is refused and changes nothing")
  func tooManyLists() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: "remembersquare")
    #expect(try player.choose("order_length", 8).status == 200)
    daemon.stop()
    let connection = try DatabaseFile(path: daemon.folder.path + "/state/gameconfd.db").connect()
    try connection.run(
      """
      INSERT INTO boards (game, board, per) WITH RECURSIVE counted(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM counted WHERE n < 9999)
      SELECT 'remembersquare', 'rounds', 'old ' || n FROM counted
      """)
    #expect(connection.changesCount == 9_999)
    connection.close()
    try daemon.start()
    func play(_ score: Value) throws -> RawConnection.Answer { try player.event("round_over", mode: nil, score: score, reason: "success") }
    #expect(try play(3).status == 200, "the ten-thousandth")
    #expect(try player.choose("order_length", 7).status == 200)
    let revision = try player.revision()
    let over = try play(4)
    #expect(over.status == 409 && over.code == "LIMIT_REACHED" && over.text.contains("rounds"), "\(over.text)")
    #expect(try player.revision() == revision)
    #expect(try player.choose("order_length", 8).status == 200)
    #expect(try play(9).status == 200, "a list that is there goes on")
  }

  @Test("adventure: passed levels are stored as best results, and deleting the player's best results removes them")
  func progress() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: "adventure")
    for (chapter, level) in [(1, 0), (1, 1), (2, 0), (1, 0)] as [(Int64, Int64)] {
      let answer = try player.event(
        "level_passed", mode: nil, score: nil, reason: nil, more: [("details", ["chapter": .integer(chapter), "level": .integer(level)])])
      #expect(answer.status == 200)
    }
    #expect(try bests(player) == ["1.0 -1", "1.1 -1", "2.0 -1"])
    #expect(try bests(player, "?prefix=1.") == ["1.0 -1", "1.1 -1"])
    #expect(try daemon.ask("DELETE", player.path + "/bests?event=level_passed").status == 204)
    #expect(try bests(player) == [])
  }

  @Test("dartsscore: the history of five games can be sorted by score, and shows the answers of each game")
  func statistics() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: "dartsscore")
    for score in [3, 9, 1, 7, 5] {
      let answers: Value = [
        ["target": 60, "answer": .integer(Int64(score)), "right": false, "ms": 1_200],
        ["target": 20, "answer": .null, "right": false, "ms": 15_000],
      ]
      let answer = try player.event(
        "game_over", mode: nil, score: .integer(Int64(score)), reason: nil,
        more: [("details", ["attempts": 2, "right": 0, "seconds": 16.2, "answers": answers])])
      #expect(answer.status == 200, "\(answer.text)")
    }
    let sorted = try daemon.ask("GET", player.path + "/events?event=game_over&sort=score&limit=3").json["events"]?.listValue ?? []
    #expect(sorted.map { $0["details"]?["score"] } == [9, 7, 5])
    #expect(sorted.first?["details"]?["details"]?["answers"]?.listValue?.first?["answer"] == 9)
    let newest = try daemon.ask("GET", player.path + "/events").json["events"]?.listValue ?? []
    #expect(newest.map { $0["details"]?["score"] } == [5, 7, 1, 9, 3])
    for (query, status) in [("?sort=best", 400), ("?limit=0", 400), ("?limit=1001", 400), ("?limit=1000", 200), ("?event=none", 200)] {
      #expect(try daemon.ask("GET", player.path + "/events" + query).status == status)
    }
  }
}
