// The ways in which the value of a parameter may differ although the game's revision is the same.

/// The ways in which the value of a parameter may differ between callers or over time.
public struct Variation: OptionSet, Sendable, Hashable {
  /// The ways in which the value may differ, as a bit mask.
  public let rawValue: UInt8

  /// Creates a variation from the bit mask of the ways in which a value may differ.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The value depends on the caller's language.
  public static let locale = Variation(rawValue: 1 << 0)
  /// The value depends on the player's own setting.
  public static let setting = Variation(rawValue: 1 << 1)
  /// The value depends on the player's override.
  public static let playerOverride = Variation(rawValue: 1 << 2)
  /// The value depends on rules or targeting, which read the caller's context.
  public static let rule = Variation(rawValue: 1 << 3)
  /// The value depends on the time, so that it may change without a write.
  public static let clock = Variation(rawValue: 1 << 4)
}
