// Validates a catalog's syntax tree against the tables of fields: unknown and missing fields, and values of the wrong kind.

import GameConfCore

struct CatalogShapeCheck {
  /// The prefix of field names that a catalog may have anywhere. Their values are stored but not interpreted.
  static let extensionPrefix = "x-"

  private(set) var faults: [TextFault] = []
  /// True if missing top-level fields are faults; false if a part of the text could not be parsed.
  let isWhole: Bool

  init(isWhole: Bool) { self.isWhole = isWhole }

  /// Validates the root of the syntax tree and everything below it.
  mutating func check(root: YAMLNode) {
    guard root.entries != nil else {
      return report(root.place, "A catalog is a mapping of fields, beginning with “gameconf: 1”; this is \(root.described).")
    }
    check(root, CatalogFormat.header, owner: root.place, path: "")
  }

  private mutating func check(_ node: YAMLNode, _ shape: CatalogShape, owner: TextPosition, path: String) {
    if case .refused = node.content { return }
    switch shape {
    case .data, .expression, .schema: break
    case .text: checkText(node, path)
    case .textOrNull: if !node.isNull { checkText(node, path) }
    case .boolean:
      if case .scalar(let text, isQuoted: false) = node.content, YAMLScalar.booleans[text] != nil { return }
      expected("true or false", node, path)
    case .integer(let least): checkInteger(node, least, path)
    case .number: checkNumber(node, path)
    case .choice(let choices): checkChoice(node, choices, path)
    case .list(let element, let isFilled):
      guard let elements = node.elements else { return expected("a list\(example(node, path) { "[\($0)]" })", node, path) }
      if isFilled, elements.isEmpty { report(node.place, "“\(path)” needs at least one element.") }
      for element_ in elements { check(element_, element, owner: element_.place, path: path) }
    case .map(let kind, let value): checkMap(node, kind, value, path)
    case .fields(let fields):
      guard node.entries != nil else {
        let isAllOptional = !fields.exactlyOne && !fields.fields.contains(where: \.isRequired)
        return expected("a mapping of fields\(node.isNull && isAllOptional ? ", or {} for no fields" : "")", node, path)
      }
      check(node, fields, owner: owner, path: path)
    case .either(let shapes):
      guard let fitting = shapes.first(where: { fits(node, $0) }) else {
        return expected(shapes.map(words).joined(separator: " or "), node, path)
      }
      check(node, fitting, owner: owner, path: path)
    }
  }

  private mutating func check(_ node: YAMLNode, _ place: CatalogFields, owner: TextPosition, path: String) {
    let entries = node.entries ?? []
    var known = 0
    var misspelled: Set<String> = []
    for entry in entries where !entry.name.hasPrefix(Self.extensionPrefix) {
      guard let field = place[entry.name] else {
        let isListed = faults.count < CatalogReadResult.faultsMax
        let suggestion = isListed ? NearestNames.nearest(to: entry.name, among: place.fields.map(\.name)).first : nil
        if let suggestion { misspelled.insert(suggestion) }
        let hint =
          suggestion.map { "; did you mean “\($0)”?" }
          ?? " (there are \(place.fields.map(\.name).joined(separator: ", ")); your own fields begin with “x-”)."
        report(entry.namePlace, "“\(YAMLScalar.shown(entry.name))” is not a field of \(place.noun)\(hint)")
        continue
      }
      known += 1
      check(entry.value, field.shape, owner: entry.namePlace, path: entry.name)
    }
    if place.exactlyOne, known != 1 {
      let names = place.fields.map { "“\($0.name)”" }.joined(separator: ", ")
      if known > 1 || entries.isEmpty { report(node.place, "There must be exactly one of \(names) in \(place.noun).") }
    }
    if place.id == CatalogFormat.header.id && !isWhole { return }
    // A required field whose name is misspelled is reported as unknown, and not as missing too.
    for field in place.fields where field.isRequired && node[field.name] == nil && !misspelled.contains(field.name) {
      if let other = field.isNeededUnless, node[other] != nil { continue }
      report(owner, "\(place.noun.first?.uppercased() ?? "")\(place.noun.dropFirst()) needs “\(field.name)”: \(field.about)")
    }
  }

