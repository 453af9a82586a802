// Tests the catalog reader: many faults in one catalog, unreadable files, and every feature of the format.

import GameConfCore
import GameConfFormats
import Testing

@Suite("The catalog reader")
struct CatalogReaderTests {
  @Test("all twelve faults of a catalog are reported with their lines and columns")
  func twelve() {
    let text = """
      gameconf: 1
      game: Mine
      title: Mine
      locales: [en, "e n"]
      premium: gold
      sources: pushed
      parameters:
        side: {type: integr, default: 3, section: s, description: d}
        speed: {type: double, default: fast, section: s, description: d}
        speed: {type: double, default: 1, section: s, description: d}
        order: {type: integer, default: 99, range: {max: 10}, unit: s, section: s, description: d}
        ring: {type: integer, default: {parameter: ring}, section: s, description: d}
        rule: {type: boolean, default: true, rules: [{when: {inn: []}, value: true}], section: s, description: d}
        lost: {type: integer, default: {parameter: sid}, section: s}
      themes:
        neon: {attributes: {background: "#05060A"}, unlock: &a free}
        dark: {attributes: {background: #05060A}}
      """
    let reading = CatalogReader.read(CatalogFiles(main: NamedFile(name: "dir/mine.yaml", bytes: Array(text.utf8))))
    #expect(reading.catalog == nil)
    let places = reading.faults.map { "\($0.line):\($0.column)" }
    #expect(
      places == [
        "2:7", "4:15", "6:1", "8:16", "9:34", "10:3", "11:35", "12:46", "13:55", "14:3", "16:55", "17:35",
      ], "\(reading.report.joined(separator: "\n"))")
    #expect(reading.report.allSatisfy { $0.hasPrefix("dir/mine.yaml:") })
  }

  @Test("references to missing parts are reported together with all other faults of a catalog, if its file is valid YAML")
  func references() {
    let reading = CatalogText("premium: gold\nparameters:\n  a: {type: integer, default: {parameter: b}, section: s}\n").read()
    #expect(reading.report.count == 3)
  }

  @Test(
    "a file that is not a catalog is rejected with one fault",
    arguments: [
      ("", "empty"), ("\n# nothing\n", "empty"), ("just text", "mapping of fields"), ("- a\n- b", "mapping of fields"),
      ("gameconf: 2\nnew_field: 1\n", "version 2"), ("a: \u{0}", "U+0000"), ("a: \u{1B}", "U+001B"),
      ("a: " + String(repeating: "x", count: 4 << 20), "4 MiB"),
    ])
  func noCatalog(text: String, words: String) {
    let reading = CatalogReader.read(CatalogFiles(main: NamedFile(name: "mine.yaml", bytes: Array(text.utf8))))
    #expect(reading.catalog == nil)
    #expect(reading.faults.count == 1, "\(reading.report)")
    #expect(reading.faults.first?.message.contains(words) == true, "\(reading.report)")
  }

  @Test("a byte in a catalog file that is not valid UTF-8 is reported with its position")
  func notUTF8() {
    let reading = CatalogReader.read(CatalogFiles(main: NamedFile(name: "mine.yaml", bytes: Array("a: 1\nb: é".utf8) + [0xC3, 0x28])))
    #expect(reading.report == ["mine.yaml:2:5: The file is not UTF-8 here; save it as UTF-8."])
  }

  @Test("a catalog file of exactly 4 MiB is read")
  func greatest() {
    let text = CatalogText.header
    let padding = "#" + String(repeating: "x", count: (4 << 20) - text.utf8.count - 2) + "\n"
    let bytes = Array((text + padding).utf8)
    #expect(bytes.count == 4 << 20)
    #expect(CatalogReader.read(CatalogFiles(main: NamedFile(name: "mine.yaml", bytes: bytes))).catalog != nil)
  }

  @Test("a catalog file whose name differs from its game's id is rejected")
  func fileName() {
    let bytes = Array(CatalogText.header.utf8)
    #expect(CatalogReader.read(CatalogFiles(main: NamedFile(name: "x/mine.yaml", bytes: bytes))).catalog?.game == "mine")
    let other = CatalogFiles(main: NamedFile(name: "x/other.yaml", bytes: bytes))
    #expect(CatalogReader.read(other).report == ["x/other.yaml:2:7: The game is “mine”, so its file is named mine.yaml, not other.yaml."])
    #expect(CatalogReader.read(other, isNamedByFile: false).catalog != nil)
  }

  @Test("the first 100 faults of a catalog are reported, then the number of further ones")
  func many() {
    let rows = (0..<150).map { "f\($0): 1\n" }.joined()
    let reading = CatalogText(rows).read()
    #expect(reading.faults.count == 100)
    #expect(reading.faultsLeftOut == 50)
    #expect(reading.report.last == "and 50 more")
  }

  @Test("a YAML scalar in a catalog becomes a value of the parameter's declared type")
  func scalars() throws {
    let body = """
      parameters:
        country: {type: string, default: no, section: s, description: d}
        version: {type: string, default: 1.10, section: s, description: d}
        when: {type: string, default: true, section: s, description: d}
        size: {type: double, default: 18, section: s, description: d}
        count: {type: integer, default: 18.0, section: s, description: d}
        empty: {type: string, default: "", section: s, description: d}
        mixed: {type: list, default: [1, 1.0, no, "1", null, true], section: s, description: d}
      """
    let catalog = try #require(CatalogText(body).read().catalog)
    let defaults = Dictionary(uniqueKeysWithValues: catalog.parameters.map { ($0.key, $0.defaultValue) })
    #expect(defaults["country"] == .value("no"))
    #expect(defaults["version"] == .value("1.10"))
    #expect(defaults["when"] == .value("true"))
    #expect(defaults["size"] == .value(18.0))
    #expect(defaults["count"] == .value(18))
    #expect(defaults["empty"] == .value(""))
    #expect(defaults["mixed"] == .value([1, 1.0, "no", "1", nil, true]))
  }

  @Test("fields of a catalog whose names begin with x- are stored without validation")
  func extensions() throws {
    let catalog = try #require(
      CatalogText("x-note: {a: 0x1F, b: [1]}\nparameters:\n  p: {type: integer, default: 1, section: s, description: d, x-who: me}\n")
        .read().catalog)
    #expect(catalog.extensions["x-note"] == ["a": "0x1F", "b": [1]])
    #expect(catalog.parameters.first?.extensions["x-who"] == "me")
  }

  @Test("a default that a flagd flag replaces, and a rule that is never reached, give a warning")
  func warnings() {
    let body = """
      parameters:
        a: {type: integer, default: 1, rules: [{value: 2}, {value: 3}], section: s, description: d}
        b: {type: integer, default: 1, flagd: {variants: {x: 2}, defaultVariant: x}, section: s, description: d}
      """
    let reading = CatalogText(body).read()
    #expect(reading.catalog != nil)
    #expect(reading.warnings.map { "\($0.line):\($0.column)" } == ["6:54", "7:22"])
  }

  @Test(
    "a rule that matches no player, and a comparison of a text with a number, give a warning; similar valid rules do not",
    arguments: [
      ("{percent: 33.3, value: 2}, {percent: 33.3, value: 3}", "matches no player"),
      ("{percent: 33.3, value: 2}, {percent: 66.6, value: 3}", nil), ("{percent: 33.3, value: 2}, {percent: 33.3, seed: s, value: 3}", nil),
      ("{match: {a: x}, percent: 50, value: 2}, {percent: 20, value: 3}", nil),
      ("{percent: 50, value: 2}, {match: {a: x}, percent: 20, value: 3}", "matches no player"),
      ("{match: {platform: [ios, mac]}, value: 2}, {match: {platform: ios, country: SE}, value: 3}", "never reached"),
      ("{match: {platform: ios, country: SE}, value: 2}, {match: {platform: ios}, value: 3}", nil),
      ("{match: {app_version: 1.10}, value: 2}", "quote the value"), ("{match: {app_version: \"1.10\"}, value: 2}", nil),
      ("{match: {level: 1}, value: 2}", nil),
    ] as [(String, String?)])
  func silentRules(rules: String, words: String?) {
    let reading = CatalogText("parameters: {a: {type: integer, default: 1, section: s, description: d, rules: [\(rules)]}}").read()
    #expect(reading.catalog != nil)
    if let words {
      #expect(reading.warnings.count == 1 && reading.warnings[0].message.contains(words), "\(reading.warnings)")
    } else {
      #expect(reading.warnings.isEmpty, "\(reading.warnings)")
    }
  }
}
