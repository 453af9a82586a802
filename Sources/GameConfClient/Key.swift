// Keys with their type and default, so that a name is spelled once and read as what it is.

/// A key of a game with the type of its value.
///
/// ```swift
/// extension Key<Double> { static let timeLimit = Key("arcade_time_limit_base", default: 2.5) }
/// let limit = game[.timeLimit]
/// ```
public struct Key<Value: GameValue>: Sendable {
  /// The key's name in the catalog.
  public let name: String
  /// The value without anything better.
  public let fallback: Value

  /// A key.
  public init(_ name: String, default fallback: Value) {
    self.name = name
    self.fallback = fallback
  }
}

/// The types that values have.
public protocol GameValue: Sendable {
  /// The value of a key, or the fallback.
  static func read(_ game: Game, _ key: String, _ fallback: Self) -> Self
}

extension Bool: GameValue {
  /// The value of a key, or the fallback.
  public static func read(_ game: Game, _ key: String, _ fallback: Bool) -> Bool { game[key, default: fallback] }
}
extension Int64: GameValue {
  /// The value of a key, or the fallback.
  public static func read(_ game: Game, _ key: String, _ fallback: Int64) -> Int64 { game[key, default: fallback] }
}
extension Double: GameValue {
  /// The value of a key, or the fallback.
  public static func read(_ game: Game, _ key: String, _ fallback: Double) -> Double { game[key, default: fallback] }
}
extension String: GameValue {
  /// The value of a key, or the fallback.
  public static func read(_ game: Game, _ key: String, _ fallback: String) -> String { game[key, default: fallback] }
}
