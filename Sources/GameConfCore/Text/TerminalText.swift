// Escapes untrusted text for terminals and logs. All programs of the project use this function.

/// Escapes characters that could move the cursor, change colors, or hide or reorder text.
public enum TerminalText {
  /// Returns the text with each dangerous character replaced by an escape.
  /// - Parameter keepingLines: True leaves line breaks and tabs unchanged.
  public static func escaped(_ text: String, keepingLines: Bool = false) -> String {
    guard text.unicodeScalars.contains(where: isDangerous) else { return text }
    var safe = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where keepingLines, "\t" where keepingLines: safe.unicodeScalars.append(scalar)
      case "\n": safe += "\\n"
      case "\r": safe += "\\r"
      case "\t": safe += "\\t"
      case _ where isDangerous(scalar): safe += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }

  /// True for control characters (C0, DEL, C1), line separators, characters that reorder or hide text, and tag characters.
  public static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x061C, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE007F:
      true
    default: false
    }
  }
}
