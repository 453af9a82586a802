// The words of a statement: enough of SQL's grammar to find and replace what two databases say differently.

/// A statement in words: names, numbers, texts in quotes, operators, brackets and commas, each one word.
struct SQLWords {
  var words: [String]

  init(_ sql: String) {
    words = []
    var rest = Array(sql.utf8)[...]
    while let first = rest.first {
      let taken: Int
      switch first {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"):
        rest.removeFirst()
        continue
      case UInt8(ascii: "'"), UInt8(ascii: "\""): taken = Self.quoted(rest)
      case _ where Self.isName(first): taken = rest.prefix(while: Self.isName).count
      case UInt8(ascii: "?"), UInt8(ascii: "$"): taken = 1 + rest.dropFirst().prefix(while: Self.isDigit).count
      case _ where Self.isOperator(first): taken = rest.prefix(while: Self.isOperator).count
      default: taken = 1
      }
      words.append(String(decoding: rest.prefix(taken), as: UTF8.self))
      rest = rest.dropFirst(taken)
    }
  }

  /// The statement again; single spaces between the words.
  var sql: String { words.joined(separator: " ") }

  /// The place of the bracket that closes the one at a place.
  func closing(_ open: Int) -> Int? {
    var depth = 0
    for at in open..<words.count {
      if words[at] == "(" { depth += 1 }
      if words[at] == ")" {
        depth -= 1
        if depth == 0 { return at }
      }
    }
    return nil
  }

  /// The places of commas between two brackets that stand in no brackets of their own.
  func commas(_ open: Int, _ close: Int) -> [Int] {
    var depth = 0
    return (open..<close).filter { at in
      if words[at] == "(" { depth += 1 }
      if words[at] == ")" { depth -= 1 }
      return depth == 1 && words[at] == ","
    }
  }

  /// Whether these words stand at a place.
  func has(_ sought: String..., at place: Int) -> Bool { place >= 0 && Array(words.dropFirst(place).prefix(sought.count)) == sought }

  /// The words between the bracket at a place and the one that closes it, at the commas.
  func list(_ open: Int) -> [[String]] {
    guard let close = closing(open) else { return [] }
    var parts: [[String]] = []
    var start = open + 1
    for comma in commas(open, close) + [close] {
      parts.append(Array(words[start..<comma]))
      start = comma + 1
    }
    return parts
  }

  static func isName(_ word: String) -> Bool { word.utf8.first.map { isName($0) && !isDigit($0) } ?? false }

  private static func quoted(_ rest: ArraySlice<UInt8>) -> Int {
    guard let quote = rest.first else { return 0 }
    var at = rest.startIndex + 1
    while at < rest.endIndex {
      if rest[at] == quote {
        if at + 1 < rest.endIndex, rest[at + 1] == quote { at += 1 } else { return at + 1 - rest.startIndex }
      }
      at += 1
    }
    return rest.count
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isName(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte >= 0x80
  }

  private static func isOperator(_ byte: UInt8) -> Bool { "<>=!|:".utf8.contains(byte) }
}
