// Escapes characters that could control a terminal in text that comes from outside the program.

import GameConfCore

enum SafeText {
  /// Returns a value as JSON in which characters that could control a terminal are written as JSON escapes. The value is unchanged.
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

  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool { TerminalText.isDangerous(scalar) }
}
