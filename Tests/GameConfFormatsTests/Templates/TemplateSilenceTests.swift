// Tests templates without values, disabled flags, and conditions on versions with fewer than three parts.

import GameConfCore
import GameConfFormats
import Testing

@Suite("Parts of a template that have no value")
struct TemplateSilenceTests {
  @Test(
    "a template without values is accepted only if it has an empty object in their place",
    arguments: [
      ([:], true), (["parameters": nil], true), (["conditions": []], true), (["version": ["description": "x"]], true),
      (["gameconf_template": 1], true), (["flags": nil], true), (["parameters": [:]], false), (["parameterGroups": [:]], false),
      (["flags": [:]], false), (["gameconf_template": 1, "values": [:]], false),
    ] as [(Value, Bool)])
  func silent(document: Value, isRefused: Bool) throws {
    #expect(try TemplateCatalog.faults(document).isEmpty == !isRefused)
  }

  @Test("the catalog's default has the reason DISABLED for a disabled flagd flag, and DEFAULT for a flag without a default variant")
  func off() throws {
    func answer(_ flag: Value) throws -> Resolution {
      try TemplateCatalog.answer("lives", TemplateReader.read(["flags": ["lives": flag]], for: TemplateCatalog.catalog()))
    }
    let disabled = try answer(["state": "DISABLED", "variants": ["a": 5], "defaultVariant": "a"])
    #expect(disabled.value == 3 && disabled.reason == .disabled && disabled.layer == .catalogDefault)
    let open = try answer(["state": "ENABLED", "variants": ["a": 5]])
    #expect(open.value == 3 && open.reason == .default)
    #expect(try answer(["state": "ENABLED", "variants": ["a": 5], "defaultVariant": "a"]).reason == .static)
    let template = try TemplateReader.read(
      ["flags": ["lives": ["state": "DISABLED", "variants": ["a": 5], "defaultVariant": "a"]]], for: TemplateCatalog.catalog())
    let table = ParameterTable(catalog: try TemplateCatalog.catalog(), layers: template.layers.mapValues { GameLayers(remote: $0) })
    let explained = table.explain("lives", for: Caller(locales: [], now: Instant(seconds: 0)))
    #expect(explained?.layers.first { $0.layer == .remote }?.why == "the flag is disabled in the template")
  }

  @Test("a boolean flag that is disabled in flagd is false in the converted catalog")
  func converted() throws {
    let flags = JSONWriter.bytes(
      ["flags": ["f": ["state": "DISABLED", "variants": ["on": true, "off": false], "defaultVariant": "on"]]])
    let made = try CatalogConversion(flagd: flags, game: "mine", title: nil)
    let reading = CatalogReader.read(CatalogFiles(main: NamedFile(name: "mine.yaml", bytes: Array(made.yaml.utf8))))
    #expect(reading.catalog?.parameters.first?.defaultValue == .value(false), "\(made.yaml)")
  }

  @Test("a version in a template's rule may begin with a v or have fewer than three parts", arguments: ["v1.0.0", "1.0", "V2"])
  func version(text: String) throws {
    let targeting: Value = ["if": [["sem_ver": [["var": "version"], ">=", .string(text)]], "a"]]
    #expect(try TemplateCatalog.faults(["flags": ["lives": ["state": "ENABLED", "variants": ["a": 5], "targeting": targeting]]]).isEmpty)
  }

  @Test("a language condition of a template matches equivalent scripts, regions and language codes")
  func languages() throws {
    func answer(_ language: String, _ locale: String) throws -> Value {
      let document: Value = [
        "conditions": [["name": "l", "expression": .string("device.language in ['\(language)']")]],
        "parameters": ["p0": ["defaultValue": ["value": "d"], "conditionalValues": ["l": ["value": "yes"]]]],
      ]
      return try TemplateCatalog.answer("p0", TemplateReader.read(document, for: TemplateCatalog.catalog()), ["locale": .string(locale)])
        .value
    }
    for (language, locale) in [("zh-Hant", "zh-TW"), ("zh", "zh-TW"), ("he", "iw"), ("iw", "he"), ("fr", "fr-CA"), ("zh-TW", "zh-TW")] {
      #expect(try answer(language, locale) == "yes", "\(language) \(locale)")
    }
    for (language, locale) in [("zh-Hans", "zh-TW"), ("en", "fr"), ("fr-CA", "fr")] { #expect(try answer(language, locale) == "d") }
  }
}
