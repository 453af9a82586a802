// Compares JSONBuilder with JSONWriter, which encodes whole values.

import GameConfCore
import TestSupport
import Testing

@Suite("Building JSON piece by piece")
struct JSONPiecesTests {
  @Test("JSONBuilder and JSONWriter encode random values identically", arguments: [0, 1, 4_096])
  func values(reserved: Int) {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<500 {
      let value = Value.random(depth: 4, using: &random)
      var pieces = JSONBuilder(reserving: reserved)
      pieces.value(value)
      #expect(pieces.bytes == JSONWriter.bytes(value))
    }
  }

  @Test("JSONBuilder writes strings of any length and with escapes across the end of its buffer", arguments: 0..<140)
  func lengths(count: Int) {
    let text = String(repeating: "a", count: count)
    let texts = [text, "\"" + text, text + "\n", text + "é\u{1}\\", "€" + text]
    var pieces = JSONBuilder()
    pieces.beginList()
    for text in texts { pieces.string(text) }
    pieces.endList()
    #expect(pieces.bytes == JSONWriter.bytes(.list(texts.map(Value.string))))
  }

  @Test(
    "JSONBuilder writes integers of every length",
    arguments: [0, 1, -1, 9, 10, -10, 99, 100, .max, .min, .max - 1, 1_000_000_000_000_000_000, -999_999_999_999_999_999] as [Int64])
  func integers(integer: Int64) {
    var pieces = JSONBuilder()
    pieces.integer(integer)
    #expect(String(decoding: pieces.bytes, as: UTF8.self) == String(integer))
  }

  @Test(
    "an instant is written in RFC 3339 notation and read back as the same instant",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00Z"), (1_795_046_399_090, "2026-11-18T23:59:59.090Z"),
      (Instant.earliest.milliseconds, "0001-01-01T00:00:00Z"), (Instant.latest.milliseconds, "9999-12-31T23:59:59.999Z"),
      (253_402_300_800_000, "10000-01-01T00:00:00Z"),
    ] as [(Int64, String)])
  func instants(milliseconds: Int64, text: String) throws {
    let instant = Instant(milliseconds: milliseconds)
    var pieces = JSONBuilder()
    pieces.instantText(instant)
    #expect(String(decoding: pieces.bytes, as: UTF8.self) == "\"\(text)\"")
    #expect(instant.text == text)
    if instant <= .latest { #expect(try Instant(parsing: text) == instant) }
  }

  @Test("instants at the limits of 64 bits are written without a crash", arguments: [Int64.min, .max])
  func farthest(milliseconds: Int64) {
    let instant = Instant(milliseconds: milliseconds)
    var pieces = JSONBuilder()
    pieces.instantText(instant)
    #expect(String(decoding: pieces.bytes, as: UTF8.self) == "\"\(instant.text)\"")
    #expect(instant.text.hasSuffix("Z"))
  }

  @Test("JSONBuilder separates members and elements with commas at every depth")
  func commas() {
    var pieces = JSONBuilder()
    pieces.beginObject()
    pieces.name("a")
    pieces.beginList()
    pieces.beginList()
    pieces.endList()
    pieces.beginObject()
    pieces.endObject()
    pieces.bool(true)
    pieces.bool(false)
    pieces.null()
    pieces.string("[")
    pieces.json(Array("1.5".utf8))
    pieces.endList()
    pieces.name("b:" as String)
    pieces.integer(-7)
    pieces.name("c")
    pieces.string("")
    pieces.endObject()
    #expect(String(decoding: pieces.bytes, as: UTF8.self) == #"{"a":[[],{},true,false,null,"[",1.5],"b:":-7,"c":""}"#)
  }
}
