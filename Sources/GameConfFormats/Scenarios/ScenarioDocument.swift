// Parses scenario files. They are the same strict YAML as catalogs, and are converted to JSON with a position for each part.

public import GameConfCore

/// The content of a scenario file.
///
/// The daemon interprets the names in it. ``fault(at:_:)`` maps a JSON pointer back to a position in the file.
public struct ScenarioDocument: Sendable {
  /// The whole document except for the version of the format. Unquoted scalars are numbers or booleans if they look like these.
  public let value: Value
  private let file: String
  private let text: YAMLText
  private let root: YAMLNode

  private static let versionName = "scenario"
  private static let version = "1"

  /// Parses a scenario file.
  /// - Returns: The document, or nil with all faults in the order of the file.
  public static func read(_ file: NamedFile) -> (document: ScenarioDocument?, faults: [CatalogFault]) {
    var faults: [TextFault] = []
    let text = YAMLText(file.bytes, file: 0, faults: &faults)
    var parser = YAMLParser(text)
    let root = faults.isEmpty ? parser.document() : nil
    faults += parser.faults
    if let root {
      if let entries = root.entries {
        faults += complaints(about: root[versionName], of: root, isEmpty: entries.isEmpty)
      } else {
        faults.append(
          TextFault(place: root.place, message: "The file must be a mapping with “scenario: 1” and “games”, not \(root.described)."))
      }
    } else if faults.isEmpty {
      return (nil, [CatalogFault(file: file.name, line: 1, column: 1, message: "The file is empty; it begins with “scenario: 1”.")])
    }
    guard let root, faults.isEmpty else {
      return (nil, faults.sorted { $0.place < $1.place }.map { shown($0.place, $0.message, in: text, of: file.name) })
    }
    return (ScenarioDocument(file: file.name, text: text, root: root), [])
  }

  private init(file: String, text: YAMLText, root: YAMLNode) {
    (self.file, self.text, self.root) = (file, text, root)
    let entries = (root.entries ?? []).filter { $0.name != Self.versionName && !$0.name.hasPrefix("x-") }
    value = .object(ObjectValue(entries.map { ($0.name, Self.value(of: $0.value)) }))
  }

  /// Returns a fault at the position to which a JSON pointer into ``value`` leads. If the pointer leads nowhere, the position is that of
  /// the last name on the way that exists.
  public func fault(at pointer: String, _ message: String) -> CatalogFault {
    let steps = JSONPointer.steps(of: pointer) ?? []
    return Self.shown(CatalogPositionFinder(root: root).place(of: steps), message, in: text, of: file)
  }

  private static func shown(_ place: TextPosition, _ message: String, in text: YAMLText, of file: String) -> CatalogFault {
    let position = text.position(of: place.offset)
    return CatalogFault(file: file, line: position.line, column: position.column, message: message)
  }

  private static func complaints(about version: YAMLEntry?, of root: YAMLNode, isEmpty: Bool) -> [TextFault] {
    guard let version else { return [TextFault(place: root.place, message: "The file lacks “scenario: 1”, its format's version.")] }
    guard case .scalar(Self.version, isQuoted: false) = version.value.content else {
      return [TextFault(place: version.value.place, message: "“scenario” is the format's version: 1, not \(version.value.described).")]
    }
    return []
  }

  /// Converts a YAML node to JSON. Unquoted scalars are numbers, booleans or null if they look like these.
  private static func value(of node: YAMLNode) -> Value {
    switch node.content {
    case .scalar(let text, let isQuoted):
      if isQuoted { return .string(text) }
      if node.isNull { return .null }
      if let flag = YAMLScalar.booleans[text] { return .bool(flag) }
      if case .number(let number) = YAMLScalar.number(text) { return number }
      return .string(text)
    case .list(let elements): return .list(elements.map(value))
    case .mapping(let entries): return .object(ObjectValue(entries.map { ($0.name, value(of: $0.value)) }))
    case .refused: return .null
    }
  }
}
