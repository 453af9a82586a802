// Positions of requests in a client's queue: headers, answers, refusals.

import GameConfCore
import Testing

@Suite("Positions of requests in clients' queues")
struct SequenceTests {
  private static let client = "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d"

  private func sequence(_ number: Value, client: String = client) -> (String, Value) {
    ("sequence", ["client": .string(client), "number": number])
  }

  @Test("a repeated event is recognized by its sequence number, in the body or the header, also with If-Match")
  func event() throws {
    let player = TestPlayer(daemon: try RunningDaemon())
    let first = try player.event(more: [sequence(1)], headers: ["If-Match": "\"0\""])
    let again = try player.event(more: [sequence(1)], headers: ["If-Match": "\"0\""])
    let header = try player.event(headers: ["Gameconf-Sequence": Self.client + "/1"])
    #expect(first.status == 200 && first.headers["gameconf-repeated"] == nil)
    for repeated in [again, header] {
      #expect(repeated.status == 200 && repeated.text == first.text && repeated.headers["gameconf-repeated"] == "true")
    }
    #expect(try player.event(score: 2, more: [sequence(1)]).code == "ID_REUSED")
    #expect(try player.event(id: "e", more: [sequence(2)]).code == "TWO_IDS")
    #expect(try player.event(more: [sequence(2)], headers: ["Idempotency-Key": "k"]).code == "TWO_IDS")
    #expect(try player.event(more: [sequence(0)]).pointer == "/sequence")
    #expect(try player.event(more: [sequence(1, client: "me")]).code == "MALFORMED_REQUEST")
    #expect(try player.event(headers: ["Gameconf-Sequence": "me/1"]).code == "MALFORMED_HEADER")
    #expect(try player.page()["scores"]?["lifetime_score"] == 1)
  }

  @Test("any change of a player with a sequence number is made once; its repeat gets the same answer, also after a restart")
  func writes() throws {
    let player = TestPlayer(daemon: try RunningDaemon())
    func headers(_ number: Int) -> [String: String] { ["Gameconf-Sequence": "\(Self.client)/\(number)"] }
    let visit = try player.daemon.ask("POST", player.path + "/visits", headers: headers(1))
    let choice = try player.choose("selected_theme", "neon", headers: headers(2))
    #expect(visit.status == 200 && choice.status == 200)
    try player.daemon.restart()
    let visitAgain = try player.daemon.ask("POST", player.path + "/visits", headers: headers(1))
    let choiceAgain = try player.choose("selected_theme", "neon", headers: headers(2))
    #expect(visitAgain.text == visit.text && visitAgain.headers["gameconf-repeated"] == "true")
    #expect(choiceAgain.text == choice.text)
    #expect(try player.daemon.ask("POST", player.path + "/visits", headers: headers(2)).code == "ID_REUSED")
    #expect(try player.page()["visits"]?["count"] == 1)
  }

  @Test("a list of events has an answer for each, and is refused as a whole if it is malformed")
  func list() throws {
    let player = TestPlayer(daemon: try RunningDaemon())
    func event(_ number: Int64, mode: Value = "classic", more: [(String, Value)] = []) -> Value {
      .object(ObjectValue([("event", "game_over"), ("mode", mode), ("score", 1), sequence(.integer(number))] + more))
    }
    func send(_ body: Value, headers: [String: String] = [:]) throws -> RawConnection.Answer {
      try player.daemon.ask("POST", player.path + "/events", body: body, headers: headers)
    }
    let answer = try send([event(1), event(2, mode: "nowhere"), event(1), event(3)])
    let answers = answer.json.listValue ?? []
    #expect(answer.status == 200 && answers.map { $0["number"] } == [1, 2, 1, 3])
    #expect(answers.map { $0["status"] } == [200, 422, 200, 200] && answers.map { $0["repeated"] } == [nil, nil, true, nil])
    #expect(answers[1]["problem"]?["code"] == "UNKNOWN_MODE" && answers[1]["problem"]?["pointer"] == "/1/mode")
    #expect(answers[0]["answer"] == answers[2]["answer"] && answers[3]["answer"]?["scores"]?["lifetime_score"] == 2)
    #expect(try send([event(4), ["event": "game_over"]]).pointer == "/1")
    #expect(try send([event(4, more: [("event_id", "e")])]).pointer == "/0")
    #expect(try send([]).code == "MALFORMED_REQUEST")
    #expect(try send(.list((1...257).map { event($0) })).code == "MALFORMED_REQUEST")
    #expect(try send([event(4)], headers: ["If-Match": "\"1\""]).code == "MALFORMED_HEADER")
    #expect(try send([event(4)], headers: ["Idempotency-Key": "k"]).code == "TWO_IDS")
    #expect(try player.page()["scores"]?["lifetime_score"] == 2)
    #expect(try send(.list((4...259).map { event($0) })).json.listValue?.count == 256)
    #expect(try player.page()["scores"]?["lifetime_score"] == 258)
  }

  @Test("a list of events stops at the first event beyond the rate limit")
  func rates() throws {
    let player = TestPlayer(daemon: try RunningDaemon(arguments: ["--player-writes-per-second", "5"]))
    let list = Value.list(
      (1...40).map { .object(ObjectValue([("event", "game_over"), ("mode", "classic"), ("score", 1), sequence(.integer($0))])) })
    let answer = try player.daemon.ask("POST", player.path + "/events", body: list)
    let codes = answer.json.listValue?.map { $0["problem"]?["code"]?.stringValue } ?? []
    #expect(answer.status == 200 && answer.headers["retry-after"] != nil && codes.count == 40)
    let tried = codes.prefix { $0 == nil }.count
    #expect(tried >= 5 && tried < 40 && codes[tried] == "RATE_LIMITED")
    #expect(codes.dropFirst(tried + 1).allSatisfy { $0 == "NOT_TRIED" })
    #expect(try player.page()["scores"]?["lifetime_score"] == .integer(Int64(tried)))
  }

  @Test("a client whose queue was dropped for the queues of eight newer clients gets an error")
  func forgotten() throws {
    let player = TestPlayer(daemon: try RunningDaemon())
    for client in 1...9 { _ = try player.event(more: [sequence(1, client: "0198c5c8-6f2a-7cc1-8a3e-00000000000\(client)")]) }
    let refused = try player.event(more: [sequence(2, client: "0198c5c8-6f2a-7cc1-8a3e-000000000001")])
    #expect(refused.status == 409 && refused.code == "CLIENT_FORGOTTEN")
    #expect(try player.page()["scores"]?["lifetime_score"] == 9)
  }
}
