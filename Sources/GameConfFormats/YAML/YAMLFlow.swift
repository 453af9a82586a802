// Parses YAML's flow collections: lists in square brackets and mappings in braces.

extension YAMLParser {
  /// Parses the flow collection whose opening bracket is at the cursor.
  mutating func flowCollection(depth: Int) throws(SkippedEntry) -> YAMLNode {
    try checkDepth(depth)
    let open = at
    let isList = byte == UInt8(ascii: "[")
    let close = isList ? UInt8(ascii: "]") : UInt8(ascii: "}")
    var elements: [YAMLNode] = []
    var entries: [YAMLEntry] = []
    var places: [String: Int] = [:]
    at += 1
    try skipFlowBlanks(open)
    while byte != close {
      try checkFaults()
      if byte == UInt8(ascii: ",") { throw leave("Something is missing before this comma.") }
      if isList {
        elements.append(try flowNode(depth: depth + 1, open: open))
        try skipFlowBlanks(open)
        if byte == UInt8(ascii: ":") { throw leave("A pair inside [ ] is written {name: value}\(mention(open))") }
      } else {
        if let entry = try flowEntry(depth: depth + 1, open: open) { append(entry, to: &entries, &places) }
        try skipFlowBlanks(open)
      }
      if byte == UInt8(ascii: ",") {
        at += 1
        try skipFlowBlanks(open)
      } else if byte != close {
        throw leave("A comma or “\(isList ? "]" : "}")” is expected here\(mention(open))")
      }
    }
    at += 1
    return YAMLNode(content: isList ? .list(elements) : .mapping(entries), place: place(open))
  }

  /// Returns the end of an error message. It names the line of the opening bracket, unless that is the cursor's line.
  private func mention(_ open: Int) -> String {
    if open >= lineStart { return "." }
    return "; is the “\(Character(Unicode.Scalar(bytes[open])))” of line \(bytes[..<open].count { $0 == 0x0A } + 1) closed?"
  }

  private mutating func flowEntry(depth: Int, open: Int) throws(SkippedEntry) -> YAMLEntry? {
    if byte == UInt8(ascii: "?"), isBlank(at + 1) { throw leave("Keys written with “?” are refused; write “name: value”.") }
    guard try skipProperties() else { throw leave("A name is expected here.") }
    let namePlace = place(at)
    if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { throw leave("A key is text; lists and mappings cannot be one.") }
    let isQuoted = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    let name = isQuoted ? try quoted() : try flowPlain(open: open)
    try skipFlowBlanks(open)
    guard byte == UInt8(ascii: ":") else {
      let shown = YAMLScalar.shown(name)
      if !isQuoted, let colon = name.firstIndex(of: ":"), !name.hasPrefix("http") {
        report("A space is missing after the colon: “\(name[..<colon]): \(name[name.index(after: colon)...])”.", at: namePlace.offset)
      } else {
        report("“\(shown)” has no value. A comma ends plain text inside { }: text that holds one goes in quotes.", at: namePlace.offset)
      }
      return nil
    }
    at += 1
    try skipFlowBlanks(open)
    if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") {
      return YAMLEntry(name: name, namePlace: namePlace, value: YAMLNode(content: .scalar("", isQuoted: false), place: place(at)))
    }
    return YAMLEntry(name: name, namePlace: namePlace, value: try flowNode(depth: depth, open: open))
  }

  private mutating func flowNode(depth: Int, open: Int) throws(SkippedEntry) -> YAMLNode {
    let start = place(at)
    guard try skipProperties() else { return YAMLNode(content: .refused, place: start) }
    try skipFlowBlanks(open)
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "{"): return try flowCollection(depth: depth)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return YAMLNode(content: .scalar(try quoted(), isQuoted: true), place: start)
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"):
      return YAMLNode(content: start.offset == at ? .scalar("", isQuoted: false) : .refused, place: start)
    default: return YAMLNode(content: .scalar(try flowPlain(open: open), isQuoted: false), place: start)
    }
  }

  /// Skips spaces, comments and line breaks inside a flow collection.
  private mutating func skipFlowBlanks(_ open: Int) throws(SkippedEntry) {
    while !isAtEndOfFile {
      let before = at
      skipSpaces()
      if byte == UInt8(ascii: "#"), isBlank(at - 1) || before == at {
        if reportColour(at: at) { throw SkippedEntry() }
        while !isAtEndOfFile, byte != 0x0A { at += 1 }
      }
      guard byte == 0x0A else { break }
      at += 1
      lineStart = at
    }
    if isAtEnd {
      throw leave("This “\(Character(Unicode.Scalar(bytes[open])))” is never closed.", at: open)
    }
  }

  /// Parses an unquoted scalar inside a flow collection. It ends before a comma, a bracket, a separating colon or a comment.
  private mutating func flowPlain(open: Int) throws(SkippedEntry) -> String {
    if byte == UInt8(ascii: "?") { throw leave("Text that begins with “?” goes in quotes inside brackets.") }
    try checkPlainStart()
    var text: [UInt8] = []
    while true {
      let start = at
      while !isAtEndOfFile, byte != 0x0A, !YAMLScalar.flowIndicators.contains(byte) {
        if byte == UInt8(ascii: ":"), isBlank(at + 1) || YAMLScalar.flowIndicators.contains(bytes[at + 1]) { break }
        if byte == UInt8(ascii: "#"), isBlank(at - 1) { break }
        if byte == 0x09 { reportTab() }
        at += 1
      }
      text += trimmed(start..<at)
      guard byte == 0x0A else { break }
      try skipFlowBlanks(open)
      if YAMLScalar.flowIndicators.contains(byte) || byte == UInt8(ascii: ":") { break }
      text.append(0x20)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
