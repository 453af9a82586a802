// Tests the conversion of Firebase templates and flagd documents to catalogs, and of catalogs to them.

import GameConfCore
import GameConfFormats
import Testing

@Suite("Conversion of catalogs from and to other formats")
struct ConversionTests {
  private static let firebase = """
    {"conditions": [{"name": "ios", "expression": "device.os == 'ios'"}],
     "parameters": {
       "enabled": {"defaultValue": {"value": "true"}, "valueType": "BOOLEAN", "description": "Whether it is on."},
       "speed": {"defaultValue": {"value": "2.5"}, "valueType": "NUMBER", "conditionalValues": {"ios": {"value": "3"}}},
       "lives": {"defaultValue": {"value": "3"}, "valueType": "NUMBER"},
       "greeting": {"defaultValue": {"value": "12"}},
       "theirs": {"defaultValue": {"useInAppDefault": true}, "valueType": "STRING"}},
     "parameterGroups": {"Shop": {"parameters": {"prices": {"defaultValue": {"value": "[1, 2.50]"}, "valueType": "JSON"}}}}}
    """

  private func catalog(_ yaml: String) throws -> Catalog {
    let reading = CatalogReader.read(CatalogFiles(main: NamedFile(name: "mine.yaml", bytes: Array(yaml.utf8))))
    return try #require(reading.catalog, "\(reading.report)")
  }

  @Test("a Firebase template becomes a catalog with types, sections and descriptions, and the report lists the omitted parts")
  func fromFirebase() throws {
    let made = try CatalogConversion(firebase: Array(Self.firebase.utf8), game: "mine", title: "Mine")
    let catalog = try catalog(made.yaml)
    #expect(catalog.title == "Mine")
    #expect(catalog.parameters.map(\.key) == ["enabled", "speed", "lives", "greeting", "prices"])
    #expect(catalog.parameters.map(\.type) == [.boolean, .double, .integer, .string, .list])
    #expect(catalog.parameters[0].description == "Whether it is on." && catalog.parameters[4].section == "Shop")
    #expect(catalog.parameters[4].defaultValue == .value([1, 2.5]))
    #expect(made.report.carried == ["enabled", "speed", "lives", "greeting", "prices"] && made.report.changed.isEmpty)
    #expect(made.report.leftOut.map(\.name) == ["speed", "theirs", "conditions"], "\(made.report.lines)")
  }

  @Test(
    "a Firebase template with a fault is not converted",
    arguments: [
      ("{}", "has no “parameters”"), ("{\"conditions\": []}", "has no “parameters”"), ("{\"parameters\": 7}", "/parameters: "),
      ("{\"parameters\": {\"a\": []}}", "/parameters/a: "), ("{\"parameterGroups\": []}", "/parameterGroups: "),
      ("{\"parameterGroups\": {\"g\": 1}}", "/parameterGroups/g: "),
      ("{\"parameterGroups\": {\"g\": {\"parameters\": \"x\"}}}", "/parameterGroups/g/parameters: "), ("{", "byte"),
      ("[]", "not an object"), ("{\"flags\": {}}", "not a template of Firebase"),
      ("{\"parameters\": {\"a\": {\"defaultValue\": {\"value\": \"x\"}, \"valueType\": \"NUMBER\"}}}", "not of type NUMBER"),
      ("{\"parameters\": {\"..\": {\"defaultValue\": {\"value\": \"x\"}}}}", "a step in a path"),
    ])
  func refused(text: String, words: String) {
    do throws(Faults) {
      _ = try CatalogConversion(firebase: Array(text.utf8), game: "mine", title: nil)
      Issue.record("\(text) made a catalog")
    } catch {
      #expect(error.messages.joined(separator: " ").contains(words), "\(error.messages)")
    }
  }

  @Test("a Firebase number becomes a double parameter if any of its conditional values is a fraction")
  func fraction() throws {
    let text = """
      {"conditions": [{"name": "ios", "expression": "device.os == 'ios'"}],
       "parameters": {"speed": {"defaultValue": {"value": "3"}, "valueType": "NUMBER", "conditionalValues": {"ios": {"value": "2.5"}}},
                      "lives": {"defaultValue": {"value": "3"}, "valueType": "NUMBER", "conditionalValues": {"ios": {"value": "5"}}}}}
      """
    let made = try CatalogConversion(firebase: Array(text.utf8), game: "mine", title: "Mine")
    let catalog = try catalog(made.yaml)
    #expect(catalog.parameters.map(\.type) == [.double, .integer])
    #expect(made.report.changed.map(\.message) == ["speed is a double: a condition gives it a fraction."])
    let template = try TemplateReader.read(try JSONReader.value(from: text), for: catalog)
    #expect(template.unknownKeys.isEmpty)
  }

