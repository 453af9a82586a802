// Tests templates of other systems that name parameters by their aliases.

import GameConfCore
import GameConfFormats
import Testing

@Suite("Aliases of parameters in templates")
struct TemplateAliasTests {
  private static let split: Value = ["fractional": [["red", 30], ["green", 30], ["blue", 40]]]
  private static let targeting: Value = ["if": [["==": [["var": "$flagd.flagKey"], "header-color"]], split, "none"]]
  private static let flag: Value = [
    "state": "ENABLED", "variants": ["red": "r", "green": "g", "blue": "b", "none": "n"], "defaultVariant": "none",
    "targeting": targeting,
  ]

  private func catalog(_ more: String = "default: x") throws -> Catalog {
    let text = CatalogText("parameters:\n  header: {type: string, alias: header-color, \(more), section: s, description: d}\n")
    let reading = text.read()
    return try #require(reading.catalog, "\(reading.report)")
  }

  private func faults(_ document: Value) throws -> [Fault] {
    do {
      _ = try TemplateReader.read(document, for: catalog())
      return []
    } catch let faults as Faults { return faults.faults }
  }

  @Test("a flagd or Firebase template names a parameter by its alias or by its key, and is rejected if it uses both")
  func names() throws {
    func parameters(_ names: String...) -> Value {
      ["parameters": .object(ObjectValue(names.map { ($0, ["defaultValue": ["value": "v"]]) }))]
    }
    func flags(_ names: String...) -> Value { ["flags": .object(ObjectValue(names.map { ($0, Self.flag) }))] }
    for document in [parameters("header-color"), parameters("header"), flags("header-color"), flags("header")] {
      let template = try TemplateReader.read(document, for: catalog())
      #expect(template.layers.keys.sorted() == ["header"] && template.unknownKeys.isEmpty)
    }
    for document in [parameters("header", "header-color"), flags("header-color", "header")] {
      let faults = try faults(document)
      #expect(faults.contains { $0.message.contains("two names of one parameter") }, "\(faults)")
    }
  }

  @Test("a flag that a template names by its alias gives 10 000 players the variants that flagd gives them for that name")
  func shares() throws {
    let flag = try FlagdDocument(["flags": ["header-color": Self.flag]]).flags["header-color"]
    let template = try TemplateReader.read(["flags": ["header-color": Self.flag]], for: catalog())
    let remote = ParameterTable(catalog: try catalog(), layers: template.layers.mapValues { GameLayers(remote: $0) })
    let own = ParameterTable(catalog: try catalog("flagd: " + JSONWriter.text(Self.flag)))
    var counts: [Value: Int] = [:]
    for number in 0..<10_000 {
      let id = "player-\(number)"
      let input = LogicInput(context: ["targetingKey": .string(id)], flagKey: "header-color", now: Instant(seconds: 0))
      guard case .value(let theirs, _, _)? = flag?.evaluate(input, parameters: NoParameters()) else {
        Issue.record("flagd gives \(id) nothing")
        return
      }
      let caller = Caller(player: id, locales: ["en"], now: Instant(seconds: 0))
      #expect(remote.resolve("header", for: caller)?.value == theirs && own.resolve("header", for: caller)?.value == theirs)
      counts[theirs, default: 0] += 1
    }
    #expect(counts.count == 3 && counts.values.allSatisfy { $0 > 2_500 }, "\(counts)")
  }

  @Test("percentages of rules in a catalog depend on the parameter's key and not on its alias")
  func ownShares() throws {
    let rules = "default: x, rules: [{percent: 40, value: y}]"
    let with = ParameterTable(catalog: try catalog(rules))
    let without = ParameterTable(
      catalog: try #require(CatalogText("parameters:\n  header: {type: string, \(rules), section: s, description: d}\n").read().catalog))
    for number in 0..<500 {
      let caller = Caller(player: "p\(number)", locales: ["en"], now: Instant(seconds: 0))
      #expect(with.resolve("header", for: caller)?.value == without.resolve("header", for: caller)?.value)
    }
  }

  @Test("an imported name that is not a valid id becomes an alias, and the export uses the alias as the name")
  func convert() throws {
    let flags = JSONWriter.bytes(["flags": ["header-color": Self.flag, "plain": Self.flag]])
    let template = JSONWriter.bytes(["parameters": ["a-b": ["defaultValue": ["value": "1"]], "a_b": ["defaultValue": ["value": "2"]]]])
    let ofFlagd = try CatalogConversion(flagd: flags, game: "mine", title: nil)
    let ofFirebase = try CatalogConversion(firebase: template, game: "mine", title: nil)
    let ofDefaults = try CatalogConversion(defaults: DefaultsDocument(values: ["dash-ed": 1]), game: "mine")
    func read(_ yaml: String) throws -> Catalog {
      try #require(CatalogReader.read(CatalogFiles(main: NamedFile(name: "mine.yaml", bytes: Array(yaml.utf8)))).catalog)
    }
    let (one, other, third) = (try read(ofFlagd.yaml), try read(ofFirebase.yaml), try read(ofDefaults.yaml))
    #expect(one.parameters.map(\.key) == ["header_color", "plain"] && one.parameters[0].alias == "header-color")
    #expect(other.parameters.map(\.key) == ["a_b_2", "a_b"] && other.parameters[0].alias == "a-b")
    #expect(third.parameters.map(\.alias) == ["dash-ed"])
    for report in [ofFlagd.report, ofFirebase.report, ofDefaults.report] {
      #expect(report.changed.count == 1 && report.changed[0].message.contains("alias"), "\(report.lines)")
    }
    #expect(CatalogExport(flagd: one).text.contains("\"header-color\"") && CatalogExport(firebase: other).text.contains("\"a-b\""))
    #expect(DefaultsDocument(of: third).values == ["dash-ed": 1])
  }
}
