// The position of the YAML parser: what is ahead, what may be passed over, and faults at a place.

extension YAMLParser {
  var isAtEndOfFile: Bool { at >= bytes.count }

  /// The byte ahead; 0 at the end, which no text holds.
  var byte: UInt8 { at < bytes.count ? bytes[at] : 0 }

  /// The distance of the place ahead from the start of its line, in bytes; only spaces and dashes are before it where this matters.
  var column: Int { at - lineStart }

  func place(_ offset: Int) -> TextPosition { TextPosition(file: file, offset: offset) }

  /// True if a space, tab, line end or the end of the file stands there.
  func isBlank(_ offset: Int) -> Bool {
    guard offset < bytes.count else { return true }
    return bytes[offset] == 0x20 || bytes[offset] == 0x09 || bytes[offset] == 0x0A
  }

  /// True if the document ends here: by the file or by a marker.
  var isAtEnd: Bool { isAtEndOfFile || isAtMarker("---") || isAtMarker("...") }

  func isAtMarker(_ marker: StaticString) -> Bool {
    guard at == lineStart, at + 3 <= bytes.count, isBlank(at + 3) else { return false }
    return marker.withUTF8Buffer { $0.elementsEqual(bytes[at..<at + 3]) }
  }

  var isAtDash: Bool { byte == UInt8(ascii: "-") && isBlank(at + 1) }

  /// True if only a comment, if anything, follows on this line.
  var isAtLineEnd: Bool {
    isAtEndOfFile || byte == 0x0A || (byte == UInt8(ascii: "#") && (at == 0 || isBlank(at - 1)))
  }

  /// True if a key and its colon stand here, on one line.
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

  /// A doubled single quote stands inside a quoted key: whether a colon follows where the key ends.
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

  /// Passes over spaces; a tab among them is a fault.
  mutating func skipSpaces() {
    while at < bytes.count {
      if bytes[at] == 0x09 { reportTab() } else if bytes[at] != 0x20 { return }
      at += 1
    }
  }

  /// Passes over spaces, comments and line ends to what comes next.
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

  /// Nothing but a comment may follow on this line.
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

  /// Writes a fault down.
  mutating func report(_ message: String, at offset: Int? = nil) {
    faults.append(TextFault(place: place(offset ?? at), message: message))
  }

  /// Writes a fault down and gives what to throw to leave the entry.
  mutating func leave(_ message: String, at offset: Int? = nil) -> SkippedEntry {
    report(message, at: offset)
    return SkippedEntry()
  }
}
