// The limits on the number and the size of overrides.

/// The limits on the number and the size of overrides.
public enum OverrideLimits {
  /// The largest number of player overrides in a game, windows included.
  public static let playerOverridesMax = 20_000
  /// The largest number of rows in one import.
  public static let importRowsMax = 25_000
  /// The largest number of imported rows that the response lists. For a larger import, the response has only their number.
  public static let rowsShownMax = 100
  /// The largest number of windows that the game-wide overrides of one game may have together.
  public static let gameWindowsMax = 2_000
  /// The size limit of the reason for an override, in bytes of UTF-8.
  public static let reasonBytesMax = 1_024
  /// The size limit of a player id, in bytes of UTF-8.
  public static let playerBytesMax = 256

  /// The syntax of player ids, as error messages state it.
  public static let playerForm =
    "A player's id has 1 to \(playerBytesMax) bytes of UTF-8 without control characters, and is neither “.” nor “..”, which clients remove from a path."

  /// True if the text is a valid player id.
  public static func admits(player: String) -> Bool { admits(storedPlayer: player) && !PercentEncoding.isFolded(player) }

  /// True if a stored override may have this player id. Older versions of the daemon also allowed `.` and `..`, so the store may contain
  /// them.
  public static func admits(storedPlayer player: String) -> Bool {
    let bytes = player.utf8.count
    return bytes > 0 && bytes <= playerBytesMax && !player.hasControlCharacter
  }
}
