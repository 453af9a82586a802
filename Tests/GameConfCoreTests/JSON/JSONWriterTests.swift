// Tests JSONWriter, and that JSONReader decodes its output to the same value.

import GameConfCore
import TestSupport
import Testing

@Suite("JSON writer")
struct JSONWriterTests {
  @Test(
    "a value is encoded as compact JSON",
    arguments: [
      (.null, "null"), (true, "true"), (.integer(.min), "-9223372036854775808"), (.integer(.max), "9223372036854775807"), (0, "0"),
      (-7, "-7"),
      (.double(18), "18.0"), (.double(-0.0), "-0.0"), (.double(0.1), "0.1"), (.double(1e22), "1.0e+22"), (.double(1.5e300), "1.5e+300"),
      (.double(.leastNonzeroMagnitude), "5.0e-324"),
      (.double(1e15), "1000000000000000.0"), (.double(999_999_999_999_999), "999999999999999.0"), (.double(1e16), "1.0e+16"),
      (.double(.infinity), "null"), (.double(.nan), "null"),
      (.double(-2.5), "-2.5"), (.string("a\"b\\c/d"), #""a\"b\\c/d""#),
      (.string("\u{8}\t\n\u{c}\r\0\u{1f}\u{7f}"), "\"\\b\\t\\n\\f\\r\\u0000\\u001f\u{7f}\""),
      (.string("é😀\u{2028}"), "\"é😀\u{2028}\""), ([], "[]"), ([:], "{}"), (["b": [1, nil, [:]], "a": "x"], #"{"b":[1,null,{}],"a":"x"}"#),
    ] as [(Value, String)])
  func compact(value: Value, expected: String) { #expect(JSONWriter.text(value) == expected) }

  @Test("pretty JSON is indented by two spaces and has empty lists and objects in one line")
  func pretty() {
    let value: Value = ["a": [1, 2.0, []], "b": [:], "c": ["d": nil]]
    let expected = """
      {
        "a": [
          1,
          2.0,
          []
        ],
        "b": {},
        "c": {
          "d": null
        }
      }
      """
    #expect(JSONWriter.text(value, pretty: true) == expected)
  }

  @Test("canonical JSON does not depend on the order of members")
  func canonical() {
    let one: Value = ["b": 1, "a": ["z": 0.0, "é": 2], "": 3]
    let other: Value = ["": 3, "a": ["é": 2, "z": -0.0], "b": 1]
    #expect(String(decoding: JSONWriter.canonicalBytes(one), as: UTF8.self) == #"{"":3,"a":{"z":0.0,"é":2},"b":1}"#)
    #expect(JSONWriter.canonicalBytes(one) == JSONWriter.canonicalBytes(other))
    #expect(JSONWriter.canonicalBytes(["a": 1]) != JSONWriter.canonicalBytes(["a": 1.0]))
  }

  @Test("a random value is decoded from its compact and pretty JSON unchanged", arguments: 0..<200)
  func roundTrip(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) &* 7919)
    let value = Value.random(depth: 5, using: &generator)
    let limits = JSONLimits(depthMax: 64, bytesMax: 1 << 24)
    #expect(try JSONReader.value(from: JSONWriter.bytes(value), limits: limits) == value)
    let read = try JSONReader.value(from: JSONWriter.text(value, pretty: true), limits: limits)
    #expect(read == value)
    #expect(read.objectValue?.names == value.objectValue?.names)
  }

  @Test("a random double is decoded from its JSON with the same bits")
  func doubles() throws {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<20_000 {
      let double = Double(bitPattern: generator.next())
      guard double.isFinite else { continue }
      guard case .double(let read) = try JSONReader.value(from: JSONWriter.bytes(.double(double))) else {
        Issue.record("\(double) is not read as a double")
        continue
      }
      #expect(read.bitPattern == double.bitPattern)
    }
  }

  @Test("a short decimal is decoded to the same double as by the Swift compiler")
  func decimals() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<20_000 {
      let text =
        "\(Int64.random(in: -9_999_999...9_999_999, using: &generator)).\(UInt32.random(in: 0...99999, using: &generator))e\(Int.random(in: -30...30, using: &generator))"
      #expect(try JSONReader.value(from: text) == Double(text).map(Value.double))
    }
  }
}

@Suite("JSON pointers")
struct JSONPointerTests {
  static let document: Value = [
    "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8, "~1": 9,
  ]

  @Test(
    "the examples of RFC 6901 lead to the documented values",
    arguments: [
      ("", document), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3), ("/g|h", 4),
      ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7),
      ("/m~0n", 8), ("/~01", 9), ("/foo/2", nil), ("/foo/00", nil), ("/foo/-", nil), ("/nothing", nil), ("foo", nil), ("/m~n", nil),
      ("/m~2n", nil), ("/a~", nil),
      ("/foo/0/x", nil),
    ] as [(String, Value?)])
  func examples(pointer: String, expected: Value?) { #expect(Self.document.value(at: pointer) == expected) }

  @Test(
    "a name with escapes is the same after being appended to a JSON pointer and parsed",
    arguments: ["", "a", "~", "/", "~1", "a/b~c", "\r\n", "é/ü"])
  func escapes(name: String) {
    #expect(JSONPointer.steps(of: JSONPointer.appending(name, to: "/x")) == ["x", name])
    #expect(JSONPointer.appending(3, to: "/x") == "/x/3")
  }
}
