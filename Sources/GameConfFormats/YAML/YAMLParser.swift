// A parser of the subset of YAML 1.2 for catalogs: block and flow collections, all five scalar styles, and comments.

/// A YAML parser that continues after a fault, so that it can report all faults.
///
/// It rejects anchors, aliases, tags, directives, merge keys, complex keys, duplicate keys, tabs and further documents, because people
/// misread them. Each has its own error message. The nesting depth is checked before each recursion, so that no text can exhaust the stack.
struct YAMLParser {
  /// The maximum nesting depth of lists and mappings.
  static let depthMax = 64
  /// The number of faults after which the rest of the text is skipped.
  static let faultsMax = 100

  /// The error that makes the parser skip an entry, after the entry's fault was recorded.
  struct SkippedEntry: Error {}

  let bytes: [UInt8]
  let file: Int
  var at = 0
  var lineStart = 0
  var faults: [TextFault] = []
  /// True if the tree lacks a part of the text because of a fault.
  private(set) var isPartial = false

  init(_ text: YAMLText) {
    bytes = text.bytes
    file = text.file
  }

  /// Parses the text, which must be one document; nil if it is empty.
  mutating func document() -> YAMLNode? {
    do {
      try skipBlanks()
      while !isAtEndOfFile, at == lineStart, byte == UInt8(ascii: "%") {
        report("Directives are refused; begin with the first field.")
        skipLine()
        try skipBlanks()
      }
      if isAtMarker("---") {
        at += 3
        try skipBlanks()
      }
      if isAtEnd { return nil }
      let root = try blockNode(parent: -1, depth: 1)
      try skipBlanks()
      if isAtMarker("...") {
        at += 3
        try skipBlanks()
      }
      if isAtMarker("---") {
        report("A second document begins here; a file holds one catalog.")
      } else if !isAtEndOfFile {
        report("The line must end here.")
      }
      return root
    } catch {
      isPartial = true
      return nil
    }
  }

  /// Parses the node at the cursor. Its column must be greater than `parent`, the column of the surrounding node.
  mutating func blockNode(parent: Int, depth: Int) throws(SkippedEntry) -> YAMLNode {
    let indent = column
    if isAtDash { return try blockList(indent: indent, depth: depth) }
    if byte == UInt8(ascii: "?"), isBlank(at + 1) { throw leave("Keys written with “?” are refused; write “name: value”.") }
    let start = at
    if try !skipProperties() { return YAMLNode(content: .refused, place: place(start)) }
    if at != start, isAtLineEnd {
      try skipBlanks()
      if isAtEnd || column <= parent { return YAMLNode(content: .refused, place: place(start)) }
      return try blockNode(parent: parent, depth: depth)
    }
    if isAtKey { return try blockMapping(indent: indent, depth: depth) }
    return try inlineValue(parent: parent, depth: depth)
  }

  private mutating func blockMapping(indent: Int, depth: Int) throws(SkippedEntry) -> YAMLNode {
    try checkDepth(depth)
    let start = place(at)
    var entries: [YAMLEntry] = []
    var places: [String: Int] = [:]
    repeat {
      let entryLine = lineStart
      do throws(SkippedEntry) {
        try checkFaults()
        let entry = try blockEntry(indent: indent, depth: depth)
        append(entry, to: &entries, &places)
        try skipBlanks()
        if !isAtEnd, column > indent {
          throw leave("This line is indented further than the fields above it; give it the same indentation, or put long text in quotes.")
        }
      } catch {
        isPartial = true
        if faults.count >= Self.faultsMax { throw error }
        skipEntry(from: entryLine, indent: indent)
      }
    } while !isAtEnd && column == indent
    return YAMLNode(content: .mapping(entries), place: start)
  }

  private mutating func blockEntry(indent: Int, depth: Int) throws(SkippedEntry) -> YAMLEntry {
    if isAtDash { throw leave("A list item cannot be among fields.") }
    guard try skipProperties(), isAtKey else { throw leave("A field is written “name: value”, with a space after the colon.") }
    let namePlace = place(at)
    let name = try key()
    at += 1
    return YAMLEntry(name: name, namePlace: namePlace, value: try value(indent: indent, depth: depth + 1, inMapping: true))
  }

  private mutating func blockList(indent: Int, depth: Int) throws(SkippedEntry) -> YAMLNode {
    try checkDepth(depth)
    let start = place(at)
    var elements: [YAMLNode] = []
    while !isAtEnd, column == indent, isAtDash {
      try checkFaults()
      at += 1
      elements.append(try value(indent: indent, depth: depth + 1, inMapping: false))
      try skipBlanks()
    }
    if !isAtEnd, column > indent { throw leave("This line is indented further than the list above it.") }
    return YAMLNode(content: .list(elements), place: start)
  }

