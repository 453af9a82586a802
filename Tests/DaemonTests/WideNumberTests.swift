// Integers beyond 64 bits, as JavaScript writes them, and byte order marks.

import GameConfCore
import Testing

@Suite("Wide integers and byte order marks from other programs")
struct WideNumberTests {
  private static let client = "0198c5c8-6f2a-7cc1-8a3e-5d2f1b0c9e7d"

  private func send(_ daemon: RunningDaemon, _ method: String, _ target: String, _ body: String, admin: Bool = false) throws
    -> RawConnection.Answer
  {
    let connection = try RawConnection(admin ? daemon.adminSocket : daemon.gamesSocket)
    connection.send(
      "\(method) \(target) HTTP/1.1\r\nHost: x\r\nIf-Match: *\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        + body)
    return try #require(connection.answer())
  }

  @Test(
    "an integer beyond 64 bits in a caller's context becomes a double", .needs(.ofrep, .firebase),
    arguments: [
      ("/v1/games/ruled/config/limit", #"{"context": {"score": 18446744073709551616}}"#),
      ("/v1/games/ruled/config/limit", #"{"context": {"score": {"deep": [-9223372036854775809]}}}"#),
      ("/v1/games/ruled/ofrep/v1/evaluate/flags/limit", #"{"context": {"score": 100000000000000000000}}"#),
      ("/v1/projects/ruled/namespaces/firebase:fetch", #"{"custom_signals": {"score": 9223372036854775808}}"#),
      ("/v1/projects/ruled/namespaces/firebase:fetch", #"{"analyticsUserProperties": {"score": 9223372036854775808}}"#),
    ])
  func context(target: String, body: String) throws {
    let daemon = try RunningDaemon(catalogs: ["ruled.yaml": Self.catalog])
    let answer = try send(daemon, "POST", target, body)
    #expect(answer.status == 200, "\(answer.text)")
    if body.contains("100000000000000000000") || body.contains("18446744073709551616") {
      #expect(answer.json["value"] == 9, "\(answer.text)")
    }
  }

  private static let catalog = """
    gameconf: 1
    game: ruled
    title: Ruled
    locales: [en]
    parameters:
      limit:
        {type: integer, default: 3, section: S, description: A limit., rules: [{when: {">": [{var: score}, 9223372036854775807]}, value: 9}]}
    """

  @Test(
    "an integer beyond 64 bits elsewhere, or beyond the range of doubles, is refused",
    arguments: [
      (#"{"keys": [9223372036854775808]}"#, "/keys/0"), (#"{"player": 9223372036854775808}"#, "/player"),
      (#"{"context": {"a": 1\#(String(repeating: "0", count: 400))}}"#, "/context/a"),
      (#"{"context": {"a": 1\#(String(repeating: "0", count: 1100))}}"#, "/context/a"),
    ])
  func elsewhere(body: String, pointer: String) throws {
    let answer = try send(RunningDaemon(), "POST", "/v1/games/wheresthedot/config", body)
    #expect(answer.status == 400 && answer.code == "MALFORMED_JSON" && answer.pointer == pointer, "\(answer.text)")
  }

  @Test("the value of an override keeps all its digits or is refused")
  func override() throws {
    let daemon = try RunningDaemon()
    let answer = try send(
      daemon, "PUT", "/v1/games/wheresthedot/overrides/arcade_difficulty_step", #"{"value": 9223372036854775808}"#, admin: true)
    #expect(answer.status == 400 && answer.pointer == "/value", "\(answer.text)")
  }

  @Test("an event with unreadable numbers in a list is refused with a pointer, and the others are recorded")
  func list() throws {
    let player = TestPlayer(daemon: try RunningDaemon())
    func event(_ number: Int, _ more: String) -> String {
      #"{"sequence": {"client": "\#(Self.client)", "number": \#(number)}, "event": "game_over", "mode": "classic", \#(more)}"#
    }
    let bodies = [
      event(1, #""score": 1"#), event(2, #""score": 18446744073709551616"#), event(3, #""score": 2"#), event(4, #""mode_": 1"#),
      event(5, #""score": 3, "reason": 5"#), event(6, #""score": 3, "context": {"targetingKey": "other"}"#),
      event(7, #""score": 4, "context": {"seen": 18446744073709551616}"#),
    ]
    let answer = try send(player.daemon, "POST", player.path + "/events", "[" + bodies.joined(separator: ",") + "]")
    let answers = answer.json.listValue ?? []
    #expect(answer.status == 200 && answers.map { $0["number"] } == [1, 2, 3, 4, 5, 6, 7], "\(answer.text)")
    #expect(answers.map { ($0["status"]?.integerValue ?? 0) / 100 } == [2, 4, 2, 4, 4, 4, 2], "\(answer.text)")
    #expect(
      answers.map { $0["problem"]?["pointer"] } == [
        nil, "/1/score", nil, "/3/mode_", "/4/reason", "/5/context/targetingKey", nil,
      ], "\(answer.text)")
    #expect(try player.page()["scores"]?["lifetime_score"] == 7)
  }

  @Test("a single event with an unreadable number, and a list with an unreadable sequence number, are refused as a whole")
  func whole() throws {
    let player = TestPlayer(daemon: try RunningDaemon())
    let one = try send(
      player.daemon, "POST", player.path + "/events", #"{"event": "game_over", "mode": "classic", "score": 18446744073709551616}"#)
    #expect((400...499).contains(one.status) && one.pointer == "/score", "\(one.text)")
    let many = try send(
      player.daemon, "POST", player.path + "/events",
      #"[{"sequence": {"client": "\#(Self.client)", "number": 18446744073709551616}, "event": "game_over"}]"#)
    #expect(many.status == 400 && many.pointer == "/0/sequence/number", "\(many.text)")
  }

  @Test("a byte order mark before a body is ignored", .needs(.firebase))
  func mark() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let mark = "\u{FEFF}"
    #expect(try send(daemon, "POST", "/v1/games/mine/config/speed", mark + #"{"context": {}}"#).json["value"] == 2.0)
    #expect(try send(daemon, "POST", "/v1/games/mine/config/speed", mark).status == 400)
    #expect(try send(daemon, "POST", "/v1/projects/mine/namespaces/firebase:fetch", mark + "{}").status == 200)
    let template = mark + #"{"parameters": {"speed": {"defaultValue": {"value": "3"}}}}"#
    #expect(try send(daemon, "PUT", "/v1/projects/mine/remoteConfig", template, admin: true).status == 200)
    #expect(try daemon.ask("GET", "/v1/games/mine/config/speed").json["value"] == 3.0)
    let given = try daemon.ask("GET", "/v1/projects/mine/remoteConfig", admin: true)
    #expect(given.status == 200 && given.json["parameters"]?["speed"] != nil, "the mark is not stored: \(given.text)")
    let own = mark + #"{"gameconf_template": 1, "values": {"speed": 1.5}}"#
    let pushed = try send(daemon, "PUT", "/v1/games/mine/template", own, admin: true)
    #expect(pushed.status == 200, "\(pushed.text)")
    #expect(try daemon.ask("GET", "/v1/games/mine/config/speed").json["value"] == 1.5)
  }
}
