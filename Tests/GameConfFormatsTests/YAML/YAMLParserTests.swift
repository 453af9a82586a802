// Tests the YAML parser: it accepts and rejects the right documents, and reads the same values as libYAML.

import TestSupport
import Testing
import Yams

@testable import GameConfFormats

@Suite("The YAML parser")
struct YAMLParserTests {
  @Test(
    "every style of YAML that catalogs use is parsed to the right tree",
    arguments: [
      ("a: 1", "{«a»:«1»}"),
      ("a:\n  b: x y\n  c:\n", "{«a»:{«b»:«x y»,«c»:«»}}"),
      ("a:\n- 1\n- 2\nb: 3", "{«a»:[«1»,«2»],«b»:«3»}"),
      ("- a: 1\n  b: 2\n- - x\n  - y\n-\n  z", "[{«a»:«1»,«b»:«2»},[«x»,«y»],«z»]"),
      ("{a: [1, 'two', \"three\"], \"b\":{c: d},}", "{«a»:[«1»,«two»,«three»],«b»:{«c»:«d»}}"),
      ("a: one\n  two\n\n  three\nb: c", "{«a»:«one two\nthree»,«b»:«c»}"),
      ("a: |\n  x\n   y\n\nb: >-\n  x\n  y\n\n  z\n", "{«a»:«x\n y\n»,«b»:«x y\nz»}"),
      ("a: |2\n    x\nb: |+\n  y\n\n", "{«a»:«  x\n»,«b»:«y\n\n»}"),
      ("--- # start\na: b # comment\n# c\n...\n", "{«a»:«b»}"),
      ("a: it's # c\nb: 'it''s'\nc: \"\\u00e9\\t\\\"\\ud83d\\ude00\"", "{«a»:«it's»,«b»:«it's»,«c»:«é\t\"😀»}"),
      ("a: http://x:80/#y\n? b", nil),
      ("'a': b\n\"c d\" : e", "{«a»:«b»,«c d»:«e»}"),
      ("\u{FEFF}a: b\r\nc: d\r\n", "{«a»:«b»,«c»:«d»}"),
    ] as [(String, String?)])
  func reads(text: String, tree: String?) {
    #expect(ourTree(text) == tree)
  }

  @Test("libYAML reads the shipped catalogs as the same trees", arguments: ShippedTable.games)
  func shipped(game: String) throws {
    let text = String(decoding: try ShippedCatalogs.bytes(of: game), as: UTF8.self)
    #expect(ourTree(text) != nil)
    #expect(ourTree(text) == theirTree(text))
  }

  @Test("libYAML reads ten thousand random YAML documents as the same trees")
  func sameAsLibYAML() {
    var documents = YAMLDocuments(numbers: SeededGenerator(seed: 7))
    var read = 0
    for _ in 0..<10_000 {
      let text = documents.document()
      let ours = ourTree(text)
      if ours != nil { read += 1 }
      #expect(ours == theirTree(text), "\(text)")
    }
    #expect(read > 9_000)
  }

  @Test("a randomly changed YAML document gives the same tree as in libYAML, or one of the two parsers rejects it")
  func changedDocuments() {
    var documents = YAMLDocuments(numbers: SeededGenerator(seed: 11))
    var numbers = SeededGenerator(seed: 13)
    let signs = Array(":-#'\"[]{},|>&*!?%@ \n\\x".unicodeScalars)
    var compared = 0
    for _ in 0..<10_000 {
      var scalars = Array(documents.document().unicodeScalars)
      let at = Int(numbers.next() % UInt64(scalars.count))
      let sign = signs[Int(numbers.next() % UInt64(signs.count))]
      if numbers.next() % 2 == 0 { scalars[at] = sign } else { scalars.insert(sign, at: at) }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      guard let ours = ourTree(String(text)), let theirs = theirTree(String(text)) else { continue }
      compared += 1
      #expect(ours == theirs, "\(String(text))")
    }
    #expect(compared > 3_000)
  }

