// Tests binary property lists: the types of their objects, and damaged or hostile lists.

import GameConfCore
import GameConfFormats
import Testing

@Suite("Property lists in binary form")
struct BinaryPropertyListTests {
  /// Returns a binary property list of these objects, with two-byte offsets and one-byte references.
  private static func list(_ objects: [[UInt8]], top: Int = 0) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for offset in offsets { bytes += [UInt8(offset >> 8), UInt8(offset & 0xFF)] }
    func long(_ number: Int) -> [UInt8] { (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    return bytes + [0, 0, 0, 0, 0, 0, 2, 1] + long(objects.count) + long(top) + long(table)
  }

  private static func text(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + Array(text.utf8) }
  private static func bits(_ number: Double) -> [UInt8] {
    (0..<8).reversed().map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) }
  }

  @Test(
    "an object of a binary property list becomes a value of its type, and a real becomes a double",
    arguments: [
      ([0x08], false), ([0x09], true), ([0x10, 200], 200), ([0x11, 1, 0], 256), ([0x13] + Array(repeating: 0xFF, count: 8), -1),
      ([0x14] + Array(repeating: 0, count: 8) + [0x7F] + Array(repeating: 0xFF, count: 7), .integer(.max)),
      ([0x14] + Array(repeating: 0xFF, count: 16), -1), ([0x23] + bits(18), 18.0), ([0x22, 0x40, 0x20, 0, 0], 2.5),
      ([0x33] + bits(478_377_211), "2016-02-28 18:33:31"), ([0x43] + Array("2.4".utf8), "2.4"), ([0x42, 0xFF, 0], "/wA="),
      (text("héé"), "héé"), ([0x62, 0, 0x68, 0, 0xE9], "hé"), ([0x5F, 0x10, 3] + Array("abc".utf8), "abc"),
      ([0xA0], []), ([0xD0], [:]),
    ] as [([UInt8], Value)])
  func kinds(object: [UInt8], value: Value) throws {
    #expect(try PropertyList.value(from: Self.list([object])) == value)
  }

  @Test("dictionaries and arrays of a binary property list have the objects that their indexes refer to, in order")
  func members() throws {
    let objects = [[0xD2, 1, 2, 3, 4], Self.text("z"), Self.text("a"), [0xA2, 4, 4], [0x10, 7]]
    let value = try PropertyList.value(from: Self.list(objects))
    #expect(value == ["z": [7, 7], "a": 7] && value.objectValue?.names == ["z", "a"])
  }

  @Test(
    "a damaged or hostile binary property list is rejected with one sentence",
    arguments: [
      ([[0x00]], "kind 0x0"), ([[0x80, 3]], "kind 0x80"), ([[0xC0]], "kind 0xc0"), ([[0xA1, 9]], "not there"),
      ([[0xA1, 0]], "deeper than 64"),
      ([[0xA5, 0]], "cut short"), ([[0x5F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], "cut short"),
      ([[0xAF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], "too great"),
      ([[0xDF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], "cut short"), ([[0x5F, 0x50]], "a length is not an integer"),
      ([[0xD1, 1, 1], [0x09]], "no text"), ([[0xD2, 1, 1, 2, 2], [0x51, 0x61], [0x09]], "“a” appears twice"),
      ([[0x23, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]], "finite"), ([[0x33, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0]], "a date"),
      ([[0x33] + bits(1e12)], "a date"), ([[0x14, 1] + Array(repeating: 0, count: 15)], "64 bits"),
    ] as [([[UInt8]], String)])
  func refused(objects: [[UInt8]], words: String) {
    let fault = #expect(throws: FormatFault.self) { try PropertyList.value(from: Self.list(objects)) }
    #expect(fault?.message.contains(words) == true, "\(String(describing: fault))")
  }

  @Test("a binary property list that would expand to exponential size is rejected by a limit")
  func doubling() {
    let lists = (1...40).map { [0xA2, UInt8($0), UInt8($0)] }
    let long = [0x5F, 0x11, 0xC3, 0x50] + [UInt8](repeating: 0x78, count: 50_000)
    let fault = #expect(throws: FormatFault.self) { try PropertyList.value(from: Self.list(lists + [long])) }
    #expect(fault?.message.contains("too often") == true, "\(String(describing: fault))")
  }

  @Test("a binary property list that is cut at any byte, or has any byte changed, does not crash the parser")
  func cut() throws {
    let objects = [[0xD2, 1, 2, 3, 4], Self.text("z"), Self.text("a"), [0xA2, 4, 5], [0x10, 7], [0x33] + Self.bits(1)]
    let whole = Self.list(objects)
    for count in whole.indices { #expect(throws: FormatFault.self) { try PropertyList.value(from: Array(whole.prefix(count))) } }
    for at in whole.indices {
      var changed = whole
      changed[at] = 0xFF
      _ = try? PropertyList.value(from: changed)
    }
  }

  @Test("a binary property list of an app's defaults becomes a catalog, and the report lists the dates that became texts")
  func defaults() throws {
    let objects = [[0xD2, 1, 2, 3, 4], Self.text("when"), Self.text("on"), [0x33] + Self.bits(0), [0x09]]
    #expect(PropertyList.isLikely(Self.list(objects)) && PropertyList.isLikely(Array("\u{FEFF} <plist>".utf8)))
    let made = try CatalogConversion(defaults: DefaultsDocument(plist: Self.list(objects)), game: "mine")
    #expect(made.yaml.contains("default: \"2001-01-01 00:00:00\""), "\(made.yaml)")
    #expect(made.report.carried == ["on"] && made.report.changed.map(\.name) == ["when"])
  }
}
