// The player ids that are reserved for scenarios. Only an active scenario creates such players, and they are removed with it.

/// The player ids that are reserved for scenarios.
public enum ScenarioNames {
  private static let start = "scn-"
  /// The number of hexadecimal digits in a scenario's id.
  public static let idDigits = 12

  /// Returns the prefix of the ids of a scenario's players: `scn-ID-`.
  public static func players(of id: String) -> String { start + id + "-" }

  /// Returns the id of the scenario that a player belongs to; nil if the id is not reserved for a scenario.
  public static func scenario(ofPlayer player: String) -> String? {
    guard player.utf8.first == UInt8(ascii: "s"), player.hasPrefix(start) else { return nil }
    let digits = player.utf8.dropFirst(start.utf8.count).prefix { isHexDigit($0) }
    guard digits.count == idDigits, player.utf8[digits.endIndex...].first == UInt8(ascii: "-") else { return nil }
    return String(Substring(digits))
  }

  /// Returns the id prefix that all players of this player's scenario have; nil if the player belongs to no scenario.
  public static func prefix(ofPlayer player: String) -> String? { scenario(ofPlayer: player).map(players(of:)) }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
