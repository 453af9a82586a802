// Tests the conversion of default values to catalogs and back.

import GameConfCore
import GameConfFormats
import Testing

@Suite("Default values of other systems")
struct DefaultsDocumentTests {
  private static func object(_ value: Value) -> ObjectValue { value.objectValue ?? ObjectValue() }

  private let values = object([
    "arcade_time_limit_base": 2.5, "arcade_difficulty_step": 5, "whole": 18.0, "enabled": true, "theme": "neon", "empty": "", "no": "no",
    "colour": "#05060A", "lines": "a: b\n\t- c # d\u{7F}\u{2028}é\"\\", "big": .integer(.max), "tiny": .double(.leastNonzeroMagnitude),
    "order": [6, 13.0, "x", [nil]],
    "layout": ["width": 680, "spacing": 70.5, "inner": ["true": true, "a b": []]], "nothing": [:], "none": [], "null": "null",
    "number_like": "1e5", "long": .string(String(repeating: "x", count: 10_000)),
  ])

  private func catalog(_ document: DefaultsDocument) throws -> Catalog {
    let text = try CatalogConversion(defaults: document, game: "mine", title: "Mine: the game").yaml
    let reading = CatalogReader.read(CatalogFiles(main: NamedFile(name: "mine.yaml", bytes: Array(text.utf8))))
    return try #require(reading.catalog)
  }

  @Test("default values become a valid catalog with the section Imported, their keys as descriptions, and the types of their values")
  func imported() throws {
    let catalog = try catalog(DefaultsDocument(values: values))
    #expect(catalog.title == "Mine: the game")
    #expect(catalog.parameters.map(\.key) == values.names)
    #expect(catalog.parameters.allSatisfy { $0.section == "Imported" && $0.description == $0.key })
    #expect(catalog.parameters.prefix(5).map(\.type) == [.double, .integer, .double, .boolean, .string])
    #expect(DefaultsDocument(of: catalog).values == values)
  }

  @Test("default values in a property list are the same after conversion to a catalog and back")
  func plist() throws {
    var plistValues = values
    plistValues["order"] = [6, 13.0, "x"]
    plistValues["lines"] = "a: b\n\t- c"
    let plist = try DefaultsDocument(values: plistValues).plist()
    let read = try DefaultsDocument(plist: Array(plist.utf8))
    let back = DefaultsDocument(of: try catalog(read))
    #expect(back.values == plistValues)
    #expect(try back.plist() == plist)
  }

  @Test("default values in JSON are the same after conversion to a catalog and back")
  func json() throws {
    let json = DefaultsDocument(values: values).json()
    let back = DefaultsDocument(of: try catalog(DefaultsDocument(json: Array(json.utf8))))
    #expect(back.json() == json)
  }

  @Test("all default values that cannot be parameters are reported together")
  func refused() {
    let document = DefaultsDocument(values: Self.object([".": 1, "ok": 1, "n": nil, "a\u{1}": 1, "r": ["parameter": "ok"]]))
    let faults = #expect(throws: Faults.self) { try CatalogConversion(defaults: document, game: "Mine") }
    #expect(faults?.messages.count == 5, "\(String(describing: faults))")
    let great = DefaultsDocument(values: Self.object(["a": .string(String(repeating: "x", count: 300_000))]))
    #expect(throws: Faults.self) { try CatalogConversion(defaults: great, game: "mine") }
  }

  @Test(
    "invalid JSON, and JSON that is not an object, is rejected as default values with the position",
    arguments: [("[1]", "1:1"), ("{\n \"a\": nul}", "2:"), ("", "1:1")])
  func badJSON(text: String, place: String) {
    let fault = #expect(throws: FormatFault.self) { try DefaultsDocument(json: Array(text.utf8)) }
    #expect(fault?.description.hasPrefix(place) == true, "\(String(describing: fault))")
  }

  @Test("exported default values resolve references to other parameters, and omit secrets and daily hashes")
  func leftOut() throws {
    let body = """
      parameters:
        a: {type: integer, default: {parameter: b}, section: s, description: d}
        b: {type: integer, default: 3, section: s, description: d}
        c: {type: string, default: {daily_hash: x}, section: s, description: d}
        d: {type: string, default: key, secret: true, section: s, description: d}
        e: {type: localized, default: {en: Hi, es: Hola}, section: s, description: d}
      """
    let catalog = try #require(CatalogText(body).read().catalog)
    #expect(DefaultsDocument(of: catalog).values == Self.object(["a": 3, "b": 3, "e": "Hi"]))
    let report = CatalogExport(defaults: catalog) { $0.json() }.report
    #expect(report.leftOut.map(\.name) == ["c", "d"] && report.carried == ["a", "b"] && report.changed.map(\.name) == ["e"])
  }
}
