// Catalogs made of what other systems declare: Firebase's templates and flagd's flags.

import GameConfCore

/// A catalog in the making, and what a person should look at.
public struct ConvertedCatalog: Sendable, Hashable {
  /// Why nothing can be made of a document: every reason at once.
  public struct Faults: Error, Sendable, Hashable {
    /// The reasons, each in a sentence.
    public var messages: [String]
  }

  /// The catalog's YAML; ``CatalogReader`` accepts it.
  public var yaml: String
  /// What was guessed and what was left out, a sentence each.
  public var notes: [String]

  /// A catalog of Firebase's template: each parameter with its default value, under its group.
  ///
  /// Conditional values stay in the template, which is pushed once the catalog is accepted.
  public init(firebase bytes: [UInt8], game: String, title: String?) throws(Faults) {
    let members = try Self.members(bytes)
    guard TemplateReader.form(of: .object(members)) == .firebase, members["parameters"] != nil || members["parameterGroups"] != nil else {
      throw Faults(messages: ["This is not a template of Firebase: it has no “parameters”."])
    }
    let groups = (members["parameterGroups"]?.objectValue?.members ?? []).map { $0.value["parameters"] }
    var draft = Draft(ForeignNames(([members["parameters"]] + groups).flatMap { $0?.objectValue?.names ?? [] }))
    draft.add(firebase: members["parameters"], at: "/parameters", section: DefaultsDocument.section)
    for group in draft.members(of: members["parameterGroups"], at: "/parameterGroups", "groups") {
      draft.add(firebase: group.value["parameters"], at: "/parameterGroups/\(group.name)/parameters", section: group.name)
    }
    if draft.hasConditions {
      draft.notes.append("Conditional values are not in the catalog: push the template itself once the catalog is accepted.")
    }
    self = try draft.catalog(game: game, title: title)
  }

  /// A catalog of flagd's flags, each in flagd's own spelling.
  public init(flagd bytes: [UInt8], game: String, title: String?) throws(Faults) {
    let members = try Self.members(bytes)
    let document: FlagdDocument
    do throws(FlagdFaults) { document = try FlagdDocument(.object(members)) } catch {
      throw Faults(messages: error.faults.map { $0.pointer.isEmpty ? $0.message : "\($0.pointer): \($0.message)" })
    }
    var draft = Draft(ForeignNames(document.flags.keys.sorted()))
    for (key, flag) in document.flags.sorted(by: { $0.key < $1.key }) { draft.add(key, flag, document.evaluators) }
    if !document.evaluators.isEmpty {
      draft.notes.append("Shared evaluators ($evaluators) are written out in each flag that refers to them.")
    }
    self = try draft.catalog(game: game, title: title)
  }

  fileprivate init(yaml: String, notes: [String]) { (self.yaml, self.notes) = (yaml, notes) }

  private static func members(_ bytes: [UInt8]) throws(Faults) -> ObjectValue {
    let value: Value
    let json: [UInt8]
    do throws(FormatFault) { json = try TemplateText.json(of: bytes) } catch { throw Faults(messages: ["\(error)"]) }
    do throws(JSONError) {
      value = try JSONReader.value(from: json, limits: JSONLimits(depthMax: 64, bytesMax: PropertyList.bytesMax))
    } catch { throw Faults(messages: ["byte \(error.offset): \(error.message)"]) }
    guard case .object(let members) = value else { throw Faults(messages: ["This is \(value.kind.rawValue), not an object."]) }
    return members
  }
}

/// The parameters so far.
private struct Draft {
  var notes: [String]
  private let names: ForeignNames
  private(set) var hasConditions = false
  private var faults: [String] = []
  private var parameters = ObjectValue()

  init(_ names: ForeignNames) {
    self.names = names
    notes = names.notes
  }

  /// The id of a name of the document; nil with a fault where it can be neither an id nor an alias.
  private mutating func id(of name: String) -> String? {
    if let id = names.id(of: name) { return id }
    if let complaint = CatalogNames.complaint(aboutAlias: name) { faults.append(complaint) }
    return nil
  }

  /// The members of an object of objects; none where there is no object.
  mutating func members(of written: Value?, at pointer: String, _ what: String) -> [ObjectValue.Member] {
    guard let written else { return [] }
    guard let object = written.objectValue else {
      faults.append("\(pointer): This is an object of \(what) by name, not \(written.kind.rawValue).")
      return []
    }
    return object.members.filter { member in
      if member.value.objectValue != nil { return true }
      faults.append("\(pointer)/\(member.name): This is an object, not \(member.value.kind.rawValue).")
      return false
    }
  }

  mutating func add(firebase written: Value?, at pointer: String, section: String) {
    for member in members(of: written, at: pointer, "parameters") {
      let conditional = member.value["conditionalValues"]?.objectValue?.members ?? []
      if !conditional.isEmpty { hasConditions = true }
      guard let text = member.value["defaultValue"]?["value"]?.stringValue else {
        notes.append("\(member.name) is left out: it has no default value of its own.")
        continue
      }
      let type = member.value["valueType"]?.stringValue
      guard var value = Self.value(of: text, type) else {
        faults.append("\(member.name): “\(text.prefix(60))” is not of type \(type ?? "STRING").")
        continue
      }
      // Whole by chance where a condition gives a fraction: as an integer the template would be refused.
      let others = conditional.compactMap { $0.value["value"]?.stringValue }.compactMap { Self.value(of: $0, type) }
      if case .integer(let whole) = value, others.contains(where: { $0.kind == .double }) { value = .double(Double(whole)) }
      let description = member.value["description"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 } ?? member.name
      add(member.name, default: value, section: section, description)
    }
  }