  @Test("a catalog that is exported as a Firebase template and imported again is unchanged")
  func throughFirebase() throws {
    let first = try catalog(try CatalogConversion(firebase: Array(Self.firebase.utf8), game: "mine", title: "Mine").yaml)
    let written = CatalogExport(firebase: first)
    let again = try catalog(try CatalogConversion(firebase: Array(written.text.utf8), game: "mine", title: "Mine").yaml)
    #expect(Set(again.parameters.map(\.key)) == Set(first.parameters.map(\.key)))
    for parameter in first.parameters {
      let other = try #require(again.parameters.first { $0.key == parameter.key })
      #expect(other == parameter, "\(parameter.key)")
    }
    let template = try TemplateReader.read(try JSONReader.value(from: written.text), for: first)
    #expect(template.layers.count == first.parameters.count && template.unknownKeys.isEmpty)
  }

  private static let flags = """
    {"$evaluators": {"apple": {"in": [{"var": "platform"}, ["ios", "mac"]]}},
     "flags": {
       "grid": {"state": "ENABLED", "variants": {"wide": "w", "tall": "t"}, "defaultVariant": "wide",
                "targeting": {"if": [{"$ref": "apple"}, "tall", null]}, "metadata": {"description": "How it is laid out."}},
       "limit": {"state": "DISABLED", "variants": {"low": 1, "high": 2.5}, "defaultVariant": "low"}}}
    """

  @Test("flagd flags become a catalog with flagd's targeting, which is exported as the same flags")
  func flagd() throws {
    let made = try CatalogConversion(flagd: Array(Self.flags.utf8), game: "mine", title: nil)
    let catalog = try catalog(made.yaml)
    #expect(catalog.parameters.map(\.key) == ["grid", "limit"])
    #expect(catalog.parameters.map(\.type) == [.string, .double])
    #expect(catalog.parameters[0].description == "How it is laid out." && catalog.parameters[0].flagd?.variants.names == ["wide", "tall"])
    let written = CatalogExport(flagd: catalog)
    let again = try FlagdDocument(reading: Array(written.text.utf8))
    let whole: Value = ["if": [["in": [["var": "platform"], ["ios", "mac"]]], "tall", nil]]
    #expect(again.flags["grid"]?.targeting?.source == whole)
    #expect(made.report.changed.contains { $0.message.contains("limit is disabled") }, "\(made.report.lines)")
    #expect(again.flags["grid"]?.targeting?.source == catalog.parameters[0].flagd?.targeting?.source)
    #expect(again.flags["limit"]?.isEnabled == false && written.report.leftOut.isEmpty, "\(written.report.lines)")
    let mixed = "{\"flags\": {\"a\": {\"state\": \"ENABLED\", \"variants\": {\"x\": 1, \"y\": \"one\"}, \"defaultVariant\": \"x\"}}}"
    #expect(throws: Faults.self) { try CatalogConversion(flagd: Array(mixed.utf8), game: "mine", title: nil) }
  }

