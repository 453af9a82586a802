// What, other than a change of revision, can change the answer for a key.

/// The ways in which answers for a key may differ between callers or with time.
public struct Variation: OptionSet, Sendable, Hashable {
  /// The ways, one a bit.
  public let rawValue: UInt8

  /// A set of ways.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// By the caller's locale.
  public static let locale = Variation(rawValue: 1 << 0)
  /// By what the player chose.
  public static let setting = Variation(rawValue: 1 << 1)
  /// By what an admin forces for a player.
  public static let playerOverride = Variation(rawValue: 1 << 2)
  /// By a rule over the caller's context.
  public static let rule = Variation(rawValue: 1 << 3)
  /// By the time.
  public static let clock = Variation(rawValue: 1 << 4)
}
