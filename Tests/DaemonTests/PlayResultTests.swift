// Results of plays: recorded with the play's values, its state and its end in one transaction; late, repeated, and over kills.

import GameConfCore
import Glibc
import Testing

@Suite("Results of plays", .serialized)
struct PlayResultTests {
  private static let client = "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d"
  private static let game = "remembersquare"

  private func open(_ player: TestPlayer) throws -> String {
    try #require(try player.daemon.ask("POST", player.path + "/plays").json["play"]?.stringValue)
  }

  private func round(_ player: TestPlayer, _ play: String, _ score: Value, _ more: [(String, Value)] = []) throws -> RawConnection.Answer {
    try player.event("round_over", mode: nil, score: score, reason: nil, more: [("play", .string(play))] + more)
  }

  private func rows(_ daemon: RunningDaemon, per: Int) throws -> Value? {
    try daemon.ask("GET", "/v1/games/\(Self.game)/leaderboards/rounds?per=\(per),4,normal").json["rows"]?.listValue?.first?["score"]
  }

  @Test("a play's result uses the play's settings and stores its state and end, also months later")
  func result() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: Self.game)
    _ = try daemon.put("leaderboard_enabled", true, game: Self.game)
    _ = try player.choose("order_length", 8)
    let play = try open(player)
    _ = try player.choose("order_length", 12)
    let state: Value = ["over": true]
    let result = try round(player, play, 8, [("state", state), ("close", true), ("event_id", "r1")])
    #expect(result.status == 200, "\(result.text)")
    for restart in [false, true] {
      if restart { try daemon.restart(killing: true) }
      #expect(try rows(daemon, per: 8) == 8)
      #expect(try rows(daemon, per: 12) == nil)
      let shown = try daemon.ask("GET", player.path + "/plays/\(play)").json
      #expect(shown["open"] == false && shown["state"] == state)
      let repeated = try round(player, play, 8, [("state", state), ("close", true), ("event_id", "r1")])
      #expect(repeated.headers["gameconf-repeated"] == "true")
    }
    let line = try daemon.ask("GET", player.path + "/events?event=round_over").json["events"]?.listValue?.first?["details"]
    #expect(line?["play"] == .string(play) && line?["closed_play"] == true)
    let late = try round(player, play, 9, [("occurred_at", "2026-01-01T00:00:00Z"), ("state", ["over": false])])
    #expect(late.status == 200 && late.json["occurred_at"] == "2026-01-01T00:00:00Z", "\(late.text)")
    let closedAt = try #require(try daemon.ask("GET", player.path + "/plays/\(play)").json["closed_at"])
    #expect(try round(player, play, 1).json["occurred_at"] == closedAt, "dated to the play's end at the latest")
    #expect(try rows(daemon, per: 8) == 9)
    #expect(try daemon.ask("GET", player.path + "/plays/\(play)").json["state"] == state, "a closed play keeps the state it ended with")
    let outside = try player.event("round_over", mode: nil, score: 3, reason: nil, more: [("occurred_at", "2026-01-01T00:00:00Z")])
    #expect(outside.code == "OCCURRED_TOO_EARLY")
  }

  @Test("a list of events may end plays in order, and an event of an unknown play is the only one refused")
  func list() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: Self.game)
    let play = try open(player)
    func event(_ number: Int64, _ play: String, _ more: [(String, Value)] = []) -> Value {
      let sequence: Value = ["client": .string(Self.client), "number": .integer(number)]
      return .object(ObjectValue([("event", "round_over"), ("score", 1), ("play", .string(play)), ("sequence", sequence)] + more))
    }
    let list: Value = .list([
      event(1, play, [("state", 1)]), event(2, "another"), event(3, play, [("state", 2), ("close", true)]), event(4, play, [("state", 3)]),
    ])
    let answer = try daemon.ask("POST", player.path + "/events", body: list)
    #expect(answer.json.listValue?.map { $0["status"] } == [200, 404, 200, 200], "\(answer.text)")
    let shown = try daemon.ask("GET", player.path + "/plays/\(play)").json
    #expect(shown["open"] == false && shown["state"] == 2)
    #expect(try player.page()["scores"]?["games_played"] == 3)
  }

  @Test("a pause of a game stores an open play's state under its state tag, and raises no revision")
  func pause() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: Self.game)
    let play = try open(player)
    let path = player.path + "/plays/\(play)/state"
    func put(_ state: Value, if tag: String? = nil) throws -> RawConnection.Answer {
      try daemon.ask("PUT", path, body: ["state": state], headers: tag.map { ["If-Match": "\"\($0)\""] } ?? [:])
    }
    let before = try player.page()["player_revision"]
    let first = try put(["attempt": 1], if: "")
    let tag = try #require(first.json["state_tag"]?.stringValue)
    #expect(try put(["attempt": 2], if: "").code == "STATE_CHANGED")
    #expect(try put(["attempt": 2], if: tag).status == 200)
    #expect(try put(["attempt": 2], if: tag).status == 412, "the tag is stale, also for the state that is stored")
    #expect(try put(["attempt": 3], if: tag).status == 412)
    let large = try put(.string(String(repeating: "x", count: 4_095)))
    #expect(large.status == 422 && large.code == "VALUE_TOO_LARGE" && large.pointer == "/state", "\(large.text)")
    #expect(try put(.string(String(repeating: "x", count: 4_094))).status == 200)
    let other = TestPlayer(daemon: daemon, game: Self.game, player: "p2")
    #expect(try daemon.ask("PUT", other.path + "/plays/\(play)/state", body: ["state": 1]).code == "UNKNOWN_PLAY")
    #expect(try round(other, play, 1).code == "UNKNOWN_PLAY")
    #expect(try player.page()["player_revision"] == before)
    #expect(try daemon.ask("POST", player.path + "/plays/\(play)/close").status == 200)
    #expect(try put(["attempt": 4]).code == "PLAY_CLOSED")
    let lone = try player.event("round_over", mode: nil, reason: nil, more: [("close", true)])
    #expect(lone.status == 400 && lone.pointer == "/play")
  }

  @Test("a kill of the daemon during a play's result leaves its score, state and end together or not at all")
  func kill() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: Self.game)
    for number in 1...3 {
      let play = try open(player)
      let sequence: Value = ["client": .string(Self.client), "number": .integer(Int64(number))]
      let more: [(String, Value)] = [("state", ["number": .integer(Int64(number))]), ("close", true), ("sequence", sequence)]
      let body = JSONWriter.text(.object(ObjectValue([("event", "round_over"), ("score", 1), ("play", .string(play))] + more)))
      let connection = try RawConnection(daemon.gamesSocket)
      let head = "POST \(player.path)/events HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)"
      #expect(connection.send(head + "\r\n\r\n" + body))
      try daemon.restart(killing: true)
      let played = try player.page()["scores"]?["games_played"]?.integerValue ?? 0
      let shown = try daemon.ask("GET", player.path + "/plays/\(play)").json
      #expect((shown["open"] == false) == (played == number) && (shown["state"] != nil) == (played == number))
      #expect(try round(player, play, 1, more).status == 200)
      #expect(try player.page()["scores"]?["games_played"] == .integer(Int64(number)))
      #expect(try daemon.ask("GET", player.path + "/plays/\(play)").json["state"] == ["number": .integer(Int64(number))])
    }
  }
}
