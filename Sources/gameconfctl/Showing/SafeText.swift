// Text from outside that cannot play tricks on a terminal.

import GameConfCore

enum SafeText {
  /// The text with every character that moves, colours, hides or reorders written as an escape.
  static func escaped(_ text: String, keepingLines: Bool = false) -> String {
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

  /// JSON in which such characters are escaped as JSON has it; it still says the same.
  static func json(_ value: Value, pretty: Bool) -> String {
    let text = JSONWriter.text(value, pretty: pretty)
    guard text.unicodeScalars.contains(where: { isDangerous($0) && $0 != "\n" }) else { return text }
    var safe = ""
    for scalar in text.unicodeScalars {
      guard isDangerous(scalar), scalar != "\n" else {
        safe.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        safe += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return safe
  }

  /// C0, DEL and C1 controls, line separators, the marks that reorder or hide text, and tags.
  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x061C, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE007F:
      true
    default: false
    }
  }
}
