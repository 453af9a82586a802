// Tests drop-in files, which change fields of a catalog's existing parts and cannot add parts.

import GameConfCore
import Testing

@Suite("Drop-in files of catalogs")
struct CatalogDropInTests {
  private let base = CatalogText("parameters:\n  n: {type: integer, default: 3, range: {max: 5}, section: s, description: d}\n")

  @Test("a drop-in changes a catalog's defaults, ranges, rules, source and simulation")
  func changes() throws {
    let dropIn = """
      parameters:
        n: {default: 7, range: {max: 9}, rules: [{match: {platform: ios}, value: 8}]}
      source: {file: /srv/t.json, activate: manual}
      simulation: {purchases: admin}
      """
    let catalog = try #require(base.read(dropIns: [dropIn]).catalog)
    #expect(catalog.parameters.first?.defaultValue == .value(7))
    #expect(catalog.parameters.first?.range?.max == .number(9))
    #expect(catalog.parameters.first?.rules.count == 1)
    #expect(catalog.source == TemplateSource(file: "/srv/t.json", activatesByHand: true))
    #expect(catalog.purchases == .admin)
  }

  @Test("if several drop-ins change the same field, the last one takes precedence")
  func order() throws {
    let catalog = try #require(base.read(dropIns: ["parameters: {n: {default: 1}}", "parameters: {n: {default: 2}}"]).catalog)
    #expect(catalog.parameters.first?.defaultValue == .value(2))
  }

  @Test(
    "a drop-in that is empty or only repeats the header of the catalog changes nothing",
    arguments: ["", "# nothing\n", "gameconf: 1\ngame: mine\nx-note: 1\n"])
  func nothing(dropIn: String) {
    #expect(base.read(dropIns: [dropIn]).catalog == base.read().catalog)
  }

  @Test(
    "a change that a drop-in may not make is reported with the drop-in's file and position",
    arguments: [
      ("parameters: {m: {default: 1}}", 1, 14, "adds nothing; did you mean “n”"),
      ("parameters: {n: {type: double}}", 1, 18, "not “type”"),
      ("parameters:\n  n: {default: 99}", 2, 16, "above the maximum of 5"),
      ("parameters:\n  n: {range: {max: 2}}", 0, 0, "above the maximum of 2"),
      ("themes: {a: {}}", 1, 1, "not “themes”"),
      ("title: Other", 1, 1, "not “title”"),
      ("game: other", 1, 7, "not that of the catalog"),
      ("parameters: [n]", 1, 13, "a mapping of names"),
      ("- a", 1, 1, "a mapping of fields"),
      ("source: {fil: x}", 1, 10, "did you mean “file”"),
      ("parameters:\n  n: {default: 1\n", 2, 6, "never closed"),
    ])
  func refused(dropIn: String, line: Int, column: Int, words: String) {
    let reading = base.read(dropIns: ["", dropIn])
    #expect(reading.catalog == nil)
    #expect(reading.faults.count == 1, "\(reading.report)")
    guard let fault = reading.faults.first else { return }
    #expect(fault.message.contains(words), "\(fault)")
    if line == 0 {
      #expect(fault.file == "mine.yaml")
    } else {
      #expect("\(fault.file):\(fault.line):\(fault.column)" == "mine.d/1.yaml:\(line):\(column)")
    }
  }
}
