// Tests JSONReader at the corner cases of RFC 8259.

import GameConfCore
import Testing

@Suite("JSON reader")
struct JSONReaderTests {
  @Test(
    "valid JSON is decoded to the expected value",
    arguments: [
      ("null", .null), ("true", true), (" \t\r\n false \n", false), ("0", 0), ("-0", .integer(0)), ("-0.0", .double(-0.0)),
      ("0.0", .double(0)),
      ("-1", -1), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)), ("18.0", .double(18)),
      ("1e0", .double(1)),
      ("1E+2", .double(100)), ("1e-2", .double(0.01)), ("0.1", .double(0.1)), ("-0.1e1", .double(-1)),
      ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
      ("5e-324", .double(.leastNonzeroMagnitude)), ("1e-400", .double(0)), ("0e999999999999999999999", .double(0)),
      ("123456789012345678901234567890.0", .double(1.2345678901234568e29)),
      ("0.1234567890123456789012345678901234567890", .double(0.12345678901234568)), ("9007199254740993.0", .double(9_007_199_254_740_992)),
      ("9007199254740993.00000000000000001", .double(9_007_199_254_740_994)),
      ("2.2250738585072011e-308", .double(Double(bitPattern: 0x000F_FFFF_FFFF_FFFF))),
      ("1e22", .double(1e22)), ("1e23", .double(1e23)), ("8.5e-10", .double(8.5e-10)), ("10.00", .double(10)),
      (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e9é""#, "éé"), (#""\uD83D\uDE00""#, "😀"),
      (#""\ud83d\ude00x""#, "😀x"),
      (#""\u0000""#, "\0"), (#""\uFFFF""#, "\u{FFFF}"), (#""\uFEFF""#, "\u{FEFF}"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
      (#""plain and long enough for eight bytes at once""#, "plain and long enough for eight bytes at once"),
      (#""seven..\n""#, "seven..\n"), ("\"1234567é1234567\"", "1234567é1234567"),
      ("\"\u{10FFFF}\u{800}\u{FFFD}\"", "\u{10FFFF}\u{800}\u{FFFD}"),
      ("[]", []), ("[ ]", []), ("{}", [:]), ("{ }", [:]), ("[1,2.5,\"a\",null,true,[],{}]", [1, 2.5, "a", nil, true, [], [:]]),
      (#"{"a":1,"":2,"A":{"a":[{}]}}"#, ["a": 1, "": 2, "A": ["a": [[:]]]]), (#" { "a" : [ 1 , 2 ] } "#, ["a": [1, 2]]),
      (#"{"__proto__":1}"#, ["__proto__": 1]),
    ] as [(String, Value)])
  func good(text: String, expected: Value) throws {
    let value = try JSONReader.value(from: text)
    #expect(value == expected)
    if case .double(let read) = value, case .double(let wanted) = expected { #expect(read.sign == wanted.sign) }
    #expect(try JSONReader.value(from: Array(text.utf8)[...]) == expected)
    #expect(try JSONReader.value(from: text.utf8.lazy.map { $0 }) == expected)
  }

  @Test(
    "integers beyond 64 bits are decoded as doubles where the limits allow it",
    arguments: [
      ("9223372036854775808", .admitted, .double(9_223_372_036_854_775_808)), ("-9223372036854775809", .admitted, .double(-0x1p63)),
      ("9223372036854775807", .admitted, .integer(.max)), ("[18446744073709551616, 1]", .admitted, [.double(0x1p64), 1]),
      (#"{"a": {"b": [9223372036854775808]}}"#, .within(["a"]), ["a": ["b": [.double(0x1p63)]]]),
      (#"[{"c": {"a": 9223372036854775808}}]"#, .within(["b", "a"]), [["c": ["a": .double(0x1p63)]]]),
      (#"{"b": 9223372036854775808}"#, .within(["a"]), nil), (#"{"a": 1, "b": 9223372036854775808}"#, .within(["a"]), nil),
      (#"{"a": {"b": 1}, "b": 9223372036854775808}"#, .within(["a"]), nil), ("9223372036854775808", .refused, nil),
      ("1" + String(repeating: "0", count: 309), .admitted, nil), (String(repeating: "1", count: 1025), .admitted, nil),
    ] as [(String, JSONLimits.IntegerOverflowPolicy, Value?)])
  func wideIntegers(text: String, wide: JSONLimits.IntegerOverflowPolicy, expected: Value?) {
    var limits = JSONLimits()
    limits.wideIntegers = wide
    do throws(JSONError) {
      #expect(try JSONReader.value(from: text, limits: limits) == expected)
    } catch { #expect(expected == nil && error.code == .numberOutOfRange, "\(error)") }
  }

  @Test(
    "invalid JSON is rejected with a code, pointer and byte offset",
    arguments: [
      ("", .empty, "", 0), (" \n", .empty, "", 2), ("nul", .syntax, "", 0), ("True", .syntax, "", 0), ("nullx", .trailingData, "", 4),
      ("1 2", .trailingData, "", 2),
      ("{}}", .trailingData, "", 2), ("[1]\u{0}", .trailingData, "", 3), ("\u{FEFF}1", .syntax, "", 0), ("NaN", .syntax, "", 0),
      ("-Infinity", .syntax, "", 1),
      ("+1", .syntax, "", 0), (".5", .syntax, "", 0), ("5.", .syntax, "", 2), ("5.e1", .syntax, "", 2), ("1e", .syntax, "", 2),
      ("1e+", .syntax, "", 3), ("-", .syntax, "", 1),
      ("01", .syntax, "", 0), ("-01", .syntax, "", 0), ("00", .syntax, "", 0), ("0x10", .trailingData, "", 1),
      ("1_000", .trailingData, "", 1), ("1e1.5", .trailingData, "", 3),
      ("9223372036854775808", .numberOutOfRange, "", 0), ("-9223372036854775809", .numberOutOfRange, "", 0),
      ("18446744073709551616", .numberOutOfRange, "", 0),
      ("[0,1e309]", .numberOutOfRange, "/1", 3), ("{\"a\":1.8e308}", .numberOutOfRange, "/a", 5),
      ("'a'", .syntax, "", 0), ("\"a", .syntax, "", 2), ("\"a\\", .syntax, "", 2), ("\"\\x41\"", .syntax, "", 1),
      ("\"\\u12\"", .syntax, "", 1), ("\"\\u12g4\"", .syntax, "", 1),
      ("\"\\u", .syntax, "", 3), ("\"\\U0041\"", .syntax, "", 1), ("\"\n\"", .controlCharacter, "", 1),
      ("\"\u{0}\"", .controlCharacter, "", 1),
      ("\"12345678\u{1F}\"", .controlCharacter, "", 9), ("\"\\uD800\"", .loneSurrogate, "", 1), ("\"\\uDC00\"", .loneSurrogate, "", 1),
      ("\"\\uD800\\u0041\"", .loneSurrogate, "", 1),
      ("\"\\uD800\\uD800\"", .loneSurrogate, "", 1), ("\"\\uDE00\\uD83D\"", .loneSurrogate, "", 1),
      ("{\"\\uD800\":1}", .loneSurrogate, "", 2),
      ("[", .syntax, "/0", 1), ("[1", .syntax, "", 2), ("[1,", .syntax, "/1", 3), ("[1,]", .syntax, "", 3), ("[,1]", .syntax, "/0", 1),
      ("[1 2]", .syntax, "", 3), ("[1}", .syntax, "", 2),
      ("]", .syntax, "", 0), ("[1,,2]", .syntax, "/1", 3),
      ("{", .syntax, "", 1), ("{\"a\"", .syntax, "", 4), ("{\"a\":", .syntax, "/a", 5), ("{\"a\":1", .syntax, "", 6),
      ("{\"a\":1,}", .syntax, "", 7), ("{a:1}", .syntax, "", 1),
      ("{1:1}", .syntax, "", 1), ("{\"a\" 1}", .syntax, "", 5), ("{\"a\":1 \"b\":2}", .syntax, "", 7), ("{,}", .syntax, "", 1),
      ("{\"a\":}", .syntax, "/a", 5),
      ("/* c */1", .syntax, "", 0), ("1//c", .trailingData, "", 1),
      ("{\"a\":1,\"a\":1}", .duplicateName, "/a", 7), ("{\"a\":1,\"\\u0061\":1}", .duplicateName, "/a", 7),
      ("{\"x\":[{\"k/~\":1,\"k/~\":2}]}", .duplicateName, "/x/0/k~1~0", 15),
      ("{\"\u{E9}\":1,\"e\u{301}\":2}", .duplicateName, "/e\u{301}", 8),
      ("{\"a/b\":{\"m~n\":[0,tru]}}", .syntax, "/a~1b/m~0n/1", 17), ("\u{A0}1", .syntax, "", 0),
    ] as [(String, JSONError.Code, String, Int)])
  func bad(text: String, code: JSONError.Code, pointer: String, offset: Int) {
    let error = #expect(throws: JSONError.self) { try JSONReader.value(from: text) }
    #expect(error?.code == code)
    #expect(error?.pointer == pointer)
    #expect(error?.offset == offset)
    #expect(error?.message.hasSuffix(".") == true)
  }

  @Test(
    "invalid UTF-8 in JSON is rejected at its position",
    arguments: [
      [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0x81], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF], [0xE2, 0x82],
      [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0xAF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) {
    for prefix in ["", "12345678", #"\n"#] {
      let text = Array("[\"\(prefix)".utf8) + bytes + Array("\"]".utf8)
      let error = #expect(throws: JSONError.self) { try JSONReader.value(from: text) }
      #expect(error?.code == .invalidUTF8)
      #expect(error?.pointer == "/0")
      #expect(error?.offset == 2 + prefix.utf8.count)
    }
    #expect(throws: JSONError.self) { try JSONReader.value(from: Array("\"".utf8) + bytes) }
  }

  @Test("JSON nested up to the depth limit is accepted and one level deeper is rejected", arguments: [("[", "]"), ("{\"a\":", "}")])
  func depth(open: String, close: String) throws {
    func nested(_ depth: Int) -> String { String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth) }
    _ = try JSONReader.value(from: nested(64))
    let error = #expect(throws: JSONError.self) { try JSONReader.value(from: nested(65)) }
    #expect(error?.code == .tooDeep)
    let deep = #expect(throws: JSONError.self) { try JSONReader.value(from: String(repeating: open, count: 100_000)) }
    #expect(deep?.code == .tooDeep)
    let greedy = JSONLimits(depthMax: .max, bytesMax: 1 << 22)
    _ = try JSONReader.value(from: nested(JSONLimits.depthCeiling), limits: greedy)
    #expect(throws: JSONError.self) { try JSONReader.value(from: nested(JSONLimits.depthCeiling + 1), limits: greedy) }
  }

  @Test("JSON up to the size limit is accepted and one byte more is rejected")
  func size() throws {
    let limits = JSONLimits(depthMax: 64, bytesMax: 10)
    #expect(try JSONReader.value(from: "\"12345678\"", limits: limits) == "12345678")
    let error = #expect(throws: JSONError.self) { try JSONReader.value(from: "\"123456789\"", limits: limits) }
    #expect(error?.code == .tooLarge)
    let endless = sequence(first: UInt8(ascii: " ")) { $0 }
    #expect(throws: JSONError.self) { try JSONReader.value(from: endless, limits: limits) }
  }

  @Test("JSON numbers with a million digits are rejected without delay")
  func longNumbers() throws {
    let digits = String(repeating: "9", count: 1_000_000)
    #expect(throws: JSONError.self) { try JSONReader.value(from: digits) }
    #expect(throws: JSONError.self) { try JSONReader.value(from: "1" + String(repeating: "0", count: 400)) }
    #expect(throws: JSONError.self) { try JSONReader.value(from: "0." + digits) }
    #expect(throws: JSONError.self) { try JSONReader.value(from: "1e" + digits) }
    let edge = "0." + String(repeating: "3", count: 1022)
    #expect(try JSONReader.value(from: edge) == .double(1.0 / 3))
    #expect(throws: JSONError.self) { try JSONReader.value(from: edge + "3") }
  }

  @Test("a JSON object with 100 000 members is decoded and a duplicate name in it is found")
  func manyMembers() throws {
    let members = (0..<100_000).map { "\"\($0)\":0" }.joined(separator: ",")
    let limits = JSONLimits(depthMax: 64, bytesMax: 1 << 22)
    #expect(try JSONReader.value(from: "{\(members)}", limits: limits).objectValue?.count == 100_000)
    let error = #expect(throws: JSONError.self) { try JSONReader.value(from: "{\(members),\"99999\":1}", limits: limits) }
    #expect(error?.code == .duplicateName)
    #expect(error?.pointer == "/99999")
  }

  @Test("the pointer in a JSON error shortens very long names")
  func longName() {
    let name = String(repeating: "n", count: 500_000)
    let error = #expect(throws: JSONError.self) { try JSONReader.value(from: "{\"\(name)\":x}") }
    #expect((error?.pointer.utf8.count ?? 0) < 300)
  }

  @Test("truncated or mutated JSON never crashes the decoder", arguments: 0..<40)
  func mutated(seed: Int) {
    var generator = Value.generator(seed: UInt64(seed))
    let text = JSONWriter.bytes(.random(depth: 4, using: &generator))
    for length in 0..<min(text.count, 300) { _ = try? JSONReader.value(from: Array(text[0..<length])) }
    let interesting = Array("\"\\{}[],:.eE+-0u \n".utf8) + [0x00, 0x80, 0xC3, 0xED, 0xF0, 0xFF]
    for _ in 0..<300 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
        let at = Int.random(in: 0..<bytes.count, using: &generator)
        let byte = interesting.randomElement(using: &generator) ?? 0
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[at] = byte
        case 1: bytes.insert(byte, at: at)
        default: bytes.remove(at: at)
        }
      }
      guard let value = try? JSONReader.value(from: bytes) else { continue }
      #expect((try? JSONReader.value(from: JSONWriter.bytes(value))) == value)
    }
  }
}
