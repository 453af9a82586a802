// A catalog that is being built from the parameters of another system's document.

import GameConfCore

/// The parameters that were converted so far, with the report of the conversion.
struct CatalogDraft {
  var report: ConversionReport
  private let names: ForeignNames
  private let skipsInvalid: Bool
  private var faults: [String] = []
  private var parameters = ObjectValue()

  init(_ names: ForeignNames, skipsInvalid: Bool, _ report: ConversionReport = ConversionReport(of: "parameter")) {
    self.names = names
    self.skipsInvalid = skipsInvalid
    self.report = report
  }

  /// Leaves out a part of the document, or records a fault if invalid parts are not skipped. A fault rejects the document.
  private mutating func refuse(_ name: String, _ message: String) {
    if skipsInvalid { report.drop(name, message) } else { faults.append(message) }
  }

  /// Returns the members of an object, which must be objects themselves. Returns an empty list if the object is missing or has another
  /// type.
  mutating func members(of written: Value?, at pointer: String, _ what: String) -> [ObjectValue.Member] {
    guard let written else { return [] }
    guard let object = written.objectValue else {
      refuse(pointer, "\(pointer): This is an object of \(what) by name, not \(written.described).")
      return []
    }
    return object.members.filter { member in
      if member.value.objectValue != nil { return true }
      refuse(member.name, "\(pointer)/\(member.name): This is an object, not \(member.value.described).")
      return false
    }
  }

  mutating func add(firebase written: Value?, at pointer: String, section: String) {
    for member in members(of: written, at: pointer, "parameters") { add(firebase: member, section: section) }
  }

  private mutating func add(firebase member: ObjectValue.Member, section: String) {
    let name = member.name
    let given = member.value["defaultValue"]?.objectValue
    guard let text = given?["value"]?.stringValue else {
      let other = given?.names.first { $0.hasSuffix("Value") }.map { ", but “\($0)”" } ?? ""
      return report.drop(name, "\(name) has no default value of its own\(other).")
    }
    let type = member.value["valueType"]?.stringValue
    guard var value = Self.value(of: text, type) else {
      return refuse(name, "\(name): “\(text.prefix(60))” is not of type \(type ?? "STRING").")
    }
    if case .bool(let word) = value, text != "\(word)" { report.change(name, "\(name) is \(word), written “\(text)”.") }
    // The default may be a whole number by chance. If a condition's value has a fraction, an integer parameter would reject the template.
    let conditional = member.value["conditionalValues"]?.objectValue ?? ObjectValue()
    let others = conditional.members.compactMap { $0.value["value"]?.stringValue }.compactMap { Self.value(of: $0, type) }
    if case .integer(let whole) = value, others.contains(where: { $0.kind == .double }) {
      value = .double(Double(whole))
      report.change(name, "\(name) is a double: a condition gives it a fraction.")
    }
    let description = member.value["description"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 } ?? name
    guard add(name, default: value, section: section, description) else { return }
    if !conditional.isEmpty {
      report.leaveOut(name, "The conditional values of \(name): \(conditional.names.map { "“\($0)”" }.joined(separator: ", ")).")
    }
    for other in member.value.objectValue?.names ?? [] where !Self.membersOfParameter.contains(other) {
      report.leaveOut(name, "“\(other)” of \(name).")
    }
  }

  private static let membersOfParameter: Set<String> = ["defaultValue", "conditionalValues", "description", "valueType"]

  /// Converts a text to the value that Firebase's value type declares; nil if the text does not match the type.
  private static func value(of text: String, _ type: String?) -> Value? {
    let parsed = try? JSONReader.value(from: text.utf8)
    switch type {
    case "BOOLEAN": return FirebaseTemplate.value(of: text, as: .boolean)
    case "NUMBER": return FirebaseNumber.value(of: text)
    case "JSON":
      switch parsed {
      case .object?, .list?: return parsed
      case .null?, .bool?, .integer?, .double?, .string?, nil: return nil
      }
    default: return .string(text)
    }
  }

  /// Adds a parameter with a default to the catalog.
  /// - Returns: True if the parameter was added, false if it is invalid.
  @discardableResult
  mutating func add(_ name: String, default value: Value, section: String, _ description: String? = nil) -> Bool {
    if let complaint = DefaultsDocument.complaint(about: ObjectValue.Member(name: name, value: value), names) {
      refuse(name, complaint)
      return false
    }
    var members = ObjectValue([("type", .string(DefaultsDocument.parameterType(of: value).rawValue))])
    members["default"] = value
    members["section"] = .string(section)
    members["description"] = .string(description ?? name)
    return put(name, members)
  }

  private mutating func put(_ name: String, _ members: ObjectValue) -> Bool {
    guard let id = names.id(of: name) else {
      refuse(name, CatalogNames.complaint(aboutAlias: name) ?? "“\(name)” cannot be a name.")
      return false
    }
    let alias = names.alias(of: name)
    let whole = ObjectValue((alias.map { [("alias", .string($0))] } ?? []) + members.members.map { ($0.name, $0.value) })
    guard parameters.appendIfAbsent(id, .object(whole)) else {
      refuse(name, "\(name) is in two groups.")
      return false
    }
    if alias != nil { report.change(name, "“\(name)” cannot be an id: the key is \(id), and the name is its alias.") }
    return true
  }

