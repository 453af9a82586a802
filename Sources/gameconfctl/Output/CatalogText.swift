// Reads from the daemon's description of a catalog the parts that commands need.

import GameConfAPI
import GameConfCore

extension CatalogAnswer {
  /// Returns the elements of one part of the catalog, such as `themes`, in the catalog's order.
  func part(_ name: String) -> [Value] { document[name]?.listValue ?? [] }

  func element(_ id: String, of name: String) -> Value? { part(name).first { $0["id"]?.stringValue == id } }

  func type(of key: String) -> ParameterType? {
    part("parameters").first { $0["key"]?.stringValue == key }?["type"]?.stringValue.flatMap(ParameterType.init)
  }

  /// The threshold of the milestone that unlocks a theme.
  enum Threshold: Equatable {
    /// The value of the parameter with this key is the threshold.
    case parameter(String)
    case number(Int64)
    /// The theme has no threshold, because it is free, sold, or switched by a flag. The text says how it is unlocked.
    case none(String)
  }

  /// Returns the threshold that unlocks a theme; nil if the theme does not exist.
  func threshold(ofTheme id: String) -> Threshold? {
    guard let unlock = element(id, of: "themes")?["unlock"] else { return nil }
    guard let milestone = unlock["milestone"]?.stringValue else { return .none(CatalogPage.words(unlock)) }
    let at = element(milestone, of: "milestones")?["at"]
    if let key = at?["parameter"]?.stringValue { return .parameter(key) }
    return at?.integerValue.map(Threshold.number) ?? .none("milestone \(milestone)")
  }
}

extension CatalogAnswer {
  /// Returns the threshold of a theme.
  /// - Throws: `unknownID` with similar names if the game does not have the theme.
  func knownThreshold(ofTheme id: String, in game: String) throws(CtlFailure) -> Threshold {
    if let threshold = threshold(ofTheme: id) { return threshold }
    let names = part("themes").compactMap { $0["id"]?.stringValue }
    throw .problem(Problem(.unknownID, "\(game) has no theme “\(id)”.\(NearestNames.hint(for: id, among: names))"))
  }
}

extension CatalogAnswer.Threshold {
  /// Returns the key of the parameter that sets the threshold.
  /// - Throws: A failure if the theme has no threshold or the catalog fixes it.
  func key(ofTheme id: String) throws(CtlFailure) -> String {
    switch self {
    case .parameter(let key): return key
    case .none(let unlock): throw .refused(["theme \(id) has no milestone to change; its unlock is \(unlock)"])
    case .number(let number): throw .refused(["the milestone of \(id) cannot be changed: the catalog fixes it at \(number)"])
    }
  }
}

enum CatalogPage {
  static func of(_ answer: CatalogAnswer) -> TablePage {
    var page = TablePage()
    page.add(
      "game",
      Table(facts: "what") {
        for name in ["game", "title", "bundle", "locales", "modes", "child_directed", "simulation", "premium", "source"] {
          NamedValueRow(name, answer.document[name].map(words))
        }
      })
    if !answer.part("drop_ins").isEmpty { page.add("drop-in", dropIns(answer.part("drop_ins"))) }
    page.add("parameters", parameters(answer))
    let parts: [(String, [String])] = [
      ("constraints", ["id", "message"]), ("milestones", ["id", "count", "at", "achievement"]), ("themes", ["id", "unlock", "name"]),
      ("products", ["id", "type", "price", "grants", "store_id"]), ("offerings", ["id", "packages"]),
      ("placements", ["id", "format", "event", "every", "exempt"]), ("gates", ["id", "args", "locked_when", "unless"]),
    ]
    for (name, columns) in parts where !answer.part(name).isEmpty {
      page.add(
        name,
        Table(answer.part(name)) {
          for (at, column) in columns.enumerated() { Column(at == 0 ? String(name.dropLast()) : column) { $0[column].map(words) } }
        })
    }
    return page
  }

  /// Returns an element's title, in the first language if it has several.
  static func title(_ element: Value) -> String {
    guard let name = element["name"] ?? element["title"] else { return "" }
    return name.stringValue ?? name.objectValue?.members.first?.value.stringValue ?? ""
  }

  /// Returns a table of the drop-in files with the fields that each one changes. For these fields the drop-in is in force, and not the
  /// catalog's own file.
  private static func dropIns(_ files: [Value]) -> Table {
    Table(files) {
      Column("drop-in") { $0["file"].map(words) }
      Column("changes") { file in
        let parameters = (file["parameters"]?.objectValue?.members ?? []).map { "\($0.name) (\(words($0.value)))" }
        let changes = parameters + (file["header"]?.listValue ?? []).map(words)
        return changes.isEmpty ? "nothing" : changes.joined(separator: ", ")
      }
    }
  }

  private static func parameters(_ answer: CatalogAnswer) -> Table {
    let all = answer.part("parameters")
    var sections: [String] = []
    for section in all.compactMap({ $0["section"]?.stringValue }) where !sections.contains(section) { sections.append(section) }
    let sorted = sections.flatMap { section in all.filter { $0["section"]?.stringValue == section } }
    return Table(sorted, whenEmpty: "no keys", section: { $0["section"]?.stringValue }) {
      Column("key") { $0["key"].map(words) ?? "" }
      Column("type") { $0["type"].map(words) ?? "" }
      Column("default", .value) { $0["default"] }
      Column("unit") { $0["unit"].map(words) ?? "" }
      Column("admits", .extra) { admits($0) }
      Column("description", .extra) { $0["description"].map(words) ?? "" }
    }
  }

  /// Returns words about the values that a parameter admits, and about its further properties.
  static func admits(_ parameter: Value) -> String {
    var parts: [String] = []
    if let range = parameter["range"] {
      let bounds: [(String, String)] = [("min", "≥"), ("above", ">"), ("max", "≤"), ("below", "<"), ("step", "step")]
      parts += bounds.compactMap { name, sign in range[name].map { "\(sign) \(words($0))" } }
    }
    if let allowed = parameter["enum"] { parts.append(words(allowed)) }
    if let oneOf = parameter["one_of"] { parts.append(words(oneOf)) }
    if let pattern = parameter["pattern"] { parts.append("/\(words(pattern))/") }
    if let length = parameter["max_length"] { parts.append("at most \(words(length)) characters") }
    if let flag = parameter["flag"] { parts.append("\(words(flag)) flag") }
    if parameter["player_setting"] == true { parts.append("player setting") }
    if parameter["secret"] == true { parts.append("secret") }
    return parts.joined(separator: ", ")
  }

  /// Returns a small value in words: a list with commas, an object such as `{parameter: key}` as its two words.
  static func words(_ value: Value) -> String {
    switch value {
    case .list(let list) where list.allSatisfy({ $0.objectValue == nil && $0.listValue == nil }):
      list.isEmpty ? "-" : list.map(ValueStyle.cell).joined(separator: ", ")
    case .object(let object) where object.members.allSatisfy({ $0.value.objectValue == nil && $0.value.listValue == nil }):
      object.isEmpty ? "-" : object.members.map { "\($0.name) \(ValueStyle.cell($0.value))" }.joined(separator: ", ")
    default: ValueStyle.cell(value)
    }
  }
}
