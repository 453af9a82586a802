// Text from outside with the characters escaped that could control a terminal.

import GameConfCore

enum SafeText {
  /// Returns JSON in which such characters have JSON's own escapes; its value is unchanged.
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
