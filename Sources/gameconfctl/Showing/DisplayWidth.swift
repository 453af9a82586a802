// How much room text takes on a terminal, and making it fit.

/// How many columns text takes on a terminal.
enum DisplayWidth {
  static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

  /// The text, ending in `…` when it takes more than that many columns.
  static func cut(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    var kept = ""
    var taken = 0
    for character in text {
      taken += of(character)
      if taken > width - 1 { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// The text in lines of at most that many columns, broken at spaces where it can be.
  static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !line.isEmpty, of(line) + 1 + of(String(word)) > width {
        lines.append(line)
        line = ""
      }
      if !line.isEmpty { line += " " }
      for character in word {
        if !line.isEmpty, of(line) + of(character) > width {
          lines.append(line)
          line = ""
        }
        line.append(character)
      }
    }
    return lines + [line]
  }

  /// East Asian wide and emoji take two; what joins the character before takes none of its own.
  private static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.value {
    case 0x0300...0x036F: return 0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
