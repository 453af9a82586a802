// Exports catalogs to other systems: as a Firebase template, as flagd flags, or as an app's file of defaults.

public import GameConfCore

/// A document for another system, with the report of its export.
public struct CatalogExport: Sendable, Hashable {
  /// The document's text: indented JSON, or the format of an app's file of defaults.
  public var text: String
  /// The report of the exported, changed and omitted parameters or products.
  public var report: ConversionReport

  init(text: String, report: ConversionReport) { (self.text, self.report) = (text, report) }

  /// Exports the catalog's defaults to the file format of an app.
  public init<Failure>(
    defaults catalog: Catalog, as write: (DefaultsDocument) throws(Failure) -> String
  ) throws(Failure) {
    let document = DefaultsDocument(of: catalog)
    report = Self.report(of: catalog, written: document.values)
    for parameter in catalog.parameters where parameter.type == .localized && document.values[parameter.foreignName] != nil {
      report.change(parameter.key, "\(parameter.key) is written in \(catalog.locales.first ?? "its first language") alone.")
    }
    text = try write(document)
  }

  /// Exports the catalog as a Firebase template. Each default is a text with its type, and the parameter's section becomes its group.
  /// Secret parameters and daily hashes are left out.
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
    report = Self.report(of: catalog, written: values)
  }

  /// Exports the catalog as flagd flags. A parameter in flagd's format is exported unchanged, and any other default as a flag with one
  /// variant. Lists are left out, because flagd's variants cannot be lists.
  public init(flagd catalog: Catalog) {
    var values = Self.values(of: catalog)
    var flags: [String: FlagDefinition] = [:]
    var lists: [String] = []
    for parameter in catalog.parameters where !parameter.isSecret {
      if let flag = parameter.flagd {
        flags[parameter.foreignName] = flag
      } else if case .list? = values[parameter.foreignName] {
        lists.append(parameter.key)
        values[parameter.foreignName] = nil
      } else if let value = values[parameter.foreignName] {
        flags[parameter.foreignName] = FlagDefinition(
          isEnabled: true, variants: ObjectValue([("default", value)]), defaultVariant: "default", targeting: nil, metadata: ObjectValue())
      }
    }
    text = JSONWriter.text(FlagdDocument(flags: flags).value, pretty: true) + "\n"
    report = Self.report(of: catalog, written: values, lists: lists) { $0.flagd != nil }
  }

  /// Returns the catalog's defaults by alias or key, with localized values in all languages.
  private static func values(of catalog: Catalog) -> ObjectValue {
    var values = DefaultsDocument(of: catalog).values
    let defaults = CatalogDefaults(catalog)
    for parameter in catalog.parameters where parameter.type == .localized && values[parameter.foreignName] != nil {
      values[parameter.foreignName] = defaults.value(ofParameter: parameter.key)
    }
    return values
  }

  /// - Parameters:
  ///   - lists: The keys that were left out because their values are lists.
  ///   - isWhole: Returns true if the parameter was exported with its rules.
  private static func report(
    of catalog: Catalog, written values: ObjectValue, lists: [String] = [], isWhole: (Parameter) -> Bool = { _ in false }
  ) -> ConversionReport {
    var report = ConversionReport(of: "parameter")
    for parameter in catalog.parameters {
      let key = parameter.key
      guard values[parameter.foreignName] != nil || isWhole(parameter) else {
        report.leaveOut(key, lists.contains(key) ? "\(key): flagd has no lists." : "\(key): it has no default to write.")
        continue
      }
      report.carry(key)
      if !parameter.rules.isEmpty || parameter.flagd?.targeting != nil, !isWhole(parameter) { report.leaveOut(key, "The rules of \(key).") }
    }
    return report
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