  /// Parses the value after the colon of an entry or the dash of a list element.
  private mutating func value(indent: Int, depth: Int, inMapping: Bool) throws(SkippedEntry) -> YAMLNode {
    skipSpaces()
    let start = at
    let isWhole = !inMapping ? true : try skipProperties()
    if !isWhole {
      try expectLineEnd()
      return YAMLNode(content: .refused, place: place(start))
    }
    if isAtLineEnd {
      let comment = byte == UInt8(ascii: "#") ? at : nil
      try skipBlanks()
      if !isAtEnd, column > indent { return try blockNode(parent: indent, depth: depth) }
      if inMapping, !isAtEnd, column == indent, isAtDash { return try blockList(indent: indent, depth: depth) }
      if let comment, reportColour(at: comment) { return YAMLNode(content: .refused, place: place(comment)) }
      return YAMLNode(content: .scalar("", isQuoted: false), place: place(start))
    }
    if byte == UInt8(ascii: "|") || byte == UInt8(ascii: ">") { return try blockScalar(parent: indent) }
    return try inMapping ? inlineValue(parent: indent, depth: depth) : blockNode(parent: indent, depth: depth)
  }

  /// Parses a value that begins on the line of its colon or dash. The value ends on that line, unless it is quoted, in brackets, or
  /// continued on lines with deeper indentation.
  private mutating func inlineValue(parent: Int, depth: Int) throws(SkippedEntry) -> YAMLNode {
    let start = place(at)
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      let node = try flowCollection(depth: depth)
      try expectLineEnd()
      return node
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let text = try quoted()
      try expectLineEnd()
      return YAMLNode(content: .scalar(text, isQuoted: true), place: start)
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      return try blockScalar(parent: parent)
    default:
      return YAMLNode(content: .scalar(try plain(parent: parent), isQuoted: false), place: start)
    }
  }

  mutating func checkDepth(_ depth: Int) throws(SkippedEntry) {
    if depth > Self.depthMax { throw leave("Nested deeper than \(Self.depthMax) levels, which is the most there may be.") }
  }

  /// Throws if the limit of faults is reached, so that the parser does not continue in a text that is not YAML at all.
  func checkFaults() throws(SkippedEntry) {
    if faults.count >= Self.faultsMax { throw SkippedEntry() }
  }

  /// Appends an entry to a mapping. Records a fault instead if the mapping has its name already, or if it is a merge key (`<<`).
  mutating func append(_ entry: YAMLEntry, to entries: inout [YAMLEntry], _ places: inout [String: Int]) {
    if entry.name == "<<", bytes[entry.namePlace.offset] == UInt8(ascii: "<") {
      report("Merge keys (“<<”) are refused; write the fields out.", at: entry.namePlace.offset)
    } else if let first = places[entry.name] {
      // After a fault, the line that begins a nested mapping may be lost, so that a name only seems to occur twice.
      guard !isPartial else { return }
      let line = bytes[..<first].count { $0 == UInt8(ascii: "\n") } + 1
      report("“\(entry.name)” is already in this mapping, at line \(line); keep one of the two.", at: entry.namePlace.offset)
    } else {
      places[entry.name] = entry.namePlace.offset
      entries.append(entry)
    }
  }

  /// Skips anchors and tags, and records a fault for each. Returns false if there was an alias.
  mutating func skipProperties() throws(SkippedEntry) -> Bool {
    while !isAtEndOfFile {
      switch byte {
      case UInt8(ascii: "&"): report("Anchors are refused; write the value out where it is needed.")
      case UInt8(ascii: "!"): report("Tags are refused; the type of a value is the one its field declares.")
      case UInt8(ascii: "*"): report("Aliases are refused; write the value out (text that begins with “*” goes in quotes).")
      default: return true
      }
      let isAlias = byte == UInt8(ascii: "*")
      while !isAtEndOfFile, !isBlank(at), !YAMLScalar.flowIndicators.contains(byte) { at += 1 }
      skipSpaces()
      if isAlias { return false }
    }
    return true
  }

  /// Records a fault if the comment at this offset is in fact an unquoted colour such as #ff0000. Returns true if it is one.
  mutating func reportColour(at comment: Int) -> Bool {
    var end = comment + 1
    while end < bytes.count, YAMLScalar.isHexDigit(bytes[end]) { end += 1 }
    guard [3, 4, 6, 8].contains(end - comment - 1) else { return false }
    if end < bytes.count, !isBlank(end), !YAMLScalar.flowIndicators.contains(bytes[end]) { return false }
    let colour = String(decoding: bytes[comment..<end], as: UTF8.self)
    report("“\(colour)” begins a comment here; put a colour in quotes: \"\(colour)\".", at: comment)
    return true
  }

  /// Moves the cursor back to the line on which an entry began, and then to the first line after the entry.
  private mutating func skipEntry(from line: Int, indent: Int) {
    at = line
    lineStart = line
    while !isAtEndOfFile {
      skipLine()
      var content = at
      while content < bytes.count, bytes[content] == UInt8(ascii: " ") { content += 1 }
      if content == bytes.count { at = content }
      guard content < bytes.count, ![0x0A, 0x09, UInt8(ascii: "#")].contains(bytes[content]) else { continue }
      let isOut = content - lineStart < indent
      let isClosing = [UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: "-")].contains(bytes[content])
      if isOut || (content - lineStart == indent && !isClosing) {
        at = content
        if isOut || isAtKey { return }
      }
    }
  }
}
