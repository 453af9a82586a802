// Parses the text of YAML's unquoted scalars, keys and quoted scalars.

extension YAMLParser {
  /// Parses the key at the cursor. Its colon is at the cursor afterwards.
  mutating func key() throws(SkippedEntry) -> String {
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      let text = try quoted()
      skipSpaces()
      return text
    }
    try checkPlainStart()
    let start = at
    while byte != UInt8(ascii: ":") || !isBlank(at + 1) {
      if byte == 0x09 { reportTab() }
      at += 1
    }
    return String(decoding: trimmed(start..<at), as: UTF8.self)
  }

  /// Parses an unquoted scalar outside of brackets. Lines that are indented further than the column `parent` continue it.
  mutating func plain(parent: Int) throws(SkippedEntry) -> String {
    try checkPlainStart()
    var text: [UInt8] = []
    while true {
      let start = at
      var endsInComment = false
      while !isAtEndOfFile, byte != 0x0A {
        if byte == UInt8(ascii: ":"), isBlank(at + 1) {
          throw leave("A second “: ” in one value; put the text in quotes, or give a field on its own line the right indentation.")
        }
        if byte == UInt8(ascii: "#"), isBlank(at - 1) {
          endsInComment = true
          break
        }
        if byte == 0x09 { reportTab() }
        at += 1
      }
      text += trimmed(start..<at)
      if endsInComment || isAtEndOfFile { break }
      let (end, endLine) = (at, lineStart)
      var breaks = 0
      while byte == 0x0A {
        breaks += 1
        at += 1
        lineStart = at
        skipSpaces()
      }
      if isAtEnd || column <= parent || byte == UInt8(ascii: "#") {
        (at, lineStart) = (end, endLine)
        break
      }
      text += breaks == 1 ? [0x20] : Array(repeating: 0x0A, count: breaks - 1)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Throws, and records a fault, if the unquoted scalar at the cursor begins with an indicator character of YAML.
  mutating func checkPlainStart() throws(SkippedEntry) {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"):
      if isBlank(at + 1) || YAMLScalar.flowIndicators.contains(bytes[at + 1]) {
        throw leave("“\(Character(Unicode.Scalar(byte)))” is not allowed here; begin a list item on its own line, and put text in quotes.")
      }
    case let other where YAMLScalar.indicators.contains(other):
      throw leave("Text that begins with “\(Character(Unicode.Scalar(other)))” goes in quotes.")
    default: break
    }
  }

  /// Returns the bytes in the range without the spaces and tabs at its end.
  func trimmed(_ range: Range<Int>) -> ArraySlice<UInt8> {
    var end = range.upperBound
    while end > range.lowerBound, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    return bytes[range.lowerBound..<end]
  }

  /// Parses a scalar in single or double quotes.
  mutating func quoted() throws(SkippedEntry) -> String {
    let quote = byte
    let open = at
    let openLine = lineStart
    at += 1
    var text: [UInt8] = []
    var protectedCount = 0
    while true {
      if isAtEndOfFile || isAtEnd {
        (at, lineStart) = (open, openLine)
        throw leave("This quote is never closed.", at: open)
      }
      switch byte {
      case quote:
        at += 1
        guard quote == UInt8(ascii: "'"), byte == quote else { return String(decoding: text, as: UTF8.self) }
        text.append(quote)
        at += 1
      case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""):
        at += 1
        try escape(into: &text)
        protectedCount = text.count
      case 0x0A:
        while text.count > protectedCount, text.last == 0x20 { text.removeLast() }
        text += foldedBreaks()
        protectedCount = text.count
      default:
        if byte == 0x09 { reportTab() }
        text.append(byte)
        at += 1
      }
    }
  }

  /// Skips line breaks and the indentation after them, and returns them folded: one line break becomes a space, and n of them become n − 1.
  private mutating func foldedBreaks() -> [UInt8] {
    var breaks = 0
    while byte == 0x0A {
      breaks += 1
      at += 1
      lineStart = at
      if isAtEnd { break }
      skipSpaces()
    }
    return breaks == 1 ? [0x20] : Array(repeating: 0x0A, count: breaks - 1)
  }

  private mutating func escape(into text: inout [UInt8]) throws(SkippedEntry) {
    let start = at - 1
    let escaped = byte
    at += 1
    let digits: Int
    switch escaped {
    case 0x0A:
      lineStart = at
      skipSpaces()
      while byte == 0x0A {
        text.append(0x0A)
        at += 1
        lineStart = at
        skipSpaces()
      }
      return
    case UInt8(ascii: "x"): digits = 2
    case UInt8(ascii: "u"): digits = 4
    case UInt8(ascii: "U"): digits = 8
    default:
      guard let scalar = YAMLScalar.escapes[escaped] else {
        throw leave("“\\” before this character has no meaning; write “\\\\” for a backslash.", at: start)
      }
      text += Array(String(scalar).utf8)
      return
    }
    var code = try hexCode(digits, from: start)
    if (0xD800..<0xDC00).contains(code), byte == UInt8(ascii: "\\"), at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "u") {
      at += 2
      let low = try hexCode(4, from: start)
      code = (0xDC00..<0xE000).contains(low) ? 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) : code
    }
    guard let scalar = Unicode.Scalar(code) else {
      throw leave("This escape is not a character (half of a surrogate pair, or too large).", at: start)
    }
    text += Array(String(Character(scalar)).utf8)
  }

  private mutating func hexCode(_ digits: Int, from start: Int) throws(SkippedEntry) -> UInt32 {
    let end = at + digits
    guard end <= bytes.count, bytes[at..<end].allSatisfy(YAMLScalar.isHexDigit),
      let code = UInt32(String(decoding: bytes[at..<end], as: UTF8.self), radix: 16)
    else { throw leave("This escape takes \(digits) hexadecimal digits.", at: start) }
    at = end
    return code
  }
}