  /// - Parameters:
  ///   - document: The flag's document. Its shared evaluators are expanded in the flag's targeting, because a catalog has no such
  ///     evaluators.
  ///   - others: The names of the flag's members that flagd does not define.
  mutating func add(_ key: String, _ flag: FlagDefinition, _ document: FlagdDocument, others: [String]) {
    let types = Set(flag.variants.members.map { DefaultsDocument.parameterType(of: $0.value) })
    let type: ParameterType
    if types.count == 1, let only = types.first {
      type = only
    } else if types == [.integer, .double] {
      type = .double
    } else {
      return refuse(key, "\(key) has variants of several types; a parameter has one.")
    }
    var members = ObjectValue([("type", .string(type.rawValue))])
    var changes = types.count > 1 ? ["\(key) is a double: it has variants that are integers and variants that are not."] : []
    if !flag.isEnabled || flag.defaultVariant == nil {
      // A boolean flag that is disabled or has no default variant is converted to false, independently of its variants.
      let name = flag.defaultVariant ?? flag.variants.names.first ?? ""
      guard let value = type == .boolean ? false : flag.variants[name] else {
        return refuse(key, "\(key) has no variant \(name), which is its default.")
      }
      members["default"] = value
      let shown = JSONWriter.text(value)
      changes.append(
        !flag.isEnabled
          ? "\(key) is disabled: \(shown) is the catalog's default."
          : type == .boolean
            ? "\(key) has no default variant: false is the catalog's default, where flagd leaves it to the caller."
            : "\(key) has no default variant: the first one, \(name), is the catalog's default, where flagd leaves it to the caller.")
    }
    let description = flag.metadata["description"]?.stringValue ?? key
    members["section"] = .string(DefaultsDocument.section)
    members["description"] = .string(description.isEmpty ? key : description)
    var written = flag.flagdValue().objectValue ?? ObjectValue()
    if let targeting = flag.targeting {
      var nodesLeft = LogicLimits.nodesMax
      guard let whole = Self.whole(targeting.source, document.evaluators, &nodesLeft) else {
        return refuse(key, "\(key) is too long for a rule with its shared evaluators written out.")
      }
      if whole != targeting.source { changes.append("The shared evaluators ($evaluators) that \(key) refers to are written out in it.") }
      written["targeting"] = whole
    }
    members["flagd"] = .object(written)
    guard put(key, members) else { return }
    for change in changes { report.change(key, change) }
    for other in others { report.leaveOut(key, "“\(other)” of \(key).") }
    for name in flag.unknownVariants {
      report.remark(
        "\(key): its targeting names “\(name.prefix(60))”, which is no variant: an error in flagd, so that its caller's default applies; "
          + "here it gives the catalog's default, and “config explain” says why.")
    }
  }

  /// Returns a targeting rule with each `$ref` replaced by its evaluator; nil if it would exceed the limit of values. Cycles were rejected
  /// when the document was parsed.
  private static func whole(_ rule: Value, _ evaluators: ObjectValue, _ nodesLeft: inout Int) -> Value? {
    nodesLeft -= 1
    if nodesLeft < 0 { return nil }
    switch rule {
    case .list(let elements):
      var written: [Value] = []
      for element in elements {
        guard let each = whole(element, evaluators, &nodesLeft) else { return nil }
        written.append(each)
      }
      return .list(written)
    case .object(let members):
      if members.count == 1, case .string(let name)? = members["$ref"], let shared = evaluators[name] {
        return whole(shared, evaluators, &nodesLeft)
      }
      var written = ObjectValue()
      for member in members.members {
        guard let each = whole(member.value, evaluators, &nodesLeft) else { return nil }
        written[member.name] = each
      }
      return .object(written)
    case .null, .bool, .integer, .double, .string: return rule
    }
  }

  /// Returns the converted catalog, after ``CatalogReader`` has validated it.
  /// - Throws: ``Faults`` with all faults of the catalog.
  mutating func catalog(game: String, title: String?) throws(Faults) -> CatalogConversion {
    if let complaint = CatalogNames.complaint(about: game, as: .game) { faults.append(complaint) }
    if !faults.isEmpty { throw Faults(messages: faults) }
    var (text, reading) = Self.read(parameters, game: game, title: title)
    if reading.catalog == nil, skipsInvalid, parameters.count <= CatalogCheck.parametersMax {
      dropInvalidAlone(game: game)
      (text, reading) = Self.read(parameters, game: game, title: title)
    }
    if parameters.isEmpty, skipsInvalid, !report.leftOut.isEmpty {
      throw Faults(messages: ["Nothing is left to convert."] + report.leftOut.map(\.message))
    }
    if reading.catalog == nil { throw Faults(messages: reading.report) }
    for member in parameters.members { report.carry(Self.name(of: member)) }
    return CatalogConversion(yaml: text, report: report)
  }

  /// Leaves out the invalid parameters. It finds them by reading a separate catalog for each parameter, which has no other parameter.
  private mutating func dropInvalidAlone(game: String) {
    var valid: [(String, Value)] = []
    for member in parameters.members {
      let reading = Self.read(ObjectValue([(member.name, member.value)]), game: game, title: nil).reading
      if reading.catalog != nil {
        valid.append((member.name, member.value))
      } else {
        report.drop(Self.name(of: member), "\(Self.name(of: member)): \(reading.faults.first?.message ?? "It makes no catalog.")")
      }
    }
    parameters = ObjectValue(valid)
  }

  private static func name(of member: ObjectValue.Member) -> String { member.value["alias"]?.stringValue ?? member.name }

  private static func read(_ parameters: ObjectValue, game: String, title: String?) -> (text: String, reading: CatalogReadResult) {
    let catalog = ObjectValue([
      ("gameconf", .integer(CatalogFormat.version)), ("game", .string(game)), ("title", .string(title ?? game)), ("locales", ["en"]),
      ("parameters", .object(parameters)),
    ])
    let text = YAMLWriter(blockDepth: 3).text(.object(catalog))
    return (text, CatalogReader.read(CatalogFiles(main: NamedFile(name: "\(game).yaml", bytes: Array(text.utf8)))))
  }
}
