// Support for code that gameconfctl generates from a catalog: enumerations, lists and objects as JSON, and embedded images.

/// A list or an object as JSON text, the value of a key without a more specific Swift type.
public struct JSONText: GameValue, Hashable {
  /// The list or object as compact JSON.
  public let text: String

  /// Wraps a JSON text without validating it.
  public init(_ text: String) { self.text = text }

  /// Returns the key's list or object as JSON, or the fallback if the library has no value for the key.
  public static func read(_ game: Game, _ key: String, _ fallback: JSONText) -> JSONText { game.json(key).map(JSONText.init) ?? fallback }
}

extension GameValue where Self: RawRepresentable, RawValue == String {
  /// Returns the key's value as a case of the enumeration; the fallback if the library has no value, or the enumeration no such case.
  public static func read(_ game: Game, _ key: String, _ fallback: Self) -> Self {
    Self(rawValue: game[key, default: fallback.rawValue]) ?? fallback
  }
}

extension Game {
  /// Decodes a Base64 text to the bytes of an image (a flat file with a game's values) that is embedded in source code. Swift compiles a
  /// string literal immediately, but takes long for an array literal of bytes.
  ///
  /// Characters outside of the Base64 alphabet are ignored.
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
