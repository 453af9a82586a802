// Inputs just within and just beyond the limits of the contract.

import GameConfCore
import Testing

@Suite("Inputs at their limits", .serialized)
struct InputEdgeTests {
  @Test("an event with an Idempotency-Key of any valid length is recorded once")
  func longKeys() throws {
    let daemon = try RunningDaemon(arguments: ["--clock", RulesCatalog.clock])
    let path = "/v1/games/wheresthedot/players/p/events"
    let event: Value = ["event": "game_over", "mode": "classic", "score": 3]
    var total: Int64 = 0
    for length in [1, 128, 129, 200, 255] {
      let key = ["Idempotency-Key": String(repeating: "k", count: length)]
      total += 3
      for _ in 0..<2 {
        let answer = try daemon.ask("POST", path, body: event, headers: key)
        #expect(answer.status == 200, "\(length): \(answer.json)")
      }
      let player = try daemon.ask("GET", "/v1/games/wheresthedot/players/p", admin: true)
      #expect(player.text.contains("\"lifetime_score\":\(total)"), "\(length): \(player.text)")
    }
    let tooLong = ["Idempotency-Key": String(repeating: "k", count: 256)]
    #expect(try daemon.ask("POST", path, body: event, headers: tooLong).status == 400)
  }

  @Test("a player's context is stored up to the limit that status shows, and refused beyond it")
  func contextBytes() throws {
    let daemon = try RunningDaemon()
    let limits = try daemon.read(at: "/v1/status", admin: true)["limits"]
    for name in ["context_bytes_max", "body_bytes_held_max", "remembered_answer_bytes_max"] {
      #expect(limits?[name]?.integerValue != nil, "\(name)")
    }
    // The limits of stored ids, by which repeats are recognized.
    #expect(limits?["request_ids_known_per_player_max"] == 64 && limits?["queues_known_per_player_max"] == 8)
    #expect(limits?["queue_numbers_known_max"] == 256 && limits?["listed_events_max"] == 256)
    let sentence = "while its id is among the player's newest 64; “sequence” has no such limit"
    #expect(try daemon.ask("GET", "/openapi.json").text.contains(sentence))
    let most = try #require(limits?["context_bytes_max"]?.integerValue)
    func put(_ bytes: Int) throws -> RawConnection.Answer {
      // {"x":"…"} has eight bytes besides the text.
      try daemon.ask(
        "PUT", "/v1/games/wheresthedot/players/p/context", body: ["context": ["x": .string(String(repeating: "x", count: bytes - 8))]])
    }
    #expect(try put(Int(most)).status == 200)
    let refused = try put(Int(most) + 1)
    #expect(refused.status == 422 || refused.status == 413, "\(refused.text)")
    #expect(refused.text.contains("\(most)"), "\(refused.text)")
  }

  @Test("a clock's rate with up to three decimals in the allowed range is accepted, and any other is refused")
  func clockRates() throws {
    let daemon = try RunningDaemon(arguments: ["--clock", RulesCatalog.clock])
    func rate(_ text: String) throws -> RawConnection.Answer {
      try daemon.ask(
        "PUT", "/v1/games/dartsscore/clock", body: ["rate": try JSONReader.value(from: Array(text.utf8))], admin: true)
    }
    for taken in ["0", "0.001", "0.5", "60", "10000000"] {
      let answer = try rate(taken)
      #expect(answer.status == 200, "\(taken): \(answer.json)")
    }
    for (refused, words) in [
      ("1e-300", "three decimals"), ("0.0004", "three decimals"), ("0.0015", "three decimals"), ("1e12", "from 0"), ("-1", "from 0"),
      ("10000001", "from 0"),
    ] {
      let answer = try rate(refused)
      #expect(answer.status == 422 && answer.detail?.contains(words) == true, "\(refused): \(answer.json)")
    }
  }

  @Test("a setting that depends on a flag is refused while the flag is off, and restored when it is on again")
  func gatedSetting() throws {
    let daemon = try RunningDaemon(arguments: ["--clock", RulesCatalog.clock])
    let setting = "/v1/games/remembersquare/players/p/settings/grid_side"
    func value() throws -> Value? { try daemon.read("grid_side", game: "remembersquare", player: "p")["value"] }
    let early = try daemon.ask("PUT", setting, body: ["value": 5])
    #expect(early.code == "NOT_A_SETTING" && early.detail?.contains("while grid_sizes_enabled is on") == true, "\(early.text)")
    _ = try daemon.put("grid_sizes_enabled", true, game: "remembersquare")
    #expect(try daemon.ask("PUT", setting, body: ["value": 5]).status == 200)
    #expect(try value() == 5)
    _ = try daemon.remove("grid_sizes_enabled", game: "remembersquare")
    #expect(try value() == 4)
    let explained = try daemon.ask("GET", "/v1/games/remembersquare/config/grid_side/explain?player=p", admin: true)
    #expect(explained.text.contains("only while “grid_sizes_enabled” is true"), "\(explained.text)")
    _ = try daemon.put("grid_sizes_enabled", true, game: "remembersquare", player: "p")
    #expect(try value() == 5)
  }
}
