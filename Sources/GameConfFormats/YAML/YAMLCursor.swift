// The cursor of the YAML parser: lookahead, skipping, and the recording of faults.

extension YAMLParser {
  var isAtEndOfFile: Bool { at >= bytes.count }

  /// The byte at the cursor; 0 at the end of the file, since no YAML text contains that byte.
  var byte: UInt8 { at < bytes.count ? bytes[at] : 0 }

  /// The column of the cursor: its distance from the start of the line in bytes. Where it is used, only spaces and dashes are before the
  /// cursor.
  var column: Int { at - lineStart }

  func place(_ offset: Int) -> TextPosition { TextPosition(file: file, offset: offset) }

  /// True if there is a space, tab, line break or the end of the file at this offset from the start of the text.
  func isBlank(_ offset: Int) -> Bool {
    guard offset < bytes.count else { return true }
    return bytes[offset] == 0x20 || bytes[offset] == 0x09 || bytes[offset] == 0x0A
  }

  /// True if the document ends at the cursor, with the end of the file or with a marker (`---` or `...`).
  var isAtEnd: Bool { isAtEndOfFile || isAtMarker("---") || isAtMarker("...") }

  func isAtMarker(_ marker: StaticString) -> Bool {
    guard at == lineStart, at + 3 <= bytes.count, isBlank(at + 3) else { return false }
    return marker.withUTF8Buffer { $0.elementsEqual(bytes[at..<at + 3]) }
  }

  var isAtDash: Bool { byte == UInt8(ascii: "-") && isBlank(at + 1) }

  /// True if the rest of the cursor's line is empty or a comment.
  var isAtLineEnd: Bool {
    isAtEndOfFile || byte == 0x0A || (byte == UInt8(ascii: "#") && (at == 0 || isBlank(at - 1)))
  }

  /// True if a mapping's key and its colon are at the cursor, on one line.
  var isAtKey: Bool {
    var here = at
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      let quote = byte
      here += 1
      while here < bytes.count, bytes[here] != quote, bytes[here] != 0x0A {
        here += quote == UInt8(ascii: "\"") && bytes[here] == UInt8(ascii: "\\") ? 2 : 1
      }
      guard here < bytes.count, bytes[here] == quote else { return false }
      here += 1
      if here < bytes.count, bytes[here] == quote { return quotedKeyGoesOn(from: here) }
      while here < bytes.count, bytes[here] == 0x20 { here += 1 }
      return here < bytes.count && bytes[here] == UInt8(ascii: ":") && isBlank(here + 1)
    }
    if YAMLScalar.indicators.contains(byte) { return false }
    while here < bytes.count, bytes[here] != 0x0A {
      if bytes[here] == UInt8(ascii: ":"), isBlank(here + 1) { return here > at }
      if bytes[here] == UInt8(ascii: "#"), here > at, isBlank(here - 1) { return false }
      here += 1
    }
    return false
  }

  /// Looks ahead in a quoted key after a doubled single quote. Returns true if the key ends on this line and a colon follows it.
  private func quotedKeyGoesOn(from doubled: Int) -> Bool {
    var here = doubled + 1
    while here < bytes.count, bytes[here] != 0x0A {
      if bytes[here] == UInt8(ascii: "'") {
        if here + 1 < bytes.count, bytes[here + 1] == UInt8(ascii: "'") {
          here += 1
        } else {
          here += 1
          while here < bytes.count, bytes[here] == 0x20 { here += 1 }
          return here < bytes.count && bytes[here] == UInt8(ascii: ":") && isBlank(here + 1)
        }
      }
      here += 1
    }
    return false
  }

  /// Skips spaces. Records a fault if there is a tab among them.
  mutating func skipSpaces() {
    while at < bytes.count {
      if bytes[at] == 0x09 { reportTab() } else if bytes[at] != 0x20 { return }
      at += 1
    }
  }

  /// Skips spaces, comments and line breaks.
  mutating func skipBlanks() throws(SkippedEntry) {
    while !isAtEndOfFile {
      let start = at
      let hadTab = faults.count
      skipSpaces()
      if isAtEndOfFile { return }
      if byte == UInt8(ascii: "#"), at == 0 || isBlank(at - 1) {
        while !isAtEndOfFile, byte != 0x0A { at += 1 }
      }
      if byte == 0x0A {
        at += 1
        lineStart = at
      } else {
        if !isAtEndOfFile, start == lineStart, faults.count > hadTab { throw SkippedEntry() }
        return
      }
    }
  }

  mutating func skipLine() {
    while !isAtEndOfFile, byte != 0x0A { at += 1 }
    if !isAtEndOfFile { at += 1 }
    lineStart = at
  }

  /// Throws, and records a fault, unless the rest of the line is empty or a comment.
  mutating func expectLineEnd() throws(SkippedEntry) {
    skipSpaces()
    if isAtLineEnd { return }
    if byte == UInt8(ascii: ":") { throw leave("A colon cannot follow here; put a value that contains “: ” in quotes as a whole.") }
    if byte == UInt8(ascii: "#") { throw leave("A comment needs a space before its “#”.") }
    throw leave("The line must end after the value; put the whole text in quotes.")
  }

  mutating func reportTab() {
    report("This is a tab; use spaces (in text, “\\t” inside double quotes).")
  }

  /// Records a fault, by default at the cursor.
  mutating func report(_ message: String, at offset: Int? = nil) {
    faults.append(TextFault(place: place(offset ?? at), message: message))
  }

  /// Records a fault, and returns the error that makes the parser skip the entry.
  mutating func leave(_ message: String, at offset: Int? = nil) -> SkippedEntry {
    report(message, at: offset)
    return SkippedEntry()
  }
}
