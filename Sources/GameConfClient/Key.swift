// Typed keys, which declare a key's name, type and default in one place.

/// A key of a game with the type of its value and a fallback.
///
/// ```swift
/// extension Key<Double> { static let timeLimit = Key("arcade_time_limit_base", default: 2.5) }
/// let limit = game[.timeLimit]
/// ```
public struct Key<Value: GameValue>: Sendable {
  /// The name of the parameter in the catalog.
  public let name: String
  /// The value if the library has none.
  public let fallback: Value

  /// Creates a key; its type should be that of the catalog.
  public init(_ name: String, default fallback: Value) {
    self.name = name
    self.fallback = fallback
  }
}

/// A type that a key's value may have.
public protocol GameValue: Sendable {
  /// Returns the value of a key, or the fallback if there is none.
  static func read(_ game: Game, _ key: String, _ fallback: Self) -> Self
}

extension Bool: GameValue {
  /// Returns the boolean of a key, or the fallback if there is none.
  public static func read(_ game: Game, _ key: String, _ fallback: Bool) -> Bool { game[key, default: fallback] }
}
extension Int64: GameValue {
  /// Returns the integer of a key, or the fallback if there is none.
  public static func read(_ game: Game, _ key: String, _ fallback: Int64) -> Int64 { game[key, default: fallback] }
}
extension Double: GameValue {
  /// Returns the number of a key, or the fallback if there is none.
  public static func read(_ game: Game, _ key: String, _ fallback: Double) -> Double { game[key, default: fallback] }
}
/// The value of a key whose default is `{daily_hash: SALT}`: a new one each day, also without a daemon.
public struct DailySeed: GameValue, Hashable {
  private let salt: String
  /// The seed, 16 hexadecimal digits; empty until it is read from a game.
  public let digits: String

  /// Creates the fallback of a key.
  public init(salt: String) {
    self.salt = salt
    digits = ""
  }

  /// Returns the seed of a key; without a value, that of the present day.
  public static func read(_ game: Game, _ key: String, _ fallback: DailySeed) -> DailySeed {
    DailySeed(salt: fallback.salt, digits: game.dailySeed(key, salt: fallback.salt))
  }

  private init(salt: String, digits: String) {
    self.salt = salt
    self.digits = digits
  }
}
extension String: GameValue {
  /// Returns the text of a key, or the fallback if there is none.
  public static func read(_ game: Game, _ key: String, _ fallback: String) -> String { game[key, default: fallback] }
}
