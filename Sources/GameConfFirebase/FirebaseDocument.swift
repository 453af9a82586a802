// A stored template in Firebase's form: its original bytes, with the present version inserted.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfHTTP

struct FirebaseDocument {
  /// The bytes of the template document, without a byte order mark.
  let bytes: [UInt8]
  /// The parsed members of the template document.
  let members: ObjectValue

  /// Parses a document.
  /// - Throws: `SCHEMA_VIOLATION` if the template has another form, such as ours or flagd's.
  init(_ bytes: [UInt8]) throws(Problem) {
    self.bytes = Request.unmarked(bytes)
    members = try FirebaseJSON.object(bytes)
    guard members["gameconf_template"] == nil, members["flags"] == nil else {
      throw Problem(
        .schemaViolation, "This template is not in Firebase's form; GET /v1/games/{game}/template answers it unchanged.")
    }
  }

  /// All parameters of the template with those in parameter groups, in the document's order.
  var parameters: [ObjectValue.Member] {
    let groups = (members["parameterGroups"]?.objectValue?.members ?? []).map { $0.value["parameters"] }
    return ([members["parameters"]] + groups).flatMap { $0?.objectValue?.members ?? [] }
  }

  /// Returns the document's bytes with the member `version` replaced, or appended as the last one. All other bytes stay.
  func bytes(as version: Value) -> [UInt8] {
    let text = JSONWriter.bytes(version)
    if let range = Self.range(of: "version", in: bytes) { return Array(bytes[..<range.lowerBound]) + text + bytes[range.upperBound...] }
    guard let end = bytes.lastIndex(of: UInt8(ascii: "}")) else { return bytes }
    let comma = members.isEmpty ? "" : ","
    return Array(bytes[..<end]) + Array("\(comma)\"version\":".utf8) + text + bytes[end...]
  }

  /// Returns the document in the form for clients, in which every condition has an expression.
  ///
  /// A server's template has condition objects instead, and typed clients cannot parse a condition without an expression. The objects stay
  /// in the document, so that it is still a server's template if it is written back.
  /// - Throws: `SCHEMA_VIOLATION` if a condition has no expression.
  func forClients() throws(Problem) -> FirebaseDocument {
    guard let conditions = members["conditions"]?.listValue, let range = Self.range(of: "conditions", in: bytes) else { return self }
    var written: [Value] = []
    for (index, condition) in conditions.enumerated() {
      guard case .object(var members) = condition, members["expression"] == nil, let object = members["condition"] else {
        written.append(condition)
        continue
      }
      guard let text = FirebaseExpressionText.text(object) else {
        throw Problem(
          .schemaViolation,
          "This condition has no form for clients; read the template by its namespace \(FirebaseLimits.servers).",
          pointer: "/conditions/\(index)")
      }
      members["expression"] = .string(text)
      written.append(.object(members))
    }
    if written == conditions { return self }
    return try FirebaseDocument(Array(bytes[..<range.lowerBound]) + JSONWriter.bytes(.list(written)) + bytes[range.upperBound...])
  }

  /// Returns the byte range of a member's value in a JSON object; nil if the object has no such member. The bytes must be a valid object.
  static func range(of name: String, in bytes: [UInt8]) -> Range<Int>? {
    var scan = MemberScan(bytes)
    while let member = scan.next() {
      if case .string(name)? = try? JSONReader.value(from: Array(bytes[member.name])) { return member.value }
    }
    return nil
  }
}

/// Finds the members of the outermost object in the bytes of valid JSON, without decoding their values.
private struct MemberScan {
  private let bytes: [UInt8]
  private var at: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    at = (bytes.firstIndex(of: UInt8(ascii: "{")) ?? bytes.count) + 1
  }

  /// Returns the byte ranges of the next member's name, with its quotes, and of its value; nil after the last member.
  mutating func next() -> (name: Range<Int>, value: Range<Int>)? {
    skip { Self.isBlank($0) || $0 == UInt8(ascii: ",") }
    guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { return nil }
    let name = at
    skipText()
    let nameEnd = at
    skip { Self.isBlank($0) || $0 == UInt8(ascii: ":") }
    let value = at
    skipValue()
    return (name..<nameEnd, value..<at)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  private mutating func skip(while holds: (UInt8) -> Bool) {
    while at < bytes.count, holds(bytes[at]) { at += 1 }
  }

  private mutating func skipText() {
    at += 1
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
    at = min(at + 1, bytes.count)
  }

  private mutating func skipValue() {
    var depth = 0
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        skipText()
        if depth == 0 { return }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
        if depth == 0 {
          at += 1
          return
        }
      case UInt8(ascii: ","): if depth == 0 { return }
      default: if depth == 0, Self.isBlank(bytes[at]) { return }
      }
      at += 1
    }
  }
}

/// The file formats in which Firebase delivers a template's default values, which an app ships with.
enum FirebaseDefaultsFormat: String {
  case json = "JSON"
  case plist = "PLIST"
  case xml = "XML"

  var mediaType: String {
    switch self {
    case .json: "application/json; charset=UTF-8"
    case .plist, .xml: "application/xml; charset=UTF-8"
    }
  }

  func bytes(_ values: [(key: String, value: String)]) -> [UInt8] {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    switch self {
    case .json: return JSONWriter.bytes(.object(ObjectValue(values.map { ($0.key, .string($0.value)) })))
    case .plist:
      let entries = values.map { "    <key>\(Self.escaped($0.key))</key>\n    <string>\(Self.escaped($0.value))</string>\n" }
      let type = "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n"
      return Array("\(head)\(type)<plist version=\"1.0\">\n  <dict>\n\(entries.joined())  </dict>\n</plist>\n".utf8)
    case .xml:
      let entries = values.map {
        "  <entry>\n    <key>\(Self.escaped($0.key))</key>\n    <value>\(Self.escaped($0.value))</value>\n  </entry>\n"
      }
      return Array("\(head)<defaultsMap>\n\(entries.joined())</defaultsMap>\n".utf8)
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
  }
}
