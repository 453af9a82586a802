// Generates the tables of the page “Catalog reference” from the format's declaration, and merges the page's examples to one catalog.

import FoundationEssentials
import GameConfCore

@testable import GameConfFormats

/// The generated parts of the page “Catalog reference”. In the page, a table follows the comment `<!-- table: NAME -->`.
enum CatalogReferencePage {
  static let path: String = {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return "/\(root)/Sources/gameconfd/Documentation.docc/Guides/CatalogReference.md"
  }()

  /// The kinds of objects in a catalog with their fields. The header is the first.
  static let places: [CatalogFields] = {
    var found: [CatalogFields] = []
    collect(CatalogFormat.header, into: &found)
    return found
  }()

  /// The generated tables by name, each as lines of Markdown.
  static let tables: [String: [String]] = {
    var tables = Dictionary(uniqueKeysWithValues: places.map { ($0.id, table(of: $0)) })
    tables["ads"] = adRules
    tables["gates"] = gateReasons
    tables["codes"] = codes
    return tables
  }()

  /// Returns the names of the tables in the page, in their order.
  static func tables(in page: String) -> [String] { lines(page).compactMap(name(ofTable:)) }

  /// Returns the page with each of its tables replaced by the generated one.
  static func withTables(_ page: String) -> String {
    var written: [String] = []
    var isTable = false
    for line in lines(page) {
      if isTable {
        if line.isEmpty || line.hasPrefix("|") { continue }
        isTable = false
      }
      written.append(line)
      if let name = name(ofTable: line) {
        isTable = true
        written += [""] + tables[name, default: []] + [""]
      }
    }
    return written.joined(separator: "\n")
  }

  /// Returns one catalog that contains all YAML examples of the page. Examples with the same top-level field are merged.
  static func example(in page: String) -> String {
    var parts: [(key: Substring, lines: [String])] = []
    var isYAML = false
    var at = 0
    for line in lines(page) {
      if line.hasPrefix("```") {
        isYAML = line == "```yaml"
      } else if isYAML, let key = line.first == " " ? nil : line.prefix(while: { $0 != ":" }) {
        if let known = parts.firstIndex(where: { $0.key == key }) {
          at = known
        } else {
          at = parts.count
          parts.append((key, [line]))
        }
      } else if isYAML {
        parts[at].lines.append(line)
      }
    }
    return parts.flatMap(\.lines).joined(separator: "\n") + "\n"
  }

  /// Records each field that a syntax tree contains, as `OBJECT.FIELD`.
  static func note(_ node: YAMLNode, in place: CatalogFields, into found: inout Set<String>) {
    for entry in node.entries ?? [] {
      guard let field = place[entry.name] else { continue }
      found.insert("\(place.id).\(field.name)")
      note(entry.value, as: field.shape, into: &found)
    }
  }

  private static func note(_ node: YAMLNode, as shape: CatalogShape, into found: inout Set<String>) {
    switch shape {
    case .fields(let place): note(node, in: place, into: &found)
    case .list(let element, _): for node in node.elements ?? [] { note(node, as: element, into: &found) }
    case .map(_, let value): for entry in node.entries ?? [] { note(entry.value, as: value, into: &found) }
    case .either(let shapes): if node.entries != nil { for shape in shapes { note(node, as: shape, into: &found) } }
    default: break
    }
  }

  private static let mark = "<!-- table: "

  private static func name(ofTable line: String) -> String? {
    line.hasPrefix(mark) && line.hasSuffix(" -->") ? String(line.dropFirst(mark.count).dropLast(4)) : nil
  }

  private static func lines(_ page: String) -> [String] {
    page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func collect(_ place: CatalogFields, into found: inout [CatalogFields]) {
    if found.contains(where: { $0.id == place.id }) { return }
    found.append(place)
    for field in place.fields { collect(field.shape, into: &found) }
  }

  private static func collect(_ shape: CatalogShape, into found: inout [CatalogFields]) {
    switch shape {
    case .fields(let place): collect(place, into: &found)
    case .list(let element, _): collect(element, into: &found)
    case .map(_, let value): collect(value, into: &found)
    case .either(let shapes): for shape in shapes { collect(shape, into: &found) }
    default: break
    }
  }

  private static func table(of place: CatalogFields) -> [String] {
    let head = place.exactlyOne ? "Exactly one of these in \(place.noun)" : "In \(place.noun)"
    return ["| \(head) | type, default | meaning |", "|---|---|---|"]
      + place.fields.map { field in
        let other = field.isNeededUnless.map { ", unless `\($0)`" } ?? ""
        let usual = field.isRequired ? "; **required**\(other)" : field.usual.map { "; default \($0)" } ?? ""
        return "| `\(field.name)` | \(words(field.shape))\(usual) | \(marked(field.about))\(refusals(field)) |"
      }
  }

  /// Returns a sentence of the declaration as Markdown: quoted names become code.
  private static func marked(_ about: String) -> String { about.replacing("“", with: "`").replacing("”", with: "`") }

  private static func refusals(_ field: CatalogField) -> String {
    field.refusals.isEmpty ? "" : " Code: " + field.refusals.map { "`\($0)`" }.joined(separator: ", ") + "."
  }

  private static func words(_ shape: CatalogShape) -> String {
    switch shape {
    case .text: "text"
    case .textOrNull: "text or null"
    case .boolean: "boolean"
    case .integer(let least): "integer from \(least)"
    case .number: "number"
    case .choice(let choices): choices.map { "`\($0)`" }.joined(separator: ", ")
    case .data: "value"
    case .expression: "JsonLogic"
    case .schema: "JSON Schema"
    case .list(let element, _): "list: \(words(element))"
    case .map(_, let value): "by name: \(words(value))"
    case .fields(let place): place.id == "reference" ? "`{parameter: KEY}`" : place.noun
    case .either(let shapes): shapes.map(words).joined(separator: " or ")
    }
  }

  /// The rules that decide if an ad shows, in the order of evaluation, each with the field that sets it.
  private static var adRules: [String] {
    ["| code | field | the field |", "|---|---|---|"]
      + AdRefusal.allCases.map { refusal in
        let field = places.lazy.flatMap(\.fields).first { $0.refusals.contains(refusal.rawValue) }
        return "| `\(refusal.rawValue)` | `\(field?.name ?? "")` | \(marked(field?.about ?? "")) |"
      }
  }

  private static var gateReasons: [String] {
    ["| reason | meaning |", "|---|---|"]
      + GateDecision.Reason.allCases.map { reason in
        let meaning =
          switch reason {
          case .open: "`locked_when` is not truthy."
          case .entitled: "`locked_when` is truthy, and the player holds an entitlement of `unless`."
          case .locked: "`locked_when` is truthy. The answer names the products that would open the gate."
          case .undecided: "`locked_when` took more steps than it may; the gate stays locked."
          }
        return "| `\(reason.rawValue)` | \(meaning) |"
      }
  }

  /// The problem codes, each with the catalog's fields that cause it.
  private static var codes: [String] {
    var fields: [String: [String]] = [:]
    for place in places {
      for field in place.fields {
        for code in field.refusals { fields[code, default: []].append("`\(field.name)` of \(place.noun)") }
      }
    }
    return ["| code | field |", "|---|---|"]
      + fields.sorted { $0.key < $1.key }.map { "| `\($0.key)` | \($0.value.joined(separator: ", ")) |" }
  }
}
