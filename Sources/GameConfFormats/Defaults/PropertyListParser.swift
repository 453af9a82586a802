// The parser of XML property lists.

import GameConfCore

struct PropertyListParser {
  struct Stop: Error {
    var offset: Int
    var message: String
  }

  let bytes: [UInt8]
  let others: PropertyList.Others
  private var at = 0

  init(bytes: [UInt8], others: PropertyList.Others) {
    self.bytes = bytes
    self.others = others
  }

  mutating func document() throws(Stop) -> Value {
    try skipMisc()
    if skip("<?xml") { try skip(past: "?>") }
    try skipMisc()
    if skip("<!DOCTYPE") { try doctype() }
    try skipMisc()
    guard let root = try openTag(), root.name == "plist", !root.isEmpty else {
      throw stop("A property list should begin with <plist version=\"1.0\">.")
    }
    try skipMisc()
    let value = try element(depth: 1)
    try skipMisc()
    try close("plist")
    try skipMisc()
    if at < bytes.count { throw stop("The file must end after </plist>.") }
    return value
  }

  private mutating func element(depth: Int) throws(Stop) -> Value {
    let start = at
    guard let tag = try openTag() else { throw stop("A value is expected here, such as <string> or <dict>.") }
    switch tag.name {
    case "true", "false":
      if !tag.isEmpty { try close(tag.name) }
      return .bool(tag.name == "true")
    case "string": return .string(tag.isEmpty ? "" : try content(of: tag.name))
    case "integer": return try integer(tag.isEmpty ? "" : content(of: tag.name), at: start)
    case "real": return try real(tag.isEmpty ? "" : content(of: tag.name), at: start)
    case "date", "data":
      let text = tag.isEmpty ? "" : try content(of: tag.name)
      if others == .asText { return .string(text) }
      throw stop("A <\(tag.name)> has no counterpart among the types of parameters; write it as a <string>.", at: start)
    case "array": return try array(tag.isEmpty, depth, start)
    case "dict": return try dictionary(tag.isEmpty, depth, start)
    default: throw stop("<\(tag.name)> is not an element of property lists.", at: start)
    }
  }

  private mutating func array(_ isEmpty: Bool, _ depth: Int, _ start: Int) throws(Stop) -> Value {
    try checkDepth(depth, start)
    var elements: [Value] = []
    if isEmpty { return .list([]) }
    try skipMisc()
    while !isAhead("</") {
      elements.append(try element(depth: depth + 1))
      try skipMisc()
    }
    try close("array")
    return .list(elements)
  }

  private mutating func dictionary(_ isEmpty: Bool, _ depth: Int, _ start: Int) throws(Stop) -> Value {
    try checkDepth(depth, start)
    var object = ObjectValue()
    if isEmpty { return .object(object) }
    try skipMisc()
    while !isAhead("</") {
      let keyAt = at
      guard let tag = try openTag(), tag.name == "key" else { throw stop("A <key> is expected here.", at: keyAt) }
      let key = tag.isEmpty ? "" : try content(of: "key")
      try skipMisc()
      let value = try element(depth: depth + 1)
      if !object.appendIfAbsent(key, value) { throw stop("The key “\(key)” appears twice in this dictionary.", at: keyAt) }
      try skipMisc()
    }
    try close("dict")
    return .object(object)
  }

  private func checkDepth(_ depth: Int, _ start: Int) throws(Stop) {
    if depth > PropertyList.depthMax { throw stop("Nested deeper than \(PropertyList.depthMax) levels.", at: start) }
  }

  private func integer(_ text: String, at start: Int) throws(Stop) -> Value {
    let digits = text.hasPrefix("+") ? String(text.dropFirst()) : text
    guard let integer = Int64(digits) else { throw stop("“\(YAMLScalar.shown(text))” is not an integer of 64 bits.", at: start) }
    return .integer(integer)
  }

  private func real(_ text: String, at start: Int) throws(Stop) -> Value {
    guard text.utf8.count <= 1024, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }),
      let double = Double(text),
      double.isFinite
    else { throw stop("“\(YAMLScalar.shown(text))” is not a finite number.", at: start) }
    return .double(double)
  }

  private struct Tag {
    var name: String
    var isEmpty: Bool
  }

  /// The tag that opens here; nil when none does. Attributes are passed over.
  private mutating func openTag() throws(Stop) -> Tag? {
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
        return Tag(name: name, isEmpty: bytes[at - 2] == UInt8(ascii: "/"))
      }
    }
    throw stop("This tag is never closed.", at: start)
  }

  private mutating func close(_ name: String) throws(Stop) {
    guard skip("</") else { throw stop("</\(name)> is expected here.") }
    let start = at
    while at < bytes.count, isNameByte(bytes[at]) { at += 1 }
    let isRight = String(decoding: bytes[start..<at], as: UTF8.self) == name
    skipSpace()
    guard isRight, skip(">") else { throw stop("</\(name)> is expected here.", at: start - 2) }
  }

  /// The text up to the closing tag, with entities replaced.
  private mutating func content(of name: String) throws(Stop) -> String {
    let start = at
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
        try close(name)
        return String(decoding: text, as: UTF8.self)
      } else {
        text.append(bytes[at])
        at += 1
      }
    }
    throw stop("This <\(name)> is never closed.", at: start)
  }

  private mutating func entity() throws(Stop) -> [UInt8] {
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

  private mutating func doctype() throws(Stop) {
    let start = at
    while at < bytes.count, bytes[at] != UInt8(ascii: ">") {
      if bytes[at] == UInt8(ascii: "[") { throw stop("A document type with declarations of its own is refused.") }
      at += 1
    }
    if at == bytes.count { throw stop("The document type is never closed.", at: start) }
    at += 1
  }

  /// Passes over white space, comments and processing instructions.
  private mutating func skipMisc() throws(Stop) {
    while true {
      skipSpace()
      if skip("<!--") { try skip(past: "-->") } else { return }
    }
  }

  private mutating func skipSpace() {
    while at < bytes.count, [0x20, 0x09, 0x0A].contains(bytes[at]) { at += 1 }
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
  }

  private func isAhead(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    return at + count <= bytes.count && text.withUTF8Buffer { $0.elementsEqual(bytes[at..<at + count]) }
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    guard isAhead(text) else { return false }
    at += text.utf8CodeUnitCount
    return true
  }

  private mutating func skip(past text: StaticString) throws(Stop) {
    let start = at
    while at < bytes.count {
      if skip(text) { return }
      at += 1
    }
    throw stop("“\(text)” is missing after this.", at: start)
  }

  private func stop(_ message: String, at offset: Int? = nil) -> Stop { Stop(offset: offset ?? at, message: message) }
}
