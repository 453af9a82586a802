// Parses the daemon's settings file. It is the same strict YAML as catalogs, with one level of names.

public import GameConfCore

/// A parser of settings files that reports all faults with their positions.
public enum SettingsReader {
  /// The content of a settings file, with its faults.
  public struct SettingsReadResult: Sendable {
    /// The texts of the settings that take a single value, by name. A null value is a fault.
    public var scalars: [String: String] = [:]
    /// The settings that are lists or mappings, by name.
    public var structures: [String: Value] = [:]
    /// All faults, in the order of the file.
    public var faults: [CatalogFault] = []
    /// The position of each setting's value as `line:column`, by name.
    public var places: [String: String] = [:]
  }

  /// Parses a settings file.
  /// - Parameters:
  ///   - scalars: The names of settings that take a single value.
  ///   - structures: The names of settings that take a list or a mapping.
  public static func read(_ file: NamedFile, scalars: Set<String>, structures: Set<String>) -> SettingsReadResult {
    var reading = SettingsReadResult()
    var faults: [TextFault] = []
    let text = YAMLText(file.bytes, file: 0, faults: &faults)
    var parser = YAMLParser(text)
    let root = faults.isEmpty ? parser.document() : nil
    faults += parser.faults
    let known = scalars.union(structures)
    if let root, faults.isEmpty {
      if root.entries == nil, !root.isNull {
        faults.append(TextFault(place: root.place, message: "The file must be a mapping of settings, not \(root.described)."))
      }
      for entry in root.entries ?? [] where !entry.name.hasPrefix("x-") {
        let position = text.position(of: entry.value.place.offset)
        reading.places[entry.name] = "\(position.line):\(position.column)"
        if !known.contains(entry.name) {
          let hint = NearestNames.hint(for: entry.name, among: known.sorted())
          faults.append(TextFault(place: entry.namePlace, message: "There is no setting “\(entry.name)”.\(hint)"))
        } else if scalars.contains(entry.name) {
          if case .scalar(let text, _) = entry.value.content, !entry.value.isNull {
            reading.scalars[entry.name] = text
          } else {
            faults.append(TextFault(place: entry.value.place, message: "“\(entry.name)” takes one value, not \(entry.value.described)."))
          }
        } else {
          reading.structures[entry.name] = value(of: entry.value)
        }
      }
    }
    reading.faults = faults.sorted { $0.place < $1.place }.map { fault in
      let position = text.position(of: fault.place.offset)
      return CatalogFault(file: file.name, line: position.line, column: position.column, message: fault.message)
    }
    return reading
  }

  private static func value(of node: YAMLNode) -> Value {
    switch node.content {
    case .scalar(let text, let isQuoted):
      if isQuoted { return .string(text) }
      if node.isNull { return .null }
      if case .number(let number) = YAMLScalar.number(text) { return number }
      return YAMLScalar.booleans[text].map(Value.bool) ?? .string(text)
    case .list(let elements): return .list(elements.map(value))
    case .mapping(let entries): return .object(ObjectValue(entries.map { ($0.name, value(of: $0.value)) }))
    case .refused: return .null
    }
  }
}
