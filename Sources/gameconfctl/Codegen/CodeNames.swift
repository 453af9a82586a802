// Derives program identifiers from the names in a catalog.

/// Converts names of a catalog to the naming styles of languages, without collisions.
enum CodeNames {
  /// Makes names unique: a reserved name gets an underscore at its end, and of equal names the second gets `_2` and the third `_3`.
  ///
  /// The names are in the catalog's order, so that a key that is added at the end changes no other name.
  static func unique(_ names: [String], reserved: Set<String>) -> [String] {
    let wanted = names.map { reserved.contains($0) ? $0 + "_" : $0 }
    let natural = Set(wanted)
    var taken = reserved
    return wanted.map { name in
      if taken.insert(name).inserted { return name }
      var number = 2
      // A numbered name is skipped if it is already another key's own name.
      while natural.contains("\(name)_\(number)") || taken.contains("\(name)_\(number)") { number += 1 }
      taken.insert("\(name)_\(number)")
      return "\(name)_\(number)"
    }
  }

  /// Converts a name to the form `arcadeTimeLimit`. A first word in capitals becomes all lower case.
  static func camel(_ text: String) -> String {
    let words = words(text)
    guard let first = words.first else { return nameless(text) }
    let isShouted = !first.contains { $0.isLowercase }
    let begin = isShouted ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
    return identifier(begin + words.dropFirst().map(capitalized).joined())
  }

  /// Converts a name to the form `ArcadeTimeLimit`.
  static func pascal(_ text: String) -> String {
    identifier((words(text).isEmpty ? [nameless(text)] : words(text)).map(capitalized).joined())
  }

  /// Converts a name to the form `arcade_time_limit`, in which each character that no identifier may have becomes an underscore.
  static func snake(_ text: String) -> String {
    text.isEmpty ? nameless(text) : identifier(String(text.utf8.map { isWordPart($0) ? Character(Unicode.Scalar($0)) : "_" }))
  }

  /// Converts a name to the form `ARCADE_TIME_LIMIT`.
  static func shouted(_ text: String) -> String {
    identifier((words(text).isEmpty ? [nameless(text)] : words(text)).joined(separator: "_").uppercased())
  }

  static func isIdentifier(_ text: String) -> Bool {
    text.utf8.first.map { isWordPart($0) && !isDigit($0) } ?? false && text.utf8.allSatisfy(isWordPart)
  }

  /// Returns the identifier for a name without letters and digits.
  private static func nameless(_ text: String) -> String { text.isEmpty ? "empty" : "value" }

  private static func identifier(_ name: String) -> String {
    guard let first = name.utf8.first else { return "_" }
    return isDigit(first) ? "_" + name : name
  }

  /// Splits a name into its words, which are the runs of ASCII letters and digits.
  private static func words(_ text: String) -> [String] {
    text.utf8.split { !isWordPart($0) || $0 == UInt8(ascii: "_") }.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
  }
}
