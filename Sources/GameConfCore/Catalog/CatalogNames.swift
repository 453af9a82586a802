// The syntax of the ids and aliases in a catalog, and the names that are reserved.

/// Validates the ids and aliases of a catalog.
public enum CatalogNames {
  /// The kinds of ids, each with its own syntax. A `thing` is a part of the catalog such as a product or a theme. A `word` is a mode, an
  /// event type, a reason or an argument.
  public enum Kind: String, Sendable, CaseIterable {
    case game, parameter, thing, word
  }

  /// Returns the regular expression that ids of a kind match.
  public static func pattern(_ kind: Kind) -> String {
    switch kind {
    case .game: "^[a-z][a-z0-9-]{0,62}$"
    case .parameter: "^[A-Za-z_][A-Za-z0-9_]{0,127}$"
    case .thing: "^[A-Za-z$][A-Za-z0-9_.$-]{0,127}$"
    case .word: "^[A-Za-z0-9_$][A-Za-z0-9_.$-]{0,127}$"
    }
  }

  /// The names of members that every JavaScript object inherits. A game in JavaScript would read the inherited member instead of the
  /// parameter.
  private static let ofJavaScript: Set<String> = [
    "__proto__", "constructor", "prototype", "toString", "toLocaleString", "valueOf", "hasOwnProperty", "isPrototypeOf",
    "propertyIsEnumerable", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__",
  ]

  /// Path segments that the API uses for calls in the position of a parameter's key, so that no parameter may have such a key.
  private static let ofCalls: Set<String> = ["export", "import", "clear", "simulate", "image"]

  /// The names that a parameter cannot have.
  public static let reserved = ofJavaScript.union(ofCalls)

  /// Returns an error message if the name is not valid as an id of this kind; nil if it is valid.
  public static func complaint(about name: String, as kind: Kind) -> String? {
    let bytes = Array(name.utf8)
    let lengthMax = kind == .game ? 63 : 128
    guard let first = bytes.first, bytes.count <= lengthMax, isFirst(first, kind), bytes.dropFirst().allSatisfy({ isFurther($0, kind) })
    else {
      let shown = bytes.count > lengthMax ? String(decoding: bytes.prefix(40), as: UTF8.self) + "…" : name
      return "“\(shown)” cannot be the id of \(noun(kind)): it must match \(pattern(kind))."
    }
    if kind == .parameter, ofCalls.contains(name) {
      return "“\(name)” cannot be the id of a parameter: it is the name of a call about overrides or values."
    }
    if kind == .parameter, ofJavaScript.contains(name) {
      return "“\(name)” cannot be the id of a parameter: JavaScript objects have a member of that name already."
    }
    return nil
  }

  /// The longest alias in Unicode scalars.
  public static let aliasCharactersMax = 256

  /// Returns an error message if the name is not valid as an alias of a parameter; nil if it is valid.
  public static func complaint(aboutAlias name: String) -> String? {
    let count = name.unicodeScalars.count
    if count < 1 || count > aliasCharactersMax {
      return "An alias has 1 to \(aliasCharactersMax) characters; this has \(count)."
    }
    if name.unicodeScalars.contains(where: TerminalText.isDangerous) {
      return "An alias has no control characters and no marks that hide or reorder text; “\(TerminalText.escaped(name))” has one."
    }
    if [name.unicodeScalars.first, name.unicodeScalars.last].contains(where: { $0?.properties.isWhitespace == true }) {
      return "An alias neither begins nor ends with a blank; “\(name)” does."
    }
    // HTTP clients remove these segments when they normalize a URL's path, so a request for such a name would go to another resource.
    if name == "." || name == ".." { return "“\(name)” cannot be an alias: it is a step in a path." }
    return nil
  }

  private static func noun(_ kind: Kind) -> String {
    switch kind {
    case .game: "a game"
    case .parameter: "a parameter"
    case .thing: "a part of a game"
    case .word: "a mode, event, reason or argument"
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isFirst(_ byte: UInt8, _ kind: Kind) -> Bool {
    switch kind {
    case .game: (0x61...0x7A).contains(byte)
    case .parameter: isLetter(byte) || byte == UInt8(ascii: "_")
    case .thing: isLetter(byte) || byte == UInt8(ascii: "$")
    case .word: isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
    }
  }

  private static func isFurther(_ byte: UInt8, _ kind: Kind) -> Bool {
    switch kind {
    case .game: (0x61...0x7A).contains(byte) || isDigit(byte) || byte == UInt8(ascii: "-")
    case .parameter: isFirst(byte, kind) || isDigit(byte)
    case .thing, .word: isLetter(byte) || isDigit(byte) || "_.$-".utf8.contains(byte)
    }
  }
}
