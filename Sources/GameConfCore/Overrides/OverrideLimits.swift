// The limits of overrides.

/// The named limits of overrides.
public enum OverrideLimits {
  /// The most overrides of players a game may have, windows counted.
  public static let playerOverridesMax = 20_000
  /// The most rows that one import may have.
  public static let importRowsMax = 25_000
  /// An import of more rows is answered with their number alone.
  public static let rowsShownMax = 100
  /// The most windows that the game-wide overrides of one game may have together.
  public static let gameWindowsMax = 2_000
  /// The longest reason, in bytes of UTF-8.
  public static let reasonBytesMax = 1_024
  /// The longest player id, in bytes of UTF-8.
  public static let playerBytesMax = 256

  /// The form of a player's id, as a refusal says it.
  public static let playerForm =
    "A player's id has 1 to \(playerBytesMax) bytes of UTF-8 without control characters, and is neither “.” nor “..”, which clients remove from a path."

  /// True if a text can be a player's id.
  public static func admits(player: String) -> Bool { admits(storedPlayer: player) && !PercentEncoding.isFolded(player) }

  /// True if rows can be stored of a player of that id. Older versions admitted `.` and `..`.
  public static func admits(storedPlayer player: String) -> Bool {
    let bytes = player.utf8.count
    return bytes > 0 && bytes <= playerBytesMax && !player.hasControlCharacter
  }
}
