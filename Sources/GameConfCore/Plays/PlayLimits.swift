// The limits on the number, size and age of a player's plays.

/// The limits on the number, size and age of plays.
public enum PlayLimits {
  /// The largest number of open plays of a player.
  public static let openMax = 16
  /// The size limit of the values that one play pins, in bytes of their stored form: 1 MiB.
  public static let pinnedBytesMax = 1 << 20
  /// The number of a player's most recent closed plays that are stored whatever their age.
  public static let closedMax = 500
  /// The age up to which closed plays are stored whatever their number: 400 days.
  public static let retentionMilliseconds: Int64 = 400 * 86_400_000
  /// The size limit of all plays of one player: 64 MiB. Beyond this limit, the oldest closed plays are removed.
  public static let playerBytesMax: Int64 = 64 << 20
  /// The size limit of the plays that one user opened: 1 GiB. Pinned values that several plays share count once.
  public static let userBytesMax: Int64 = 1 << 30
  /// The size limit of the state that a game stores in a play, in bytes of JSON: 4 KiB.
  public static let stateBytesMax = 4 << 10
  /// The bytes that a play counts for in the size limits, besides its pinned values and its context: 1 KiB.
  public static let rowBytes: Int64 = 1 << 10
  /// The size limit of a play's id, in bytes of UTF-8.
  public static let idBytesMax = 128
  /// The largest number of a player's closed plays that are removed together to make space. It is enough for the largest play.
  public static let droppedAtOnceMax = 2_048
}