  @Test("a conversion report distinguishes unchanged, changed and omitted parts")
  func report() throws {
    let flags = """
      {"$schema": "https://flagd.dev/schema/v0/flags.json", "metadata": {"team": "a"},
       "$evaluators": {"apple": {"==": [{"var": "platform"}, "ios"]}},
       "flags": {
         "plain": {"state": "ENABLED", "variants": {"a": 1}, "defaultVariant": "a", "owner": "Ana"},
         "shares": {"state": "ENABLED", "variants": {"a": 1, "b": 2.5}, "defaultVariant": "a",
                    "targeting": {"if": [{"$ref": "apple"}, "b", null]}},
         "dash-ed": {"state": "ENABLED", "variants": {"a": true}, "defaultVariant": "a"}}}
      """
    let report = try CatalogConversion(flagd: Array(flags.utf8), game: "mine", title: nil).report
    #expect(report.carried == ["plain"])
    #expect(report.changed.map(\.name) == ["dash-ed", "shares", "shares", "metadata"], "\(report.lines)")
    #expect(report.leftOut.map(\.message) == ["“owner” of plain.", "“$schema” of the document."], "\(report.lines)")
    #expect(report.lines.first == "carried: 1 parameter" && report.lines.count == 7)
    #expect(report.value["left_out"]?.listValue?.last == ["name": "$schema", "message": "“$schema” of the document."])

    let template = """
      {"version": {"versionNumber": "3"}, "conditions": [],
       "parameters": {"yes": {"defaultValue": {"value": "Yes"}, "valueType": "BOOLEAN", "note": "x"},
                      "mine": {"defaultValue": {"personalizationValue": {}}}},
       "parameterGroups": {"Shop": {"description": "d", "parameters": {"a-b": {"defaultValue": {"value": ""}}}}}}
      """
    let other = try CatalogConversion(firebase: Array(template.utf8), game: "mine", title: nil).report
    #expect(other.carried.isEmpty && other.changed.map(\.name) == ["yes", "a-b"], "\(other.lines)")
    #expect(
      other.leftOut.map(\.message) == [
        "“note” of yes.", "mine has no default value of its own, but “personalizationValue”.", "“description” of the group Shop.",
        "“version” of the template.",
      ], "\(other.lines)")
  }

  @Test("flagd evaluators that double in size with each level of nesting are rejected by a size limit")
  func doubling() {
    var evaluators = ObjectValue([("e0", ["==": [["var": "x"], 1]])])
    for at in 1...15 { evaluators["e\(at)"] = ["and": [["$ref": .string("e\(at - 1)")], ["$ref": .string("e\(at - 1)")]]] }
    let flag: Value = [
      "state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "off",
      "targeting": ["if": [["$ref": "e15"], "on", nil]],
    ]
    let document: Value = ["$evaluators": .object(evaluators), "flags": ["huge": flag]]
    do throws(Faults) {
      _ = try CatalogConversion(flagd: JSONWriter.bytes(document), game: "mine", title: nil)
      Issue.record("it made a catalog")
    } catch { #expect(error.messages.contains { $0.hasPrefix("huge is too long for a rule") }, "\(error.messages)") }
  }

  @Test("each shipped catalog is exported as a Firebase template and as flagd flags that can be read again")
  func shipped() throws {
    for name in ["adventure", "dartsscore", "kidsdoku2", "remembersquare", "wheresthedot"] {
      let catalog = try #require(try ShippedCatalogs.reading(of: name).catalog)
      let template = try TemplateReader.read(try JSONReader.value(from: CatalogExport(firebase: catalog).text), for: catalog)
      #expect(template.unknownKeys.isEmpty && template.layers.count > 3, "\(name)")
      let flags = try FlagdDocument(reading: Array(CatalogExport(flagd: catalog).text.utf8))
      let lists = catalog.parameters.filter { $0.type == .list && !$0.isSecret }
      #expect(flags.flags.count == template.layers.count - lists.count, "\(name)")
      #expect(CatalogExport(flagd: catalog).report.leftOut.filter { $0.message.contains("no lists") }.count == lists.count, "\(name)")
    }
  }

  @Test("the products of each shipped catalog are the same after export to and import from StoreKit, except for their grants")
  func storeKit() throws {
    var count = 0
    for name in ["adventure", "dartsscore", "kidsdoku2", "remembersquare", "wheresthedot"] {
      let catalog = try #require(try ShippedCatalogs.reading(of: name).catalog)
      let written = CatalogExport(storekit: catalog)
      let file = try StoreKitFile(
        reading: Array(written.text.utf8), for: StoreKitFile.StoreKitGame(id: name, title: catalog.title, bundle: catalog.bundle))
      #expect(Set(file.catalog.products.map { file.catalog.storeID(of: $0) }) == Set(catalog.products.map { catalog.storeID(of: $0) }))
      for product in catalog.products {
        let other = try #require(file.catalog.products.first { file.catalog.storeID(of: $0) == catalog.storeID(of: product) })
        #expect(other.kind == product.kind && other.price["USD"] == product.price["USD"] ?? "0.00", "\(name) \(product.id)")
        #expect(other.isFamilyShareable == product.isFamilyShareable)
        #expect(other.subscription?.level == product.subscription?.level && other.subscription?.period == product.subscription?.period)
        #expect(other.subscription?.intro?.mode == product.subscription?.intro?.mode)
        count += 1
      }
    }
    #expect(count > 5)
  }
}
