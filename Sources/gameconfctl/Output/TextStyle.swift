// The colours of text on a terminal, each with a meaning such as an override, a fault or success.

/// The meaning of a piece of text that a terminal shows in a colour.
enum TextStyle: String {
  case heading = "1"
  case overridden = "33"
  case wrong = "31"
  case well = "32"
  case quiet = "2"

  /// Returns the text between the escape sequences of its colour; unchanged if colours are off.
  func on(_ text: String, isColored: Bool) -> String {
    isColored && !text.isEmpty ? "\u{1b}[\(rawValue)m\(text)\u{1b}[0m" : text
  }

  /// Returns the style of a state such as `active`, by its first word; nil if that word is neither good nor bad.
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
