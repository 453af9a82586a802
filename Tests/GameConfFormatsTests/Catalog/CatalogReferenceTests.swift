// Tests the page “Catalog reference”: its tables equal the format's declaration, and its examples together are one valid catalog.

import Foundation
import GameConfCore
import Testing

@testable import GameConfFormats

@Suite("The page “Catalog reference”")
struct CatalogReferenceTests {
  static let page = (try? String(contentsOfFile: CatalogReferencePage.path, encoding: .utf8)) ?? ""

  @Test("the tables of the page equal the format's declaration; the updated page is written to the folder that GAMECONF_RECORD names")
  func tables() throws {
    let written = CatalogReferencePage.withTables(Self.page)
    if let folder = ProcessInfo.processInfo.environment["GAMECONF_RECORD"] {
      try Data(written.utf8).write(to: URL(filePath: folder + "/CatalogReference.md"))
    }
    let (expected, present) = (Self.page.split(separator: "\n"), written.split(separator: "\n"))
    #expect(expected.count == present.count)
    let differing = zip(expected, present).first { $0 != $1 }.map { "the page says: \($0)\nthe declaration: \($1)" }
    #expect(differing == nil)
  }

  @Test("the page has one table for each kind of object in a catalog")
  func everyPlace() {
    #expect(CatalogReferencePage.tables(in: Self.page).sorted() == CatalogReferencePage.tables.keys.sorted())
  }

  @Test("the YAML examples of the page together are a catalog without faults")
  func example() {
    let text = CatalogReferencePage.example(in: Self.page)
    let reading = ShippedCatalogs.read("mygame", Array(text.utf8))
    #expect(reading.report == [], "\(text)")
    #expect(reading.warnings.map(\.message) == [])
  }

  @Test("the YAML examples of the page use every field of a catalog, except fields that exclude another")
  func everyField() throws {
    var faults: [TextFault] = []
    var parser = YAMLParser(YAMLText(Array(CatalogReferencePage.example(in: Self.page).utf8), file: 0, faults: &faults))
    let document = parser.document()
    let root = try #require(document)
    var shown: Set<String> = []
    CatalogReferencePage.note(root, in: CatalogFormat.header, into: &shown)
    let every = CatalogReferencePage.places.flatMap { place in place.fields.map { "\(place.id).\($0.name)" } }
    #expect(every.filter { !shown.contains($0) } == ["catalog.activate"])
  }

  @Test("each reason for not showing an ad is documented at one field of the page")
  func adRules() {
    let fields = CatalogReferencePage.places.flatMap(\.fields)
    for refusal in AdRefusal.allCases {
      #expect(fields.count { $0.refusals.contains(refusal.rawValue) } == 1, "\(refusal.rawValue)")
    }
  }
}
