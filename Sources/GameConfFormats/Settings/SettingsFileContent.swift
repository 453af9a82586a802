// Parses settings files with nested settings. They are the same strict YAML as catalogs, and each part has a position.

public import GameConfCore

/// The content of a settings file with nested settings. Every scalar is text.
public struct SettingsFileContent: Sendable {
  /// The whole file as a JSON value.
  public let value: Value
  private let file: String
  private let text: YAMLText
  private let root: YAMLNode

  /// Parses a settings file.
  /// - Returns: The settings, or nil with all YAML faults in the order of the file. An empty file is an empty mapping.
  public static func read(_ file: NamedFile) -> (settings: SettingsFileContent?, faults: [CatalogFault]) {
    var faults: [TextFault] = []
    let text = YAMLText(file.bytes, file: 0, faults: &faults)
    var parser = YAMLParser(text)
    let root = faults.isEmpty ? parser.document() : nil
    faults += parser.faults
    let empty = YAMLNode(content: .mapping([]), place: TextPosition(file: 0, offset: 0))
    guard faults.isEmpty else {
      return (nil, faults.sorted { $0.place < $1.place }.map { shown($0.place, $0.message, in: text, of: file.name) })
    }
    return (SettingsFileContent(file: file.name, text: text, root: root.flatMap { $0.isNull ? nil : $0 } ?? empty), [])
  }

  private init(file: String, text: YAMLText, root: YAMLNode) {
    (self.file, self.text, self.root) = (file, text, root)
    value = Self.value(of: root)
  }

  /// Returns a fault at the position to which a JSON pointer into ``value`` leads. If the pointer leads nowhere, the position is that of
  /// the last name on the way that exists.
  public func fault(at pointer: String, _ message: String) -> CatalogFault {
    Self.shown(CatalogPositionFinder(root: root).place(of: JSONPointer.steps(of: pointer) ?? []), message, in: text, of: file)
  }

  private static func shown(_ place: TextPosition, _ message: String, in text: YAMLText, of file: String) -> CatalogFault {
    let position = text.position(of: place.offset)
    return CatalogFault(file: file, line: position.line, column: position.column, message: message)
  }

  private static func value(of node: YAMLNode) -> Value {
    switch node.content {
    case .scalar(let text, _): node.isNull ? .null : .string(text)
    case .list(let elements): .list(elements.map(value))
    case .mapping(let entries): .object(ObjectValue(entries.map { ($0.name, value(of: $0.value)) }))
    case .refused: .null
    }
  }
}
