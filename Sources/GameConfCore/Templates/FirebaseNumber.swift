// Numbers as Firebase Remote Config writes them: JSON's, and texts such as .5 and 007.

/// Reads the text of a NUMBER.
///
/// Firebase admits `^-?(\d*\.)?\d+$`, and its libraries read that by the language's own reader of doubles. What JSON has beyond it, such as 1e5,
/// is a number here too; ``FirebaseAcceptance`` names it.
public enum FirebaseNumber {
  /// True if Firebase admits the text.
  public static func isAdmitted(_ text: some StringProtocol) -> Bool {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let last = parts.last, !last.isEmpty else { return false }
    return parts.allSatisfy { $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
  }

  /// The number; nil if the text is none.
  public static func value(of text: String) -> Value? {
    var json = text
    if isAdmitted(text) {
      // JSON has one zero before the point, and none before another digit.
      let sign = text.hasPrefix("-") ? "-" : ""
      let digits = text.dropFirst(sign.count)
      let whole = digits.prefix { $0 != "." }.drop { $0 == "0" }
      json = sign + (whole.isEmpty ? "0" : whole) + digits.drop { $0 != "." }
    }
    guard let value = try? JSONReader.value(from: json.utf8), value.numberValue != nil else { return nil }
    return value
  }
}
