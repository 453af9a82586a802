// The causes, other than a change of revision, that can change the answer for a key.

/// The ways in which answers for a key may differ between callers or with time.
public struct Variation: OptionSet, Sendable, Hashable {
  /// A bit for each way.
  public let rawValue: UInt8

  /// A set of ways.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// By the caller's locale.
  public static let locale = Variation(rawValue: 1 << 0)
  /// By the player's choice.
  public static let setting = Variation(rawValue: 1 << 1)
  /// By an admin's override for a player.
  public static let playerOverride = Variation(rawValue: 1 << 2)
  /// By a rule over the caller's context.
  public static let rule = Variation(rawValue: 1 << 3)
  /// By the time.
  public static let clock = Variation(rawValue: 1 << 4)
}
