// A month of an admin's work, done to a daemon on SQLite and to one on PostgreSQL.

import GameConfCore
import Testing

extension FleetDaemonTests {
  /// Numbers that are the same in each run.
  private struct Dice {
    var state: UInt64

    mutating func roll(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
  }

  private typealias Call = (method: String, target: String, body: Value?)

  /// One thing that an admin does; some of it is refused.
  private func call(_ dice: inout Dice, day: Int) -> Call {
    let game = "/v1/games/wheresthedot"
    let players = ["p1", "p2", "é/3"]
    let keys: [(key: String, value: Value)] = [
      ("arcade_time_limit_base", .double(Double(5 + dice.roll(90)) / 10)), ("arcade_difficulty_step", .integer(Int64(dice.roll(25)))),
      ("sound_enabled", .bool(dice.roll(2) == 0)), ("nothing_of_that_name", 1),
    ]
    let (key, value) = keys[min(dice.roll(13) / 4, 3)]
    let player = players[dice.roll(3)]
    let place = dice.roll(3) > 0 ? "\(game)/overrides/\(key)" : "\(game)/players/\(player.replacing("/", with: "%2F"))/overrides/\(key)"
    let from = Self.instant(day: day, hour: 13 + dice.roll(60))
    let template: Value = [
      "parameters": ["arcade_difficulty_step": ["defaultValue": ["value": .string("\(1 + dice.roll(9))")], "valueType": "NUMBER"]]
    ]
    switch dice.roll(16) {
    case 0...4: return ("PUT", place, ["value": value, "reason": .string("day \(day), \"é\"")])
    case 5, 6:
      return ("PUT", place, ["value": value, "from": .string(from), "until": .string(Self.instant(day: day + 4, hour: dice.roll(90)))])
    case 7, 8: return ("DELETE", place, nil)
    case 9: return ("POST", "\(game)/overrides/clear", ["scope": dice.roll(3) == 0 ? "all" : "game"])
    case 10: return ("PUT", "\(game)/template?activate=\(["now", "manual"][dice.roll(2)])", template)
    case 11: return ("POST", "\(game)/template/rollback", ["version": .integer(Int64(1 + dice.roll(6)))])
    case 12: return ("POST", "\(game)/audit/\(1 + dice.roll(60))/revert", ["reason": "no"])
    case 13: return ("PUT", "\(game)/clock", ["now": .string(from)])
    case 14:
      return (
        "POST", "\(game)/overrides/import",
        ["overrides": [["key": .string(key), "value": value], ["key": "sound_enabled", "value": false]]]
      )
    default: return ("POST", "\(game)/players/p\(dice.roll(4))/visits", [:])
    }
  }

  private static func instant(day: Int, hour: Int) -> String {
    Instant(seconds: 1_790_000_000 + Int64(day) * 86_400 + Int64(hour) * 3_600).text
  }

  @Test("a month of an admin's work ends on both databases in the same export, the same log and the same answers, byte for byte")
  func month() throws {
    let connection = try #require(TestStore.postgres)
    let stores = ["", "store: {postgres: \"\(connection)\", schema: m\(String(UInt64.random(in: .min ... .max), radix: 16))}\n"]
    let folders = try [TemporaryFolder(), TemporaryFolder()]
    func set(day: Int) throws {
      for (folder, store) in zip(folders, stores) {
        try folder.write(store + "clock: \(Self.instant(day: day, hour: 12))\n", to: "store.yaml")
      }
    }
    try set(day: 0)
    let daemons = try folders.map { try RunningDaemon(folder: $0, arguments: ["--config", $0.path + "/store.yaml"]) }
    var dice = Dice(state: 18)
    var statuses: [Int: Int] = [:]
    for day in stride(from: 0, through: 30, by: 5) {
      if day > 0 {
        try set(day: day)
        for daemon in daemons { try daemon.restart() }
      }
      for number in 0..<30 {
        let call = call(&dice, day: day)
        let answers = try daemons.map { try $0.ask(call.method, call.target, body: call.body, admin: true) }
        #expect(answers[0].status == answers[1].status, "day \(day), \(number): \(call) \(answers[0].text) \(answers[1].text)")
        #expect(answers[0].text == answers[1].text, "day \(day), \(number): \(call)")
        statuses[answers[0].status, default: 0] += 1
      }
    }
    #expect(statuses.keys.contains(200) && statuses.keys.contains { $0 >= 400 } && !statuses.keys.contains { $0 >= 500 }, "\(statuses)")
    for target in [
      "/v1/games/wheresthedot/overrides/export", "/v1/games/wheresthedot/overrides?players=all", "/v1/audit?limit=1000",
      "/v1/games/wheresthedot/template/versions", "/v1/games/wheresthedot/config?detail=full&player=p1",
      "/v1/games/wheresthedot/changes", "/v1/games/wheresthedot/players/p1",
    ] {
      let answers = try daemons.map { try $0.ask("GET", target, admin: true) }
      // Only in the log: what a daemon does by itself is said to be done by its process.
      let texts = answers.map { $0.text.replacing(/"gameconfd","pid":[0-9]+/, with: "gameconfd") }
      #expect(answers[0].status == 200 && texts[0] == texts[1], "\(target): \(texts[0]) \(texts[1])")
    }
  }
}
