// The limits of a player's plays, and of what they may take.

/// The named limits of plays.
public enum PlayLimits {
  /// The most plays of a player that may be open.
  public static let openMax = 16
  /// The most bytes that the values of one play may take, as they are kept: 1 MiB.
  public static let pinnedBytesMax = 1 << 20
  /// The number of a player's newest closed plays that are kept whatever their age.
  public static let closedMax = 500
  /// Younger ones are kept whatever their number: 400 days.
  public static let keptMilliseconds: Int64 = 400 * 86_400_000
  /// The most bytes that the plays of one player may take; beyond it the oldest closed ones go: 64 MiB.
  public static let playerBytesMax: Int64 = 64 << 20
  /// The most bytes that plays opened by one user may take, values that are the same counted once: 1 GiB.
  public static let userBytesMax: Int64 = 1 << 30
  /// The most bytes of JSON the state of a play may take: 4 KiB.
  public static let stateBytesMax = 4 << 10
  /// The bytes that a play itself counts beside its values.
  public static let rowBytes: Int64 = 1 << 10
  /// The longest id, in bytes of UTF-8.
  public static let idBytesMax = 128
  /// The number of closed plays of a player that go at once: as many as make space for the largest.
  public static let droppedAtOnceMax = 2_048
}
