// The checks of a small game for tests of overrides: a few keys with ranges, one constraint, one range that can change.
import GameConfCore
import GameConfEngine

struct TableChecking: OverrideChecking {
  enum Kind { case double(ClosedRange<Double>), integer, string }

  var games: Set<String> = ["g", "h"]
  var keys: [String: Kind] = ["time": .double(0.5...10), "low": .integer, "high": .integer, "name": .string]
  var defaults: [String: Int64] = ["low": 4, "high": 16]
  /// The highest value of `high` in the constraint low ≤ high ≤ ceiling.
  var ceiling: Int64 = 25

  func has(game: String) -> Bool { games.contains(game) }

  func nearestNames(toUnknown key: String, in game: String) -> [String]? { keys[key] == nil ? keys.keys.sorted() : nil }

  func keys(boundWith key: String, in game: String) -> Set<String>? { defaults[key] == nil ? [] : ["low", "high"] }

  func admit(_ value: Value, for key: String, player: String?, in game: String) throws(ChangeRefusal) -> Value {
    switch (keys[key], value) {
    case (.none, _): throw .unknownKey(key, nearest: keys.keys.sorted())
    case (.double(let range)?, _):
      guard let number = value.numberValue else {
        throw .inadmissible(key: key, AdmissionFault(.typeMismatch, message: "a number, please"))
      }
      guard range.contains(number) else { throw .inadmissible(key: key, AdmissionFault(.outOfRange, message: "within \(range), please")) }
      return .double(number)
    case (.integer?, .integer), (.string?, .string): return value
    default: throw .inadmissible(key: key, AdmissionFault(.typeMismatch, message: "another type, please"))
    }
  }

  func faults(in game: String, values: OverriddenValues, player: String?, at instant: Instant) -> [ConstraintFault] {
    func value(_ key: String) -> Int64 { values.player[key]?.integerValue ?? values.game[key]?.integerValue ?? defaults[key] ?? 0 }
    var faults: [ConstraintFault] = []
    if value("low") > value("high") {
      faults.append(ConstraintFault(id: "order", keys: ["low", "high"], message: "low must not exceed high"))
    }
    if value("high") > ceiling { faults.append(ConstraintFault(id: "ceiling", keys: ["high"], message: "high must fit the board")) }
    return faults
  }
}
