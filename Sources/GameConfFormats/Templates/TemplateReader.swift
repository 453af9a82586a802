// Parses a template in any of the three formats, and validates it against the game's catalog.

public import GameConfCore
public import GameConfZones

/// The formats of templates, recognized by the members of a document.
public enum TemplateForm: String, Sendable, Hashable, CaseIterable {
  /// gameconfd's own format: `gameconf_template: 1`, with `values` and `rules` by key.
  case own = "gameconf"
  /// The format of Firebase Remote Config. Conditions are expressions in client templates, and objects in server templates.
  case firebase
  case flagd
}

/// Detects a template's format by its members, and parses it.
public enum TemplateReader {
  /// Returns the format of a document, which its members show; nil if it is not a template.
  public static func form(of document: Value) -> TemplateForm? {
    guard case .object(let members) = document else { return nil }
    if members["gameconf_template"] != nil { return .own }
    if members["flags"] != nil { return .flagd }
    let names = ["parameters", "parameterGroups", "conditions", "version", "etag"]
    return names.contains { members[$0] != nil } ? .firebase : nil
  }

  /// Parses a template and validates it for a game.
  /// - Parameter zones: The host's time zones, for conditions that name one.
  /// - Throws: ``Faults`` with every wrong type, value out of range and unresolved reference.
  public static func read(_ document: Value, for catalog: Catalog, zones: ZoneFiles = .none) throws(Faults) -> Template {
    guard form(of: document) != nil else {
      throw Faults([
        Fault(
          "This is not a template: it has neither “gameconf_template”, nor Firebase's “parameters”, nor flagd's “flags”.")
      ])
    }
    var page = TemplateDraft(catalog, zones)
    read(document, into: &page)
    guard page.faults.isEmpty else { throw Faults(page.faults) }
    if let fault = silence(of: document) { throw Faults([fault]) }
    return page.template
  }

  /// Returns a fault if the document has no member that may contain values; otherwise nil. A template without values must still have such
  /// a member, with an empty object.
  public static func silence(of document: Value) -> Fault? {
    let (names, way): ([String], String) =
      switch form(of: document) {
      case .own?: (["values", "rules"], "“values”: {}")
      case .flagd?: (["flags"], "“flags”: {}")
      case .firebase?, nil: (["parameters", "parameterGroups"], "“parameters”: {}")
      }
    if names.contains(where: { (document[$0] ?? .null) != .null }) { return nil }
    return Fault("The document has no values; if that is meant, write \(way).")
  }

  /// Returns the valid parts of a stored template. The catalog may have changed since the template was validated. A key with a fault gets
  /// no value from the template.
  public static func fitting(_ document: Value, for catalog: Catalog, zones: ZoneFiles = .none) -> Template {
    do throws(Faults) { return try read(document, for: catalog, zones: zones) } catch {
      var page = TemplateDraft(catalog, zones)
      read(document, into: &page)
      page.template.layers = page.template.layers.filter { !page.faultyKeys.contains($0.key) }
      page.template.remarks += error.faults
      return page.template
    }
  }

  private static func read(_ document: Value, into page: inout TemplateDraft) {
    switch form(of: document) {
    case .own?: OwnTemplateParser.read(document, into: &page)
    case .firebase?: FirebaseTemplate.read(document, into: &page)
    case .flagd?: FlagdTemplate.read(document, into: &page)
    case nil: break
    }
  }
}

/// A template that is being parsed, with its faults.
struct TemplateDraft {
  let catalog: Catalog
  let zones: ZoneFiles
  var template = Template()
  private(set) var faults: [Fault] = []
  private(set) var faultyKeys: Set<String> = []
  private let parameters: [String: Parameter]
  private let defaults: CatalogDefaults
  private let keysByAlias: [String: String]
  /// The name that the document uses for each key: the key itself or its alias.
  private var claimed: [String: String] = [:]

  init(_ catalog: Catalog, _ zones: ZoneFiles) {
    self.catalog = catalog
    self.zones = zones
    parameters = Dictionary(catalog.parameters.map { ($0.key, $0) }) { first, _ in first }
    keysByAlias = Dictionary(catalog.parameters.compactMap { parameter in parameter.alias.map { ($0, parameter.key) } }) { first, _ in first
    }
    defaults = CatalogDefaults(catalog)
  }

  var acceptsFaults: Bool { faults.count < Faults.reportedMax }

  mutating func fault(_ pointer: String, _ message: String) {
    if acceptsFaults { faults.append(Fault(message, at: pointer)) }
  }

  /// Records a fault of a key's value. If the other keys are used nevertheless, this key gets no value from the template.
  mutating func refuse(_ key: String, _ pointer: String, _ message: String) {
    faultyKeys.insert(key)
    fault(pointer, message)
  }

  mutating func remark(_ pointer: String, _ message: String) {
    template.remarks.append(Fault(message, at: pointer))
  }

  /// Returns the parameter of a key. If the catalog does not have the key, it is recorded as unknown.
  mutating func parameter(_ key: String) -> Parameter? {
    if let parameter = parameters[key], ByteText.areSame(parameter.key, key) { return parameter }
    template.unknownKeys.append(key)
    return nil
  }

  /// Returns the parameter that has this alias, or else this key. Records a fault if the document uses the alias and the key of one
  /// parameter.
  mutating func parameter(named name: String, at pointer: String) -> Parameter? {
    let alias = keysByAlias[name].flatMap { parameters[$0] }.flatMap { ByteText.areSame($0.foreignName, name) ? $0 : nil }
    guard let parameter = alias ?? self.parameter(name) else { return nil }
    if let other = claimed.updateValue(name, forKey: parameter.key), other != name {
      fault(pointer, "“\(name)” and “\(other)” are two names of one parameter; a document gives it one.")
    }
    return parameter
  }

  /// Returns the value converted to the parameter's type. Returns nil, and records a fault, if the parameter does not admit the value.
  mutating func admitted(_ value: Value, for parameter: Parameter, at pointer: String) -> Value? {
    let admission = ParameterAdmission.admission(of: value, for: parameter, in: catalog, use: .gameWide, lookup: defaults)
    if let value = admission.value { return value }
    faultyKeys.insert(parameter.key)
    for refusal in admission.faults { fault(pointer + refusal.pointer, "\(parameter.key): \(refusal.message)") }
    return nil
  }

  /// Returns the members of an object; nil if it is absent. Returns nil, and records a fault, if it is not an object.
  mutating func members(_ value: Value?, at pointer: String, _ what: String) -> ObjectValue? {
    switch value {
    case nil, .null?: return nil
    case .object(let members)?: return members
    case let other?:
      fault(pointer, "\(what) is an object, not \(other.described).")
      return nil
    }
  }
}
