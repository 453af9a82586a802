// Catalogs as other systems declare the same: Firebase's template, flagd's flags.

public import GameConfCore

/// What another system is given of a catalog, and what a person should look at.
public struct CatalogExport: Sendable, Hashable {
  /// The document in JSON, indented.
  public var text: String
  /// What was left out, a sentence each.
  public var notes: [String]

  init(text: String, notes: [String]) { (self.text, self.notes) = (text, notes) }

  /// Firebase's template: each default as a text, with its type, under the parameter's section as its group. Secret parameters and daily
  /// hashes are left out.
  public init(firebase catalog: Catalog) {
    let values = Self.values(of: catalog)
    var groups = ObjectValue()
    for parameter in catalog.parameters {
      guard let value = values[parameter.foreignName] else { continue }
      let entry: Value = [
        "defaultValue": ["value": .string(value.stringValue ?? JSONWriter.text(value))], "description": .string(parameter.description),
        "valueType": .string(Self.firebaseType(parameter.type)),
      ]
      var group = groups[parameter.section]?["parameters"]?.objectValue ?? ObjectValue()
      group[parameter.foreignName] = entry
      groups[parameter.section] = ["parameters": .object(group)]
    }
    text = JSONWriter.text(["parameterGroups": .object(groups)], pretty: true) + "\n"
    notes = Self.leftOut(of: catalog) + Self.rules(of: catalog, besides: { _ in false })
  }

  /// flagd's flags: those that the catalog has in flagd's spelling as they are, each other default as the one variant of a flag. Lists are left
  /// out, which flagd has no variants for.
  public init(flagd catalog: Catalog) {
    let values = Self.values(of: catalog)
    var flags: [String: FlagDefinition] = [:]
    var lists: [String] = []
    for parameter in catalog.parameters where !parameter.isSecret {
      if let flag = parameter.flagd {
        flags[parameter.foreignName] = flag
      } else if case .list? = values[parameter.foreignName] {
        lists.append("\(parameter.key) is left out: flagd has no lists")
      } else if let value = values[parameter.foreignName] {
        flags[parameter.foreignName] = FlagDefinition(
          isEnabled: true, variants: ObjectValue([("default", value)]), defaultVariant: "default", targeting: nil, metadata: ObjectValue())
      }
    }
    text = JSONWriter.text(FlagdDocument(flags: flags).value, pretty: true) + "\n"
    notes = Self.leftOut(of: catalog) + lists + Self.rules(of: catalog, besides: { flags[$0.foreignName] == nil || $0.flagd != nil })
  }

  /// The defaults; a localized one with all its languages.
  private static func values(of catalog: Catalog) -> ObjectValue {
    var values = DefaultsDocument(of: catalog).values
    let defaults = CatalogDefaults(catalog)
    for parameter in catalog.parameters where parameter.type == .localized && values[parameter.foreignName] != nil {
      values[parameter.foreignName] = defaults.value(ofParameter: parameter.key)
    }
    return values
  }

  private static func leftOut(of catalog: Catalog) -> [String] {
    DefaultsDocument.leftOut(of: catalog).map { "\($0) is left out: it has no default to write" }
  }

  private static func rules(of catalog: Catalog, besides isWritten: (Parameter) -> Bool) -> [String] {
    catalog.parameters.filter { (!$0.rules.isEmpty || $0.flagd?.targeting != nil) && !isWritten($0) && !$0.isSecret }
      .map { "\($0.key) is written without its rules" }
  }

  private static func firebaseType(_ type: ParameterType) -> String {
    switch type {
    case .boolean: "BOOLEAN"
    case .integer, .double: "NUMBER"
    case .string: "STRING"
    case .list, .object, .localized: "JSON"
    }
  }
}