  /// A text as Firebase's type has it.
  private static func value(of text: String, _ type: String?) -> Value? {
    let parsed = try? JSONReader.value(from: text.utf8)
    switch type {
    case "BOOLEAN": return FirebaseTemplate.value(of: text, as: .boolean)
    case "NUMBER": return parsed?.numberValue == nil ? nil : parsed
    case "JSON":
      switch parsed {
      case .object?, .list?: return parsed
      case .null?, .bool?, .integer?, .double?, .string?, nil: return nil
      }
    default: return .string(text)
    }
  }

  private mutating func add(_ name: String, default value: Value, section: String, _ description: String) {
    if let complaint = DefaultsDocument.complaint(about: ObjectValue.Member(name: name, value: value), names) {
      return faults.append(complaint)
    }
    guard let key = id(of: name) else { return }
    guard parameters[key] == nil else { return faults.append("\(name) is in two groups.") }
    var members = ObjectValue(names.alias(of: name).map { [("alias", .string($0))] } ?? [])
    members["type"] = .string(DefaultsDocument.parameterType(of: value).rawValue)
    members["default"] = value
    members["section"] = .string(section)
    members["description"] = .string(description)
    parameters[key] = .object(members)
  }

  /// - Parameter evaluators: what the flag's targeting refers to; a catalog has none, so they are written out in it.
  mutating func add(_ key: String, _ flag: FlagDefinition, _ evaluators: ObjectValue) {
    guard let id = id(of: key) else { return }
    let values = flag.variants.members.map(\.value)
    let types = Set(values.map { DefaultsDocument.parameterType(of: $0) })
    let type: ParameterType
    if types.count == 1, let only = types.first {
      type = only
    } else if types == [.integer, .double] {
      type = .double
    } else {
      return faults.append("\(key) has variants of several types; a parameter has one.")
    }
    var members = ObjectValue(names.alias(of: key).map { [("alias", .string($0))] } ?? [])
    members["type"] = .string(type.rawValue)
    if !flag.isEnabled || flag.defaultVariant == nil {
      // A boolean that its author switched off is off, whatever its default variant was.
      let off = flag.isEnabled || type != .boolean ? nil : flag.variants.members.first { $0.value == false }?.name
      let name = off ?? flag.defaultVariant ?? flag.variants.names.first ?? ""
      guard let value = off == nil && !flag.isEnabled && type == .boolean ? false : flag.variants[name] else {
        return faults.append("\(key) has no variant \(name), which is its default.")
      }
      members["default"] = value
      notes.append(
        flag.isEnabled
          ? "\(key) has no default variant: the first one, \(name), is the catalog's default."
          : "\(key) is disabled: \(JSONWriter.text(value)) is the catalog's default.")
    }
    let description = flag.metadata["description"]?.stringValue ?? key
    members["section"] = .string(DefaultsDocument.section)
    members["description"] = .string(description.isEmpty ? key : description)
    var written = flag.flagdValue().objectValue ?? ObjectValue()
    if let targeting = flag.targeting {
      var room = LogicLimits.nodesMax
      guard let whole = Self.whole(targeting.source, evaluators, &room) else {
        return faults.append("\(key) is too long for a rule with its shared evaluators written out.")
      }
      written["targeting"] = whole
    }
    members["flagd"] = .object(written)
    parameters[id] = .object(members)
  }

  /// A rule with what it refers to by `$ref` in the place of the reference; nil when it has more values than there is room for. Circles were
  /// refused when the document was read.
  private static func whole(_ rule: Value, _ evaluators: ObjectValue, _ room: inout Int) -> Value? {
    room -= 1
    if room < 0 { return nil }
    switch rule {
    case .list(let elements):
      var written: [Value] = []
      for element in elements {
        guard let each = whole(element, evaluators, &room) else { return nil }
        written.append(each)
      }
      return .list(written)
    case .object(let members):
      if members.count == 1, case .string(let name)? = members["$ref"], let shared = evaluators[name] {
        return whole(shared, evaluators, &room)
      }
      var written = ObjectValue()
      for member in members.members {
        guard let each = whole(member.value, evaluators, &room) else { return nil }
        written[member.name] = each
      }
      return .object(written)
    case .null, .bool, .integer, .double, .string: return rule
    }
  }

  func catalog(game: String, title: String?) throws(ConvertedCatalog.Faults) -> ConvertedCatalog {
    var faults = faults
    if let complaint = CatalogNames.complaint(about: game, as: .game) { faults.append(complaint) }
    if !faults.isEmpty { throw ConvertedCatalog.Faults(messages: faults) }
    let catalog = ObjectValue([
      ("gameconf", .integer(CatalogFormat.version)), ("game", .string(game)), ("title", .string(title ?? game)), ("locales", ["en"]),
      ("parameters", .object(parameters)),
    ])
    let text = YAMLWriter(blockDepth: 3).text(.object(catalog))
    let reading = CatalogReader.read(CatalogFiles(main: NamedBytes(name: "\(game).yaml", bytes: Array(text.utf8))))
    if reading.catalog == nil { throw ConvertedCatalog.Faults(messages: reading.report) }
    return ConvertedCatalog(yaml: text, notes: notes)
  }
}
