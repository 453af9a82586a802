// A month of an admin's calls on one game, the same in each run.

import GameConfCore

/// Generates an admin's calls from a seed.
struct AdminWork {
  /// A seeded random number generator.
  private struct Dice {
    var state: UInt64

    mutating func roll(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
  }

  typealias Call = (method: String, target: String, body: Value?)

  static let players = ["p1", "p2", "é/3"]

  private var dice: Dice

  init(seed: UInt64) { dice = Dice(state: seed) }

  /// Returns the next call; some of the calls are refused.
  mutating func call(day: Int) -> Call {
    let game = "/v1/games/wheresthedot"
    let keys: [(key: String, value: Value)] = [
      ("arcade_time_limit_base", .double(Double(5 + dice.roll(90)) / 10)), ("arcade_difficulty_step", .integer(Int64(dice.roll(25)))),
      ("sound_enabled", .bool(dice.roll(2) == 0)), ("nothing_of_that_name", 1),
    ]
    let (key, value) = keys[min(dice.roll(13) / 4, 3)]
    let player = Self.players[dice.roll(3)]
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

  static func instant(day: Int, hour: Int) -> String {
    Instant(seconds: 1_790_000_000 + Int64(day) * 86_400 + Int64(hour) * 3_600).text
  }
}
