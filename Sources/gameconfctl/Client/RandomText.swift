// Random text for tokens, codes and names of sessions.

enum RandomText {
  /// Returns 128 bits of the system's secure generator in hexadecimal.
  static func hexadecimal() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let text = String(random.next(), radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }.joined()
  }
}
