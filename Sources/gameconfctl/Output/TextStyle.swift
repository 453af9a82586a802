// Colours with a meaning: overrides, faults, success.

/// The colour of a piece of text on a terminal.
enum TextStyle: String {
  case heading = "1"
  case overridden = "33"
  case wrong = "31"
  case well = "32"
  case quiet = "2"

  /// Returns the text between the escapes that colour it; unchanged without colours.
  func on(_ text: String, isColored: Bool) -> String {
    isColored && !text.isEmpty ? "\u{1b}[\(rawValue)m\(text)\u{1b}[0m" : text
  }

  /// Returns the style of a state by its first word; nil for a word that is neither good nor bad.
  static func of(state: String) -> TextStyle? {
    let word = state.prefix { $0 != " " && $0 != ":" && $0 != "," }
    if badWords.contains(String(word)) { return .wrong }
    if goodWords.contains(String(word)) { return .well }
    return nil
  }

  private static let badWords: Set<String> = [
    "degraded", "quarantined", "refused", "failed", "failing", "damaged", "lost", "unverified", "no_space", "read_only", "ended", "below",
    "forgotten", "refunded", "revoked", "expired",
  ]
  private static let goodWords: Set<String> = [
    "ok", "good", "ready", "active", "subscribed", "unlocked", "reached", "in", "open", "applied",
  ]
}
