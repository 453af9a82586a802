// Flat defaults of other systems (Firebase's remote_config_defaults.plist, JSON) to and from catalogs.

public import GameConfCore

/// Default values by key, in their order, without anything else a catalog knows about them.
public struct DefaultsDocument: Sendable, Hashable {
  /// The section that imported keys are listed under.
  public static let section = "Imported"

  /// The values by key.
  public var values: ObjectValue

  /// Why defaults do not make a catalog: every reason at once.
  public struct Faults: Error, Sendable, Hashable {
    /// The reasons, each in a sentence.
    public var messages: [String]
  }

  /// Defaults.
  public init(values: ObjectValue) { self.values = values }

  /// The defaults in an XML property list whose root is a dictionary.
  public init(plist bytes: [UInt8]) throws(FormatFault) {
    guard case .object(let values) = try PropertyList.value(from: bytes) else {
      throw FormatFault(line: 1, column: 1, message: "Defaults are a dictionary of keys and values.")
    }
    self.values = values
  }

  /// The defaults in a JSON object.
  public init(json bytes: [UInt8]) throws(FormatFault) {
    var limits = JSONLimits()
    limits.bytesMax = PropertyList.bytesMax
    let value: Value
    do {
      value = try JSONReader.value(from: bytes, limits: limits)
    } catch {
      let before = bytes.prefix(error.offset)
      let lineStart = (before.lastIndex(of: 0x0A) ?? -1) + 1
      throw FormatFault(line: before.count { $0 == 0x0A } + 1, column: error.offset - lineStart + 1, message: error.message)
    }
    guard case .object(let values) = value else {
      throw FormatFault(line: 1, column: 1, message: "Defaults are an object of keys and values.")
    }
    self.values = values
  }

  /// The defaults of a catalog, through `{parameter}`; a localized one as its text in the first locale.
  ///
  /// Secret parameters and daily hashes are left out: the first are not for files that games ship with, the second change each day.
  public init(of catalog: Catalog) {
    let defaults = CatalogDefaults(catalog)
    let hashes = Set(catalog.parameters.filter { if case .dailyHash = $0.defaultValue { true } else { false } }.map(\.key))
    values = ObjectValue()
    for parameter in catalog.parameters where !parameter.isSecret && !hashes.contains(parameter.key) {
      guard let value = defaults.value(ofParameter: parameter.key) else { continue }
      let isText = parameter.type == .localized
      values[parameter.foreignName] = isText ? catalog.locales.first.flatMap { value[$0] } ?? value : value
    }
  }

  /// The keys of a catalog that ``init(of:)`` leaves out.
  public static func leftOut(of catalog: Catalog) -> [String] {
    let document = DefaultsDocument(of: catalog)
    return catalog.parameters.filter { document.values[$0.foreignName] == nil }.map(\.key)
  }

  /// The defaults as an XML property list.
  public func plist() throws(FormatFault) -> String { try PropertyList.text(of: .object(values)) }

  /// The defaults as JSON, indented.
  public func json() -> String { JSONWriter.text(.object(values), pretty: true) + "\n" }

  /// A catalog with these defaults: types as the values have them, section ``section``, descriptions the keys.
  /// - Throws: everything that keeps it from being a catalog that validates.
  public func catalogText(game: String, title: String? = nil, locales: [String] = ["en"]) throws(Faults) -> String {
    var messages: [String] = []
    if let complaint = CatalogNames.complaint(about: game, as: .game) { messages.append(complaint) }
    let names = ForeignNames(values.names)
    var parameters = ObjectValue()
    for member in values.members {
      if let complaint = Self.complaint(about: member, names) {
        messages.append(complaint)
      } else if let id = names.id(of: member.name) {
        parameters[id] = Self.parameter(member, alias: names.alias(of: member.name))
      }
    }
    if !messages.isEmpty { throw Faults(messages: messages) }
    var catalog = ObjectValue()
    catalog["gameconf"] = .integer(CatalogFormat.version)
    catalog["game"] = .string(game)
    catalog["title"] = .string(title ?? game)
    catalog["locales"] = .list(locales.map(Value.string))
    catalog["parameters"] = .object(parameters)
    let text = YAMLWriter(blockDepth: 3).text(.object(catalog))
    let reading = CatalogReader.read(CatalogFiles(main: NamedBytes(name: "\(game).yaml", bytes: Array(text.utf8))))
    if reading.catalog == nil { throw Faults(messages: reading.report) }
    return text
  }

  private static func parameter(_ member: ObjectValue.Member, alias: String?) -> Value {
    var members = ObjectValue(alias.map { [("alias", .string($0))] } ?? [])
    members["type"] = .string(parameterType(of: member.value).rawValue)
    members["default"] = member.value
    members["section"] = .string(section)
    members["description"] = .string(member.name)
    return .object(members)
  }

  /// The names that become aliases, a sentence each.
  public var aliasNotes: [String] { ForeignNames(values.names).notes }

  /// The type of a parameter that has this default.
  static func parameterType(of value: Value) -> ParameterType {
    switch value {
    case .bool: .boolean
    case .integer: .integer
    case .double: .double
    case .list: .list
    case .object: .object
    case .string, .null: .string
    }
  }

  /// Why a value cannot be a default, if it cannot.
  static func complaint(about member: ObjectValue.Member, _ names: ForeignNames) -> String? {
    if names.id(of: member.name) == nil { return CatalogNames.complaint(aboutAlias: member.name) }
    if member.value == .null { return "“\(member.name)” is null; a default has a value." }
    if case .object(let object) = member.value, object.count == 1, object["parameter"]?.stringValue != nil {
      return "“\(member.name)” is an object whose only member is “parameter”; a catalog takes that for a reference to another key."
    }
    return nil
  }
}

extension ForeignNames {
  /// The pairs, a sentence each.
  var notes: [String] { pairs.map { "“\($0.alias)” cannot be an id: the key is \($0.id), and the name is its alias." } }
}
