// The reasons other than a new revision for which the value of a key may change.

/// The ways in which the value of a key may differ between callers or over time.
public struct Variation: OptionSet, Sendable, Hashable {
  /// One bit for each way.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The value depends on the caller's language.
  public static let locale = Variation(rawValue: 1 << 0)
  /// The value depends on the player's choice.
  public static let setting = Variation(rawValue: 1 << 1)
  /// The value depends on overrides for players.
  public static let playerOverride = Variation(rawValue: 1 << 2)
  /// The value depends on rules over the caller's context.
  public static let rule = Variation(rawValue: 1 << 3)
  /// The value depends on the time.
  public static let clock = Variation(rawValue: 1 << 4)
}
