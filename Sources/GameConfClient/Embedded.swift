// The parts that generated code uses: texts that are one of a few, lists and objects as JSON, and images written in a program's text.

/// A list or an object, as the text of its JSON.
public struct JSONText: GameValue, Hashable {
  /// Compact JSON.
  public let text: String

  /// That text.
  public init(_ text: String) { self.text = text }

  /// The value of a key, or the fallback.
  public static func read(_ game: Game, _ key: String, _ fallback: JSONText) -> JSONText { game.json(key).map(JSONText.init) ?? fallback }
}

extension GameValue where Self: RawRepresentable, RawValue == String {
  /// The value of a key, or the fallback; the fallback too when the text is one that the program does not know.
  public static func read(_ game: Game, _ key: String, _ fallback: Self) -> Self {
    Self(rawValue: game[key, default: fallback.rawValue]) ?? fallback
  }
}

extension Game {
  /// The bytes of an image that is written in base64: such a text compiles at once, where a list of numbers takes long.
  ///
  /// What is not of base64's alphabet is passed over.
  public static func image(base64 text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var word: UInt32 = 0
    var bits = 0
    for character in text.utf8 {
      guard let six = value(character) else { continue }
      word = word << 6 | six
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
      }
    }
    return bytes
  }

  private static func value(_ character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
