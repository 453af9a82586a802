// Tests Android's XML resource of default values, and the inference of booleans and numbers from its texts.

import GameConfCore
import GameConfFormats
import Testing

@Suite("Default values as an Android resource")
struct AndroidDefaultsTests {
  private static let resource = """
    <?xml version="1.0" encoding="utf-8"?>
    <!-- Made by the console. -->
    <defaultsMap>
      <entry><key>welcome</key><value>Hi &amp; <![CDATA[<b>]]></value></entry>
      <entry>
        <value>true</value>
        <key>enabled</key>
      </entry>
      <entry><key>empty</key><value/></entry>
      <entry><key>speed</key><value>2.5</value></entry>
      <entry><key>lives</key><value>5</value><note>of a player</note></entry>
      <entry><key>version</key><value>1.10</value></entry>
      <bad_entry><key>a</key><value>b</value></bad_entry>
      <entry><key>lost</key></entry>
      <entry/>
    </defaultsMap>
    """

  @Test("entries of an Android resource become texts by key, and an entry that Firebase's library would ignore is reported")
  func reads() throws {
    let document = try DefaultsDocument(xml: Array(Self.resource.utf8))
    #expect(
      document.values
        == ["welcome": "Hi & <b>", "enabled": "true", "empty": "", "speed": "2.5", "lives": "5", "version": "1.10"])
    let made = try CatalogConversion(defaults: document, game: "mine")
    #expect(made.report.leftOut.map(\.name) == ["bad_entry", "lost", "entry"], "\(made.report.lines)")
    #expect(made.report.remarks == ["3 texts look like 1 boolean and 2 numbers; --infer reads them so."], "\(made.report.lines)")
    #expect(made.report.carried.count == 6 && made.report.changed.isEmpty)
  }

  @Test("with --infer a text becomes a boolean or number, but only if that value would be written in the same way")
  func infers() throws {
    let document = try DefaultsDocument(xml: Array(Self.resource.utf8))
    let made = try CatalogConversion(defaults: document, game: "mine", infers: true)
    let catalog = try #require(CatalogReader.read(CatalogFiles(main: NamedFile(name: "mine.yaml", bytes: Array(made.yaml.utf8)))).catalog)
    #expect(catalog.parameters.map(\.type) == [.string, .boolean, .string, .double, .integer, .string])
    #expect(made.report.changed.map(\.name) == ["enabled", "speed", "lives"] && made.report.carried == ["welcome", "empty", "version"])
    #expect(made.report.remarks.first == "3 texts were read as 1 boolean and 2 numbers.", "\(made.report.lines)")
    #expect(made.report.remarks.last?.contains("“1.10” of version") == true, "\(made.report.lines)")
  }

  @Test("a duplicate key in an Android resource gets its last value, as it does in an app")
  func twice() throws {
    let text = "<defaultsMap><entry><key>a</key><value>1</value></entry><entry><key>a</key><value>2</value></entry></defaultsMap>"
    let document = try DefaultsDocument(xml: Array(text.utf8))
    #expect(document.values == ["a": "2"])
    #expect(try CatalogConversion(defaults: document, game: "mine").report.leftOut.map(\.name) == ["a"])
  }

  @Test(
    "a file that is not an Android resource is rejected with its position",
    arguments: [
      ("", "1:1"), ("{}", "1:1"), ("<plist version=\"1.0\"><dict/></plist>", "should begin with <defaultsMap>"),
      ("<defaultsMap><entry><key>a</key>", "</entry> is missing"), ("<defaultsMap>", "</defaultsMap> is missing"),
      ("<defaultsMap/>x", "Nothing may follow"), ("<defaultsMap><entry><key>&x;</key></entry></defaultsMap>", "The entity &x;"),
      ("<a>" + String(repeating: "<a>", count: 100_000), "Nested deeper"),
      ("<!DOCTYPE a [<!ENTITY b \"c\">]><defaultsMap/>", "declarations of its own"),
    ])
  func refused(text: String, words: String) {
    let fault = #expect(throws: FormatFault.self) { try DefaultsDocument(xml: Array(text.utf8)) }
    #expect(fault?.description.contains(words) == true, "\(String(describing: fault))")
  }

  @Test("a catalog's defaults are written as an Android resource, which is read back as the same texts")
  func roundTrip() throws {
    let values: ObjectValue = ["a": "x & <y>", "b": true, "c": 2.5, "d": [1, "two"]]
    let text = try DefaultsDocument(values: values).xml()
    let again = try DefaultsDocument(xml: Array(text.utf8))
    #expect(again.values == ["a": "x & <y>", "b": "true", "c": "2.5", "d": "[1,\"two\"]"])
  }
}
