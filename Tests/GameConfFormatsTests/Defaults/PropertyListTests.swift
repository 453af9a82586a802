// Tests property lists in XML: the parser accepts and rejects the right ones, and reads written ones back as the same values.

import GameConfCore
import GameConfFormats
import Testing

@Suite("Property lists in XML")
struct PropertyListTests {
  private static func plist(_ inner: String) -> [UInt8] {
    Array("<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\n\(inner)\n</plist>".utf8)
  }

  @Test(
    "an element of a property list becomes a value of its type",
    arguments: [
      ("<integer>18</integer>", 18), ("<real>18</real>", 18.0), ("<real>2.5e3</real>", 2500.0),
      ("<integer>-9223372036854775808</integer>", .integer(.min)),
      ("<true/>", true), ("<false></false>", false), ("<string>a &amp; &lt;b&gt; &#233;&#x1F600;</string>", "a & <b> é😀"),
      ("<string/>", ""),
      ("<string><![CDATA[<x>]]> y<!-- z --></string>", "<x> y"), ("<array><integer>1</integer><string>x</string></array>", [1, "x"]),
      ("<dict/>", [:]), ("<date>2016-02-28T18:33:31Z</date>", "2016-02-28 18:33:31"), ("<data>\n Mi\t40\n</data>", "2.4"),
      ("<data>/wA=</data>", "/wA="), ("<data/>", ""), ("<data>aGVsbG8=</data>", "hello"), ("<data>aGVsbG9v</data>", "helloo"),
      ("<dict>\n<!-- c -->\n<key>b</key><true/><key>a</key><array/></dict>", ["b": true, "a": []]),
    ] as [(String, Value)])
  func reads(inner: String, value: Value) throws {
    #expect(try PropertyList.value(from: Self.plist(inner)) == value)
  }

  @Test(
    "an invalid element of a property list is rejected with its position",
    arguments: [
      ("<date>yesterday</date>", "3:1: “yesterday” is not a date"), ("<data>A</data>", "3:1: This is not base64"),
      ("<data>A===</data>", "3:1: This is not base64"), ("<data>A!==</data>", "3:1: This is not base64"),
      ("<integer>9223372036854775808</integer>", "3:1: “9223372036854775808” is not an integer"), ("<integer>1.5</integer>", "3:1"),
      ("<real>nan</real>", "3:1"),
      ("<real>infinity</real>", "3:1"), ("<real>1e400</real>", "3:1"), ("<dict><key>a</key></dict>", "3:19: A value"),
      ("<dict><key>a</key><true/><key>a</key><true/></dict>", "3:26: The key “a” appears twice"), ("<dict><true/></dict>", "3:7: A <key>"),
      ("<string>&evil;</string>", "3:9: The entity"), ("<string>&", "3:9: “&” is written"), ("<array><true/>", "4:1: </array>"),
      ("<blob/>", "3:1: <blob>"),
      ("<true/><true/>", "3:8: </plist>"), ("", "4:1: A value"),
    ])
  func refuses(inner: String, words: String) {
    let fault = #expect(throws: FormatFault.self) { try PropertyList.value(from: Self.plist(inner)) }
    #expect(fault?.description.hasPrefix(words) == true, "\(String(describing: fault))")
  }

  @Test(
    "a document that is not a property list is rejected",
    arguments: [
      ("bplist00\u{1}", "cut short"),
      ("bplist17 and what follows it in another version, long enough", "another version"), ("", "should begin with <plist"),
      ("{}", "should begin with <plist"),
      ("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><true/></plist>", "declarations of its own"),
      ("<plist><true/></plist>x", "The file must end"),
      ("<plist><true/></plist", "</plist>"), ("<!DOCTYPE plist", "never closed"),
    ])
  func documents(text: String, words: String) {
    let fault = #expect(throws: FormatFault.self) { try PropertyList.value(from: Array(text.utf8)) }
    #expect(fault?.message.contains(words) == true, "\(String(describing: fault))")
  }

  @Test("a property list of 64 nesting levels is read, and one of 65 is rejected")
  func depth() throws {
    func nested(_ levels: Int) -> [UInt8] {
      Self.plist(String(repeating: "<array>", count: levels) + String(repeating: "</array>", count: levels))
    }
    #expect(try PropertyList.value(from: nested(64)) != .null)
    #expect(throws: FormatFault.self) { try PropertyList.value(from: nested(65)) }
    #expect(throws: FormatFault.self) { try PropertyList.value(from: nested(10_000)) }
  }

  @Test("a value that is written as a property list is read back as the same value")
  func roundTrip() throws {
    let value: Value = [
      "a": 18, "b": 18.0, "c": "<&>\" 'é'\n\t😀\r", "d": [true, false, [], [:]], "e": ["f": -0.5, "": .integer(.max)], "g": 1e300,
      "h": .double(.leastNonzeroMagnitude),
    ]
    #expect(try PropertyList.value(from: Array(PropertyList.text(of: value).utf8)) == value)
    #expect(throws: FormatFault.self) { try PropertyList.text(of: ["a": [nil]]) }
    #expect(throws: FormatFault.self) { try PropertyList.text(of: "\u{1}") }
  }
}
