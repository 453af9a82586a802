// Tests that the JSON Schema of catalogs and the catalog reader know the same fields in the same objects.

import GameConfCore
import Testing

@testable import GameConfFormats

@Suite("The JSON Schema of catalogs")
struct CatalogSchemaTests {
  /// A kind of object in a catalog, with a catalog's text in which `FIELDS` marks the place of the object's fields.
  struct Place: Sendable, CustomTestStringConvertible {
    var id: String
    var text: String
    var testDescription: String { id }
  }

  static let places: [Place] = [
    Place(id: "event", text: "events: {a: {FIELDS}}"),
    Place(id: "detail", text: "events: {a: {details: {b: {FIELDS}}}}"),
    Place(id: "leaderboard", text: "leaderboards: {a: {FIELDS}}"),
    Place(id: "simulation", text: "simulation: {FIELDS}"),
    Place(id: "source", text: "source: {FIELDS}"),
    Place(id: "parameter", text: "parameters: {a: {FIELDS}}"),
    Place(id: "range", text: "parameters: {a: {range: {FIELDS}}}"),
    Place(id: "one_of", text: "parameters: {a: {one_of: {FIELDS}}}"),
    Place(id: "rule", text: "parameters: {a: {rules: [{FIELDS}]}}"),
    Place(id: "progress", text: "parameters: {a: {rules: [{percent: {FIELDS}}]}}"),
    Place(id: "flagd", text: "parameters: {a: {flagd: {FIELDS}}}"),
    Place(id: "constraint", text: "constraints: {a: {FIELDS}}"),
    Place(id: "check", text: "events: {a: {checks: {c: {FIELDS}}}}"),
    Place(id: "milestone", text: "milestones: {a: {FIELDS}}"),
    Place(id: "count", text: "milestones: {a: {count: {FIELDS}}}"),
    Place(id: "bests", text: "milestones: {a: {count: {bests: {FIELDS}}}}"),
    Place(id: "theme", text: "themes: {a: {FIELDS}}"),
    Place(id: "unlock", text: "themes: {a: {unlock: {FIELDS}}}"),
    Place(id: "product", text: "products: {a: {FIELDS}}"),
    Place(id: "intro", text: "products: {a: {intro: {FIELDS}}}"),
    Place(id: "paywalls", text: "paywalls: {FIELDS}"),
    Place(id: "paywall", text: "paywalls: {offerings: {a: {FIELDS}}}"),
    Place(id: "placement", text: "placements: {a: {FIELDS}}"),
    Place(id: "cap", text: "placements: {a: {caps: [{FIELDS}]}}"),
    Place(id: "gate", text: "gates: {a: {FIELDS}}"),
    Place(id: "reference", text: "placements: {a: {every: {FIELDS}}}"),
  ]

  private func fields(of place: String) -> [String] {
    CatalogSchema.value["$defs"]?[place]?["properties"]?.objectValue?.names ?? []
  }

  private func refusesName(_ text: String, _ name: String) -> Bool {
    let text = CatalogText(text + "\n").read()
    return text.report.contains { $0.contains("“\(name)” is not a field of") }
  }

  @Test("each definition of the JSON Schema has a test that compares it with the catalog reader")
  func allPlaces() {
    #expect(Set(CatalogSchema.value["$defs"]?.objectValue?.names ?? []) == Set(Self.places.map(\.id)))
  }

  @Test("the catalog reader accepts exactly the fields that the JSON Schema has for an object", arguments: places)
  func sameFields(place: Place) {
    let known = fields(of: place.id)
    #expect(!known.isEmpty)
    let everywhere = Self.places.flatMap { fields(of: $0.id) } + ["nonsense"]
    for name in Set(everywhere).sorted() {
      let text = place.text.replacing("FIELDS", with: "\(name): {}")
      #expect(refusesName(text, name) != known.contains(name), "\(text)")
    }
  }

  @Test("the header of a catalog has the fields that the JSON Schema has for it")
  func header() {
    let known = CatalogSchema.value["properties"]?.objectValue?.names ?? []
    for name in known where !["gameconf", "game", "title", "locales"].contains(name) {
      #expect(!refusesName("\(name): {}", name), "\(name)")
    }
    #expect(refusesName("nonsense: {}", "nonsense"))
    #expect(CatalogSchema.value["required"] == ["gameconf", "game", "title", "locales"])
  }

  @Test("the catalog reader requires the fields that the JSON Schema requires of a parameter")
  func required() {
    #expect(CatalogSchema.value["$defs"]?["parameter"]?["required"] == ["type", "section", "description"])
    #expect(
      CatalogSchema.value["$defs"]?["parameter"]?["allOf"]?.listValue?.first == [
        "anyOf": [["required": ["default"]], ["required": ["flagd"]]]
      ])
    let report = CatalogText("parameters: {a: {}}\n").read().report
    #expect(report.count == 4, "\(report)")
  }

  @Test("the schema's text is the JSON of the schema's value")
  func text() throws {
    #expect(try JSONReader.value(from: Array(CatalogSchema.text.utf8)) == CatalogSchema.value)
  }
}
