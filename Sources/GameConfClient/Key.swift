// Typed keys, which declare a key's name, type and default in one place.

/// A key of a game with the type of its value and a fallback.
///
/// ```swift
/// extension Key<Double> { static let timeLimit = Key("arcade_time_limit_base", default: 2.5) }
/// let limit = game[.timeLimit]
/// ```
public struct Key<Value: GameValue>: Sendable {
  /// The key's name in the catalog.
  public let name: String
  /// The value that the game reads if the library has no value for the key.
  public let fallback: Value

  /// Creates a key. The type of its fallback should be the key's type in the catalog.
  public init(_ name: String, default fallback: Value) {
    self.name = name
    self.fallback = fallback
  }
}

/// A type of values that a game can read by a ``Key``. The standard types conform, and so do the enumerations of generated code.
public protocol GameValue: Sendable {
  /// Returns the key's value in a game; the fallback if the library has no value of this type.
  static func read(_ game: Game, _ key: String, _ fallback: Self) -> Self
}

extension Bool: GameValue {
  /// Returns the key's boolean; the fallback if the library has no boolean for the key.
  public static func read(_ game: Game, _ key: String, _ fallback: Bool) -> Bool { game[key, default: fallback] }
}
extension Int64: GameValue {
  /// Returns the key's integer; the fallback if the library has no integer for the key.
  public static func read(_ game: Game, _ key: String, _ fallback: Int64) -> Int64 { game[key, default: fallback] }
}
extension Double: GameValue {
  /// Returns the key's number; the fallback if the library has no number for the key.
  public static func read(_ game: Game, _ key: String, _ fallback: Double) -> Double { game[key, default: fallback] }
}
/// The seed of a key whose default is `{daily_hash: SALT}`. Every day it is another one, even without a daemon.
public struct DailySeed: GameValue, Hashable {
  private let salt: String
  /// The seed, 16 hexadecimal digits; empty until it is read from a game.
  public let digits: String

  /// Creates the fallback of a key from its salt. The digits are computed when a game reads the key.
  public init(salt: String) {
    self.salt = salt
    digits = ""
  }

  /// Returns the key's seed. If the library has no value, it computes the seed of the present day from the fallback's salt.
  public static func read(_ game: Game, _ key: String, _ fallback: DailySeed) -> DailySeed {
    DailySeed(salt: fallback.salt, digits: game.dailySeed(key, salt: fallback.salt))
  }

  private init(salt: String, digits: String) {
    self.salt = salt
    self.digits = digits
  }
}
extension String: GameValue {
  /// Returns the key's text; the fallback if the library has no text for the key.
  public static func read(_ game: Game, _ key: String, _ fallback: String) -> String { game[key, default: fallback] }
}
