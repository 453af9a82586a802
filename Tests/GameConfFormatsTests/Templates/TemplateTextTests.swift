// Tests the text formats of templates: JSON, and YAML for two of the formats, with and without a byte order mark.

import GameConfCore
import GameConfFormats
import Testing

@Suite("Text forms of templates")
struct TemplateTextTests {
  private func value(_ text: String) throws -> Value { try JSONReader.value(from: TemplateText.json(of: Array(text.utf8))) }

  @Test(
    "flagd's YAML is read as YAML 1.2: unquoted on, yes and off are texts, and true and True are booleans",
    arguments: [
      ("on", "on"), ("yes", "yes"), ("off", "off"), ("y", "y"), ("true", true), ("True", true), ("FALSE", false), ("\"true\"", "true"),
      ("'5'", "5"), ("5", 5), ("2.5", 2.5), ("1.0", 1.0), ("null", nil), ("~", nil), ("1.4.0", "1.4.0"), ("{a: on}", ["a": "on"]),
      ("[no, 1]", ["no", 1]),
    ] as [(String, Value)])
  func words(text: String, meaning: Value) throws {
    let flags = "flags:\n  f:\n    state: ENABLED\n    variants:\n      on: \(text)\n    defaultVariant: on\n"
    #expect(try value(flags)["flags"]?["f"]?["variants"] == ["on": meaning])
    #expect(try value(flags)["flags"]?["f"]?["defaultVariant"] == "on")
  }

  @Test("a byte order mark is ignored at the beginning of templates in JSON and YAML, and of default values")
  func mark() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    func marked(_ text: String) -> [UInt8] { mark + Array(text.utf8) }
    let flag = #"{"flags": {"f": {"state": "ENABLED", "variants": {"a": 1}, "defaultVariant": "a"}}}"#
    #expect(try CatalogConversion(flagd: marked(flag), game: "mine", title: nil).report.carried == ["f"])
    let yaml = "flags:\n  f: {state: ENABLED, variants: {a: 1}, defaultVariant: a}\n"
    #expect(try CatalogConversion(flagd: marked(yaml), game: "mine", title: nil).report.carried == ["f"])
    let template = #"{"parameters": {"p": {"defaultValue": {"value": "1"}}}}"#
    #expect(try CatalogConversion(firebase: marked(template), game: "mine", title: nil).report.carried == ["p"])
    #expect(try DefaultsDocument(json: marked(#"{"a": 1}"#)).values == ["a": 1])
    #expect(try DefaultsDocument(plist: marked("<plist version=\"1.0\"><dict/></plist>")).values.isEmpty)
    #expect(try DefaultsDocument(xml: marked("<defaultsMap/>")).values.isEmpty)
    let store = #"{"version": {"major": 4}, "products": [{"productID": "a", "type": "Consumable", "displayPrice": "0.99"}]}"#
    #expect(try StoreKitFile(reading: marked(store), for: StoreKitFile.StoreKitGame(id: "mine", title: "Mine")).report.carried == ["a"])
    #expect(try JSONReader.value(from: TemplateText.json(of: marked(flag)))["flags"] != nil)
  }

  @Test("a text that is neither JSON nor a YAML template is reported as such", arguments: ["not json", "null", "7", "a: 1", "- a", "true"])
  func neither(text: String) {
    let fault = #expect(throws: FormatFault.self) { try TemplateText.json(of: Array(text.utf8)) }
    #expect(fault?.message.hasPrefix("This is neither JSON nor a template in YAML") == true, "\(String(describing: fault))")
  }

  @Test("a fault in a template's YAML has its position, and truncated JSON is returned unchanged, because the JSON parser reports it")
  func faults() throws {
    let fault = #expect(throws: FormatFault.self) { try TemplateText.json(of: Array("flags:\n  a: [1\n".utf8)) }
    #expect((fault?.line ?? 0) >= 2, "\(String(describing: fault))")
    #expect(try TemplateText.json(of: Array("{\"flags\":".utf8)) == Array("{\"flags\":".utf8))
  }
}
