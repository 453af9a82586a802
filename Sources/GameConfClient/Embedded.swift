// Support for generated code: enumerations, lists and objects as JSON, and images embedded in source code.

/// A list or an object as JSON text, for keys without a more specific type.
public struct JSONText: GameValue, Hashable {
  /// The compact JSON text.
  public let text: String

  /// Wraps a JSON text, which is not validated.
  public init(_ text: String) { self.text = text }

  /// Returns the value of a key, or the fallback if there is none.
  public static func read(_ game: Game, _ key: String, _ fallback: JSONText) -> JSONText { game.json(key).map(JSONText.init) ?? fallback }
}

extension GameValue where Self: RawRepresentable, RawValue == String {
  /// Returns the value of a key, or the fallback if there is none or the enumeration has no such case.
  public static func read(_ game: Game, _ key: String, _ fallback: Self) -> Self {
    Self(rawValue: game[key, default: fallback.rawValue]) ?? fallback
  }
}

extension Game {
  /// Decodes an image that is embedded in source code as Base64. A string literal compiles immediately, where an array literal of bytes
  /// takes long.
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
