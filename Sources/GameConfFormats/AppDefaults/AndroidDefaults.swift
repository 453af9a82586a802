// Android's resource of default values: entries of a key and a value, all of them texts.

import GameConfCore

/// The grammar of `remote_config_defaults.xml`, read as Firebase's library for Android reads it.
///
/// An element that is no `entry`, and an entry without a key or a value, are passed over. Of equal keys the last one counts.
struct AndroidDefaults {
  private(set) var values = ObjectValue()
  /// The elements that were passed over.
  private(set) var faults: [ConversionReport.Entry] = []

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
    faults.append(ConversionReport.Entry(name: name, message: message))
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

  /// The values as the resource has them: lists and objects as JSON.
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
  /// The tag of the next element inside an element; nil with its closing tag, which is passed over. Text between elements is passed over.
  fileprivate mutating func nextChild(of name: String) throws(XMLSyntaxError) -> Tag? {
    _ = try text()
    if isAhead("</") {
      try close(name)
      return nil
    }
    guard let tag = try openTag() else { throw stop("</\(name)> is missing.") }
    return tag
  }

  /// Passes over the rest of an element whose tag was read.
  fileprivate mutating func skip(_ tag: Tag, depth: Int) throws(XMLSyntaxError) {
    if tag.isEmpty { return }
    if depth > PropertyList.depthMax { throw stop("Nested deeper than \(PropertyList.depthMax) levels.") }
    while let child = try nextChild(of: tag.name) { try skip(child, depth: depth + 1) }
  }
}
