// The names that scenarios give to players: only a live one makes such players, and they go with it.

/// The names of a scenario's players.
public enum ScenarioNames {
  private static let start = "scn-"
  /// The number of hexadecimal digits an id has.
  public static let idDigits = 12

  /// The prefix of the ids of a scenario's players: `scn-<id>-`.
  public static func players(of id: String) -> String { start + id + "-" }

  /// The scenario that a player of that id would belong to; nil for everybody else's players.
  public static func scenario(ofPlayer player: String) -> String? {
    guard player.utf8.first == UInt8(ascii: "s"), player.hasPrefix(start) else { return nil }
    let digits = player.utf8.dropFirst(start.utf8.count).prefix { isHexDigit($0) }
    guard digits.count == idDigits, player.utf8[digits.endIndex...].first == UInt8(ascii: "-") else { return nil }
    return String(Substring(digits))
  }

  /// The prefix of the ids of all players who belong to the same scenario as this one; nil for a player of no scenario.
  public static func prefix(ofPlayer player: String) -> String? { scenario(ofPlayer: player).map(players(of:)) }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