  @Test(
    "YAML features that parsers interpret differently are rejected with their position",
    arguments: [
      ("a: &x 1", 3, "Anchors"), ("a: *x", 3, "Aliases"), ("a: !!str 1", 3, "Tags"), ("a: {<<: {b: 1}}", 4, "Merge keys"),
      ("<<: {b: 1}", 0, "Merge keys"), ("a: 1\na: 2", 5, "already in this mapping, at line 1"),
      ("a: {b: 1, b: 2}", 10, "already in this mapping"),
      ("a:\n\tb: 1", 3, "This is a tab"), ("a:\tb", 2, "This is a tab"), ("a: \"x\ty\"", 5, "This is a tab"),
      ("%YAML 1.2\n---\na: b", 0, "Directives"),
      ("a: 1\n---\nb: 2", 5, "second document"), ("? a\n: b", 0, "“?”"), ("a: b: c", 4, "second “: ”"), ("a: [1, 2", 3, "never closed"),
      ("a: \"x", 3, "never closed"), ("a: [1, , 2]", 7, "missing before this comma"), ("a: [b: c]", 5, "{name: value}"),
      ("a: {min:1}", 4, "space is missing"), ("a: {b, c: 1}", 4, "has no value"), ("a: \"\\q\"", 4, "has no meaning"),
      ("a: \"\\ud800\"", 4, "surrogate"), ("a: @b", 3, "goes in quotes"), ("a: %b", 3, "goes in quotes"),
      ("a: - b", 3, "is not allowed here"),
      ("a: 'x' y", 7, "The line must end"), ("a: b\n  c: d", 8, "second “: ”"), ("a: \"b\"\n   c: d", 10, "indented further"),
      ("a: #05060A", 3, "quotes: \"#05060A\""), ("a: {b: #fff}", 7, "quotes: \"#fff\""), ("a:\n  - x\n - y", 10, "indented further"),
      ("a:\n  b: c\n d: e", 11, "indented further"),
    ])
  func refuses(text: String, offset: Int, words: String) {
    var faults: [TextFault] = []
    var parser = YAMLParser(YAMLText(Array(text.utf8), file: 0, faults: &faults))
    _ = parser.document()
    #expect(parser.faults.first?.place.offset == offset)
    #expect(parser.faults.first?.message.contains(words) == true, "\(parser.faults)")
  }

  @Test("a fault in one YAML entry does not hide a fault in the next entry")
  func goesOn() {
    let text = "a: [1\nb:\n  c: \"x\n  d: @y\n  e: ok\nf: {g:1}\nh: - i\n"
    var faults: [TextFault] = []
    var parser = YAMLParser(YAMLText(Array(text.utf8), file: 0, faults: &faults))
    let root = parser.document()
    #expect(parser.faults.map(\.place.offset).sorted() == [7, 14, 22, 37, 45])
    #expect(parser.isPartial)
    #expect(root.map { shown($0) } == "{«b»:{«e»:«ok»},«f»:{}}")
  }

  @Test("YAML of 64 nesting levels is read and YAML of 65 is rejected", arguments: [("[", "]"), ("{a: ", "}"), ("- ", "")])
  func depth(open: String, close: String) {
    func nested(_ levels: Int) -> String { String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels) }
    #expect(ourTree(nested(64)) != nil)
    #expect(ourTree(nested(65)) == nil)
    #expect(ourTree(nested(10_000)) == nil)
    #expect(ourTree(String(repeating: open, count: 10_000)) == nil)
  }

  @Test("YAML lines and columns begin at 1, and columns count Unicode scalars")
  func positions() {
    var faults: [TextFault] = []
    let text = YAMLText(Array("a: b\r\nñé: x\n".utf8), file: 0, faults: &faults)
    #expect(text.position(of: 0) == (1, 1))
    #expect(text.position(of: 5) == (2, 1))
    #expect(text.position(of: 11) == (2, 5))
    #expect(text.position(of: 13) == (3, 1))
  }

  @Test(
    "an unquoted YAML scalar is a number only in decimal notation",
    arguments: [
      ("1", "1"), ("-5", "-5"), ("0", "0"), ("2.50", "2.5"), ("1e3", "1000.0"), ("-0.0", "-0.0"),
      ("9223372036854775807", "9223372036854775807"),
      ("9223372036854775808", nil), ("1e400", nil), ("0x1F", nil), ("0o17", nil), ("017", nil), ("+5", nil), (".5", nil), ("5.", nil),
      (".inf", nil),
      ("-.INF", nil), (".nan", nil), ("1_000", "text"), ("1:30", "text"), ("1.2.3", "text"), ("yes", "text"), ("5e", "text"), ("-", "text"),
      ("2026-12-01", "text"), ("", "text"), ("1e5x", "text"),
    ] as [(String, String?)])
  func numbers(text: String, value: String?) {
    let described: String? =
      switch YAMLScalar.number(text) {
      case .number(.integer(let integer)): "\(integer)"
      case .number(.double(let double)): "\(double)"
      case .number: "other"
      case .refused: nil
      case .none: "text"
      }
    #expect(described == value)
  }
}
