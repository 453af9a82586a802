// A parser of the subset of XML that property lists and Android's resources need: elements, text, comments and the predefined entities.

import GameConfCore

/// The first syntax error in an XML text, with its byte offset.
struct XMLSyntaxError: Error {
  var offset: Int
  var message: String
}

/// A cursor over an XML text. It ignores attributes and never expands external entities.
struct XMLCursor {
  private let bytes: [UInt8]
  private(set) var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { at == bytes.count }

  /// Runs a parser over an XML file, and converts the offset of a syntax error to a line and a column.
  static func read<Outcome>(
    _ bytes: [UInt8], _ parse: (inout XMLCursor) throws(XMLSyntaxError) -> Outcome
  ) throws(FormatFault) -> Outcome {
    var textFaults: [TextFault] = []
    let text = YAMLText(bytes, file: 0, faults: &textFaults)
    if let fault = textFaults.first {
      let position = text.position(of: fault.place.offset)
      throw FormatFault(line: position.line, column: position.column, message: fault.message)
    }
    var cursor = XMLCursor(text.bytes)
    do throws(XMLSyntaxError) { return try parse(&cursor) } catch {
      let position = text.position(of: error.offset)
      throw FormatFault(line: position.line, column: position.column, message: error.message)
    }
  }

  /// Skips everything that may precede the root element, such as the XML declaration.
  mutating func prolog() throws(XMLSyntaxError) {
    try skipMisc()
    if skip("<?xml") { try skip(past: "?>") }
    try skipMisc()
    if skip("<!DOCTYPE") { try doctype() }
    try skipMisc()
  }

  struct XMLOpeningTag {
    var name: String
    var isEmpty: Bool
  }

  /// Consumes the opening tag at the cursor and returns it; nil if there is no opening tag. Attributes are skipped.
  mutating func openTag() throws(XMLSyntaxError) -> XMLOpeningTag? {
    guard at < bytes.count, bytes[at] == UInt8(ascii: "<"), !isAhead("</") else { return nil }
    let start = at
    at += 1
    let nameStart = at
    while at < bytes.count, isNameByte(bytes[at]) { at += 1 }
    let name = String(decoding: bytes[nameStart..<at], as: UTF8.self)
    var quote: UInt8?
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return XMLOpeningTag(name: name, isEmpty: bytes[at - 2] == UInt8(ascii: "/"))
      }
    }
    throw stop("This tag is never closed.", at: start)
  }

  mutating func close(_ name: String) throws(XMLSyntaxError) {
    guard skip("</") else { throw stop("</\(name)> is expected here.") }
    let start = at
    while at < bytes.count, isNameByte(bytes[at]) { at += 1 }
    let isRight = String(decoding: bytes[start..<at], as: UTF8.self) == name
    skipSpace()
    guard isRight, skip(">") else { throw stop("</\(name)> is expected here.", at: start - 2) }
  }

  /// Returns the text of an element without child elements, and consumes its closing tag.
  mutating func content(of name: String) throws(XMLSyntaxError) -> String {
    let start = at
    let text = try text()
    if isAtEnd { throw stop("This <\(name)> is never closed.", at: start) }
    try close(name)
    return text
  }

  /// Returns the text up to the next tag, with entities replaced and comments removed.
  mutating func text() throws(XMLSyntaxError) -> String {
    var text: [UInt8] = []
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "&") {
        text += try entity()
      } else if skip("<![CDATA[") {
        let from = at
        try skip(past: "]]>")
        text += bytes[from..<at - 3]
      } else if skip("<!--") {
        try skip(past: "-->")
      } else if bytes[at] == UInt8(ascii: "<") {
        break
      } else {
        text.append(bytes[at])
        at += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func entity() throws(XMLSyntaxError) -> [UInt8] {
    let start = at
    guard let end = bytes[at...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { throw stop("“&” is written &amp; in XML.") }
    let name = String(decoding: bytes[(at + 1)..<end], as: UTF8.self)
    at = end + 1
    let named: [String: UInt8] = ["amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27]
    if let byte = named[name] { return [byte] }
    let code = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
    guard let code, code > 0, let scalar = Unicode.Scalar(code) else {
      throw stop("The entity &\(name); is unknown; only &amp; &lt; &gt; &quot; &apos; and numbers are.", at: start)
    }
    return Array(String(Character(scalar)).utf8)
  }

  private mutating func doctype() throws(XMLSyntaxError) {
    let start = at
    while at < bytes.count, bytes[at] != UInt8(ascii: ">") {
      if bytes[at] == UInt8(ascii: "[") { throw stop("A document type with declarations of its own is refused.") }
      at += 1
    }
    if at == bytes.count { throw stop("The document type is never closed.", at: start) }
    at += 1
  }

  /// Skips white space, comments and processing instructions.
  mutating func skipMisc() throws(XMLSyntaxError) {
    while true {
      skipSpace()
      if skip("<!--") { try skip(past: "-->") } else { return }
    }
  }

  private mutating func skipSpace() {
    while at < bytes.count, [0x20, 0x09, 0x0A].contains(bytes[at]) { at += 1 }
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "_-.:".utf8.contains(byte)
  }

  func isAhead(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    return at + count <= bytes.count && text.withUTF8Buffer { $0.elementsEqual(bytes[at..<at + count]) }
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    guard isAhead(text) else { return false }
    at += text.utf8CodeUnitCount
    return true
  }

  private mutating func skip(past text: StaticString) throws(XMLSyntaxError) {
    let start = at
    while at < bytes.count {
      if skip(text) { return }
      at += 1
    }
    throw stop("“\(text)” is missing after this.", at: start)
  }

  func stop(_ message: String, at offset: Int? = nil) -> XMLSyntaxError { XMLSyntaxError(offset: offset ?? at, message: message) }
}
