// Numbers in the notation of Firebase Remote Config: those of JSON, and texts such as .5 and 007.

/// Parses the value of a parameter of type NUMBER.
///
/// Firebase accepts `^-?(\d*\.)?\d+$`, and its client libraries parse it with the number parser of their language. Other JSON numbers, such
/// as 1e5, are accepted here too; ``FirebaseAcceptance`` reports them.
public enum FirebaseNumber {
  /// True if the text matches Firebase's own pattern of numbers.
  public static func isAdmitted(_ text: some StringProtocol) -> Bool {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let last = parts.last, !last.isEmpty else { return false }
    return parts.allSatisfy { $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
  }

  /// Returns the number that the text represents; nil if it represents no number.
  public static func value(of text: String) -> Value? {
    var json = text
    if isAdmitted(text) {
      // In JSON, a number below 1 begins with exactly one zero, and any other number begins with none. So leading zeros are removed or
      // added.
      let sign = text.hasPrefix("-") ? "-" : ""
      let digits = text.dropFirst(sign.count)
      let whole = digits.prefix { $0 != "." }.drop { $0 == "0" }
      json = sign + (whole.isEmpty ? "0" : whole) + digits.drop { $0 != "." }
    }
    guard let value = try? JSONReader.value(from: json.utf8), value.numberValue != nil else { return nil }
    return value
  }
}
