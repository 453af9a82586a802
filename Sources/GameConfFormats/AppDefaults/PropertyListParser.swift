// A recursive parser of property lists in XML.

import GameConfCore

struct PropertyListParser {
  /// The number of dates and binary data elements that were parsed so far.
  private(set) var others = 0
  /// The names of the top-level members that are, or contain, dates or binary data.
  private(set) var namesOfOthers: [String] = []

  mutating func document(_ xml: inout XMLCursor) throws(XMLSyntaxError) -> Value {
    try xml.prolog()
    guard let root = try xml.openTag(), root.name == "plist", !root.isEmpty else {
      throw xml.stop("A property list should begin with <plist version=\"1.0\">.")
    }
    try xml.skipMisc()
    let value = try element(&xml, depth: 1)
    try xml.skipMisc()
    try xml.close("plist")
    try xml.skipMisc()
    if !xml.isAtEnd { throw xml.stop("The file must end after </plist>.") }
    return value
  }

  private mutating func element(_ xml: inout XMLCursor, depth: Int) throws(XMLSyntaxError) -> Value {
    let start = xml.at
    guard let tag = try xml.openTag() else { throw xml.stop("A value is expected here, such as <string> or <dict>.") }
    let text = { (xml: inout XMLCursor) throws(XMLSyntaxError) in tag.isEmpty ? "" : try xml.content(of: tag.name) }
    switch tag.name {
    case "true", "false":
      if !tag.isEmpty { try xml.close(tag.name) }
      return .bool(tag.name == "true")
    case "string": return .string(try text(&xml))
    case "integer":
      let written = try text(&xml)
      guard let integer = Int64(written.hasPrefix("+") ? String(written.dropFirst()) : written) else {
        throw xml.stop("“\(YAMLScalar.shown(written))” is not an integer of 64 bits.", at: start)
      }
      return .integer(integer)
    case "real":
      let written = try text(&xml)
      guard let double = Self.real(written) else { throw xml.stop("“\(YAMLScalar.shown(written))” is not a finite number.", at: start) }
      return .double(double)
    case "date":
      let written = try text(&xml)
      guard let instant = try? Instant(parsing: written) else {
        throw xml.stop("“\(YAMLScalar.shown(written))” is not a date such as 2026-12-01T00:00:00Z.", at: start)
      }
      others += 1
      return .string(PropertyListScalars.text(of: instant))
    case "data":
      guard let bytes = PropertyListScalars.bytes(ofBase64: try text(&xml)) else { throw xml.stop("This is not base64.", at: start) }
      others += 1
      return .string(PropertyListScalars.text(ofData: bytes))
    case "array": return try array(&xml, tag.isEmpty, depth, start)
    case "dict": return try dictionary(&xml, tag.isEmpty, depth, start)
    default: throw xml.stop("<\(tag.name)> is not an element of property lists.", at: start)
    }
  }

  private mutating func array(_ xml: inout XMLCursor, _ isEmpty: Bool, _ depth: Int, _ start: Int) throws(XMLSyntaxError) -> Value {
    try checkDepth(xml, depth, start)
    var elements: [Value] = []
    if isEmpty { return .list([]) }
    try xml.skipMisc()
    while !xml.isAhead("</") {
      elements.append(try element(&xml, depth: depth + 1))
      try xml.skipMisc()
    }
    try xml.close("array")
    return .list(elements)
  }

  private mutating func dictionary(_ xml: inout XMLCursor, _ isEmpty: Bool, _ depth: Int, _ start: Int) throws(XMLSyntaxError) -> Value {
    try checkDepth(xml, depth, start)
    var object = ObjectValue()
    if isEmpty { return .object(object) }
    try xml.skipMisc()
    while !xml.isAhead("</") {
      let keyAt = xml.at
      guard let tag = try xml.openTag(), tag.name == "key" else { throw xml.stop("A <key> is expected here.", at: keyAt) }
      let key = tag.isEmpty ? "" : try xml.content(of: "key")
      try xml.skipMisc()
      let before = others
      let value = try element(&xml, depth: depth + 1)
      if !object.appendIfAbsent(key, value) { throw xml.stop("The key “\(key)” appears twice in this dictionary.", at: keyAt) }
      if depth == 1, others > before { namesOfOthers.append(key) }
      try xml.skipMisc()
    }
    try xml.close("dict")
    return .object(object)
  }

  private func checkDepth(_ xml: XMLCursor, _ depth: Int, _ start: Int) throws(XMLSyntaxError) {
    if depth > PropertyList.depthMax { throw xml.stop("Nested deeper than \(PropertyList.depthMax) levels.", at: start) }
  }

  private static func real(_ text: String) -> Double? {
    guard text.utf8.count <= 1024, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
