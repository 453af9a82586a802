// Decodes a catalog from its YAML syntax tree. This file has the top-level fields. Each kind of part has a file of its own.

import GameConfCore

/// A decoder of one catalog's YAML syntax tree.
///
/// ``CatalogShapeCheck`` reports missing fields and fields of the wrong kind. The decoder reports only the other faults: in values of a
/// declared type, expressions, schemas, patterns, instants and periods. A node that the decoder skips without a fault is added to
/// ``unread``, so that no unreadable node can go unnoticed.
struct CatalogDecoder {
  let root: YAMLNode
  var faults: [TextFault] = []
  var warnings: [TextFault] = []
  var unread: [TextPosition] = []
  /// The positions of list elements that could not be decoded.
  var leftOut: Set<TextPosition> = []
  var unreadable: [CatalogCheck.Part: Set<String>] = [:]
  var logic = LogicOptions()

  init(root: YAMLNode) { self.root = root }

  /// Decodes the catalog. Parts that cannot be decoded are left out.
  mutating func catalog() -> Catalog {
    var catalog = Catalog(game: text(root["game"]) ?? "", title: text(root["title"]) ?? "", locales: texts(root["locales"]))
    catalog.bundle = text(root["bundle"])
    catalog.modes = texts(root["modes"])
    catalog.events = named(root["events"], .events) { $0.event($1, $2) }
    catalog.logsEvents = boolean(root["log_events"]) ?? false
    catalog.childDirected = boolean(root["child_directed"]) ?? false
    catalog.purchases = choice(root["simulation"]?.value["purchases"]) ?? .off
    if let enabled = switching(root["simulation"]?.value["enabled"]) { catalog.storeEnabled = enabled }
    catalog.fractional = choice(root["fractional"]) ?? .v3
    logic.fractional = catalog.fractional
    catalog.premium = text(root["premium"])
    catalog.extraFlags = boolean(root["extra_flags"]) ?? false
    catalog.source = source()
    catalog.parameters = named(root["parameters"], .parameters) { $0.parameter($1, $2) }
    catalog.constraints = named(root["constraints"], .constraints) { $0.constraint($1, $2) }
    catalog.milestones = named(root["milestones"], .milestones) { $0.milestone($1, $2) }
    catalog.themeSchema = schema(root["theme_schema"])
    let locale = catalog.locales.first ?? "en"
    catalog.themes = named(root["themes"], .themes) { $0.theme($1, $2, locale) }
    catalog.products = named(root["products"], .products) { $0.product($1, $2, locale) }
    catalog.offerings = named(root["offerings"], .offerings) { decoder, id, node in
      let packages = (node.entries ?? []).compactMap { entry in decoder.text(entry).map { Offering.Package(id: entry.name, product: $0) } }
      return Offering(id: id, packages: packages)
    }
    catalog.paywalls = paywalls(root["paywalls"]?.value)
    catalog.placements = named(root["placements"], .placements) { $0.placement($1, $2) }
    catalog.gates = named(root["gates"], .gates) { $0.gate($1, $2) }
    catalog.leaderboards = named(root["leaderboards"], nil) { $0.leaderboard($1, $2) }
    catalog.extensions = extensions(root)
    return catalog
  }

  private mutating func source() -> TemplateSource {
    var source = TemplateSource()
    let entry = root["source"]
    var activate = root["activate"]
    if let node = entry?.value, node.entries != nil {
      source.file = text(node["file"])
      if let inner = node["activate"] {
        if activate != nil { fault(inner.namePlace, "“activate” is given beside “source” and in it; keep one.") }
        activate = inner
      }
    }
    source.activatesByHand = text(activate) == "manual"
    return source
  }

  private mutating func constraint(_ id: String, _ node: YAMLNode) -> Constraint? {
    guard let require = expression(node["require"]) else { return nil }
    return Constraint(id: id, require: require, message: text(node["message"]) ?? "The constraint \(id) does not hold.")
  }

  /// Decodes each entry of a YAML mapping, and records the names of entries that cannot be decoded.
  mutating func named<Part>(
    _ entry: YAMLEntry?, _ part: CatalogCheck.Part?, _ read: (inout CatalogDecoder, String, YAMLNode) -> Part?
  ) -> [Part] {
    var parts: [Part] = []
    for entry in entry?.value.entries ?? [] {
      if entry.value.entries != nil, let read = read(&self, entry.name, entry.value) {
        parts.append(read)
      } else {
        unread.append(entry.namePlace)
        if let part { unreadable[part, default: []].insert(entry.name) }
      }
    }
    return parts
  }

  static func isExtension(_ name: String) -> Bool { name.hasPrefix(CatalogShapeCheck.extensionPrefix) }

  mutating func fault(_ place: TextPosition, _ message: String) { faults.append(TextFault(place: place, message: message)) }

  mutating func text(_ entry: YAMLEntry?) -> String? { entry.flatMap { text($0.value) } }

  mutating func text(_ node: YAMLNode) -> String? {
    if case .scalar(let text, _) = node.content, !node.isNull { return text }
    unread.append(node.place)
    return nil
  }

  mutating func texts(_ entry: YAMLEntry?) -> [String] { each(entry) { $0.text($1) } }

  /// Decodes each element of a YAML list. The positions of elements that cannot be decoded are recorded, so that the indices of the others
  /// can be mapped to positions in the file.
  mutating func each<Element>(_ entry: YAMLEntry?, _ read: (inout CatalogDecoder, YAMLNode) -> Element?) -> [Element] {
    var elements: [Element] = []
    for node in entry?.value.elements ?? [] {
      if let element = read(&self, node) { elements.append(element) } else { leftOut.insert(node.place) }
    }
    return elements
  }

  mutating func boolean(_ entry: YAMLEntry?) -> Bool? {
    guard let entry else { return nil }
    if case .scalar(let text, isQuoted: false) = entry.value.content, let boolean = YAMLScalar.booleans[text] { return boolean }
    unread.append(entry.value.place)
    return nil
  }

  mutating func integer(_ entry: YAMLEntry?) -> Int64? {
    guard let entry else { return nil }
    if let integer = number(entry.value)?.losslessInteger { return integer }
    unread.append(entry.value.place)
    return nil
  }

  mutating func number(_ node: YAMLNode) -> Value? {
    if case .scalar(let text, isQuoted: false) = node.content, case .number(let number) = YAMLScalar.number(text) { return number }
    unread.append(node.place)
    return nil
  }

  mutating func choice<Choice: RawRepresentable>(_ entry: YAMLEntry?) -> Choice? where Choice.RawValue == String {
    guard let entry else { return nil }
    if let choice = text(entry).flatMap(Choice.init(rawValue:)) { return choice }
    unread.append(entry.value.place)
    return nil
  }

  mutating func localizedText(_ entry: YAMLEntry?) -> LocalizedText {
    var texts: LocalizedText = [:]
    for entry in entry?.value.entries ?? [] { texts[entry.name] = text(entry) }
    return texts
  }

  /// Returns the key if the node is a reference to a parameter, `{parameter: key}`; otherwise nil.
  mutating func parameterReference(_ node: YAMLNode) -> String? {
    guard let entries = node.entries, entries.count == 1, entries[0].name == "parameter" else { return nil }
    return text(entries[0])
  }

  /// Returns the fields whose names begin with `x-`, which may have any value.
  mutating func extensions(_ node: YAMLNode) -> ObjectValue {
    let entries = (node.entries ?? []).filter { Self.isExtension($0.name) }
    return ObjectValue(entries.map { ($0.name, $0.value.leniently) })
  }
}