  private mutating func checkMap(_ node: YAMLNode, _ kind: CatalogNames.Kind?, _ value: CatalogShape, _ path: String) {
    guard let entries = node.entries else {
      let isText = if case .text = value { true } else { false }
      let key = path == "price" ? "USD" : "en"
      let shown = isText ? example(node, path) { "{\(key): \"\($0)\"}" } : ""
      return expected("a mapping of names\(shown)", node, path)
    }
    for entry in entries {
      if let kind, let complaint = CatalogNames.complaint(about: entry.name, as: kind) { report(entry.namePlace, complaint) }
      check(entry.value, value, owner: entry.namePlace, path: entry.name)
    }
  }

  private mutating func checkText(_ node: YAMLNode, _ path: String) {
    guard case .scalar(let text, let isQuoted) = node.content else { return expected("text", node, path) }
    if !isQuoted, YAMLScalar.nulls.contains(text) {
      report(
        node.place, "“\(path)” needs text; the word \(text.isEmpty ? "itself is missing" : "“\(text)” must be in quotes").")
    } else if text.isEmpty {
      report(node.place, "“\(path)” needs text; this is empty.")
    }
  }

  private mutating func checkInteger(_ node: YAMLNode, _ least: Int64, _ path: String) {
    guard case .scalar(let text, isQuoted: false) = node.content else { return expected("a whole number", node, path) }
    switch YAMLScalar.number(text) {
    case .refused(let why): report(node.place, why)
    case .none: expected("a whole number", node, path)
    case .number(let number):
      guard let integer = number.losslessInteger else { return expected("a whole number", node, path) }
      if integer < least { report(node.place, "“\(path)” must be at least \(least); this is \(integer).") }
    }
  }

  private mutating func checkNumber(_ node: YAMLNode, _ path: String) {
    guard case .scalar(let text, isQuoted: false) = node.content else { return expected("a number", node, path) }
    switch YAMLScalar.number(text) {
    case .refused(let why): report(node.place, why)
    case .none: expected("a number", node, path)
    case .number: break
    }
  }

  private mutating func checkChoice(_ node: YAMLNode, _ choices: [String], _ path: String) {
    guard case .scalar(let text, _) = node.content, !node.isNull else { return expected(words(.choice(choices)), node, path) }
    if choices.contains(text) { return }
    let suggestion = NearestNames.nearest(to: text, among: choices).first.map { "; did you mean “\($0)”?" } ?? "."
    report(node.place, "“\(YAMLScalar.shown(text))” is not one of \(choices.joined(separator: ", "))\(suggestion)")
  }

  private func fits(_ node: YAMLNode, _ shape: CatalogShape) -> Bool {
    switch (shape, node.content) {
    case (.fields, .mapping), (.map, .mapping), (.list, .list), (.data, _), (.expression, _), (.schema, _): true
    case (.text, .scalar), (.textOrNull, .scalar), (.boolean, .scalar), (.integer, .scalar), (.number, .scalar), (.choice, .scalar): true
    default: false
    }
  }

  private func words(_ shape: CatalogShape) -> String {
    switch shape {
    case .text, .textOrNull: "text"
    case .boolean: "true or false"
    case .integer: "a whole number"
    case .number: "a number"
    case .choice(let choices): choices.count == 1 ? "“\(choices[0])”" : "one of \(choices.joined(separator: ", "))"
    case .list: "a list"
    case .fields(let fields) where fields.exactlyOne: fields.fields.map { "{\($0.name): …}" }.joined(separator: " or ")
    case .map, .fields: "a mapping"
    case .data, .expression, .schema, .either: "a value"
    }
  }

  /// Returns an example for an error message: the value of the node in the right notation. Returns an empty text if the value is long or
  /// not a scalar.
  private func example(_ node: YAMLNode, _ path: String, _ written: (String) -> String) -> String {
    guard case .scalar(let text, _) = node.content, !text.isEmpty, text.utf8.count <= Self.exampleBytesMax else { return "" }
    return ", such as “\(path): \(written(YAMLScalar.shown(text)))”"
  }

  private static let exampleBytesMax = 40

  private mutating func expected(_ right: String, _ node: YAMLNode, _ path: String) {
    report(node.place, "“\(YAMLScalar.shown(path))” should be \(right); this is \(node.described).")
  }

  private mutating func report(_ place: TextPosition, _ message: String) {
    faults.append(TextFault(place: place, message: message))
  }
}
