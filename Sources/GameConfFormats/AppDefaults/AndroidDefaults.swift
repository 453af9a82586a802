// Parses and writes the Android resource `remote_config_defaults.xml`, a file of default values that are all text.

import GameConfCore

/// A parser of `remote_config_defaults.xml` that gives the same values as Firebase's library for Android.
///
/// Elements other than `entry`, and entries without a key or a value, are skipped. If a key occurs twice, the last value is used.
struct AndroidDefaults {
  private(set) var values = ObjectValue()
  /// The notes about skipped elements, for the report of the conversion.
  private(set) var faults: [ConversionReport.ConversionNote] = []

  mutating func document(_ xml: inout XMLCursor) throws(XMLSyntaxError) {
    try xml.prolog()
    guard let root = try xml.openTag(), root.name != "plist" else {
      throw xml.stop("Default values for Android should begin with <defaultsMap>.")
    }
    if !root.isEmpty {
      while let tag = try xml.nextChild(of: root.name) {
        if tag.name == "entry" {
          try entry(&xml, isEmpty: tag.isEmpty)
        } else {
          try xml.skip(tag, depth: 1)
          leaveOut(tag.name, "<\(tag.name)> is no <entry>.")
        }
      }
    }
    try xml.skipMisc()
    if !xml.isAtEnd { throw xml.stop("Nothing may follow </\(root.name)>.") }
  }

  private mutating func leaveOut(_ name: String, _ message: String) {
    faults.append(ConversionReport.ConversionNote(name: name, message: message))
  }

  private mutating func entry(_ xml: inout XMLCursor, isEmpty: Bool) throws(XMLSyntaxError) {
    var texts: [String: String] = [:]
    while !isEmpty, let tag = try xml.nextChild(of: "entry") {
      if tag.name == "key" || tag.name == "value" {
        texts[tag.name] = tag.isEmpty ? "" : try xml.content(of: tag.name)
      } else {
        try xml.skip(tag, depth: 1)
      }
    }
    guard let key = texts["key"], let value = texts["value"] else {
      let name = texts["key"] ?? "entry"
      return leaveOut(name, "An <entry>\(texts["key"].map { " of \($0)" } ?? "") has no <\(texts["key"] == nil ? "key" : "value")>.")
    }
    if values[key] != nil { leaveOut(key, "\(key) appears twice; the last value counts.") }
    values[key] = .string(value)
  }

  /// Returns the values as Android's XML resource. Lists and objects are written as JSON text.
  static func text(of values: ObjectValue) throws(FormatFault) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<defaultsMap>\n"
    for member in values.members {
      let pointer = JSONPointer.appending(member.name, to: "")
      let value = member.value.stringValue ?? JSONWriter.text(member.value)
      text += "    <entry>\n        <key>\(try PropertyList.escaped(member.name, pointer))</key>\n"
      text += "        <value>\(try PropertyList.escaped(value, pointer))</value>\n    </entry>\n"
    }
    return text + "</defaultsMap>\n"
  }
}

extension XMLCursor {
  /// Returns the opening tag of the next child element, and skips text before it. Returns nil after the parent's closing tag, which it
  /// consumes.
  fileprivate mutating func nextChild(of name: String) throws(XMLSyntaxError) -> XMLOpeningTag? {
    _ = try text()
    if isAhead("</") {
      try close(name)
      return nil
    }
    guard let tag = try openTag() else { throw stop("</\(name)> is missing.") }
    return tag
  }

  /// Skips the content and the closing tag of an element whose opening tag was consumed.
  fileprivate mutating func skip(_ tag: XMLOpeningTag, depth: Int) throws(XMLSyntaxError) {
    if tag.isEmpty { return }
    if depth > PropertyList.depthMax { throw stop("Nested deeper than \(PropertyList.depthMax) levels.") }
    while let child = try nextChild(of: tag.name) { try skip(child, depth: depth + 1) }
  }
}
