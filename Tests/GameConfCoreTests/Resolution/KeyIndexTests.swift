// Tests the hash index of keys: it finds every key and nothing similar.

import TestSupport
import Testing

@testable import GameConfCore

@Suite("Hash index of keys")
struct KeyIndexTests {
  @Test("the hash index finds every key among up to 3 000", arguments: [0, 1, 2, 3, 300, 3_000])
  func everyKey(count: Int) {
    let keys = (0..<count).map { "parameter_number_\($0)" }
    let index = KeyIndex(keys)
    for (place, key) in keys.enumerated() { #expect(index.position(of: key) == place) }
    for other in ["parameter_number_\(count)", "parameter_number_", "parameter", ""] { #expect(index.position(of: other) == nil) }
  }

  @Test("the hash index does not find a text that differs from a key in one byte or in its length", arguments: 1...34)
  func nearMisses(length: Int) {
    let bytes = (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }
    let key = String(decoding: bytes, as: UTF8.self)
    let index = KeyIndex(["before", key, "after"])
    #expect(index.position(of: key) == 1)
    for at in bytes.indices {
      var changed = bytes
      changed[at] ^= 0x20
      #expect(index.position(of: String(decoding: changed, as: UTF8.self)) == nil)
    }
    for other in [key + "a", key + "\0", "\0" + key, String(key.dropLast()), String(key.dropFirst())] {
      #expect(index.position(of: other) == nil)
    }
  }

  @Test("keys that differ only in trailing zero bytes are distinguished")
  func zeros() {
    let keys = (0..<20).map { String(repeating: "\0", count: $0) }
    let index = KeyIndex(keys)
    #expect(keys.map { index.position(of: $0) } == Array(0..<20))
  }

  @Test("if a key occurs twice, the hash index returns the last position")
  func equalKeys() {
    let index = KeyIndex(["one", "two", "one", "three"])
    #expect(index.position(of: "one") == 2)
    #expect(index.position(of: "three") == 3)
  }

  @Test("the hash index finds the same keys as a dictionary of bytes", arguments: 1...40 as ClosedRange<UInt64>)
  func likeDictionary(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    // Short texts of few letters, so that many are equal and many have common prefixes.
    func text() -> String {
      let letters = ["a", "b", "_", "é", "0"]
      return (0..<Int.random(in: 0...18, using: &generator)).map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
    }
    let keys = (0..<200).map { _ in text() }
    let index = KeyIndex(keys)
    let known = Dictionary(keys.enumerated().map { (Array($1.utf8), $0) }) { $1 }
    for key in keys + (0..<200).map({ _ in text() }) { #expect(index.position(of: key) == known[Array(key.utf8)], "\(key)") }
  }

  @Test("a canonically equivalent text with other bytes is another key")
  func canonicalEquality() {
    let index = KeyIndex(["caf\u{e9}"])
    #expect(index.position(of: "caf\u{e9}") == 0)
    #expect(index.position(of: "cafe\u{301}") == nil)
  }

  @Test("two keys with the same hash are distinguished")
  func collisions() throws {
    func hash(_ text: String) -> UInt64 { Array(text.utf8).withUnsafeBytes(KeyIndex.hash) }
    // The hash XORs the second word with the hash of the first. Choosing the second word accordingly makes two keys collide.
    let key = "aaaaaaaabbbbbbbb"
    var generator = SeededGenerator(seed: 1)
    var twin = key
    for _ in 0..<100_000 where twin == key {
      let first = (0..<8).map { _ in UInt8.random(in: 0x30...0x7a, using: &generator) }
      let second = Self.bytes(Self.folded(first) ^ Self.folded(Array("aaaaaaaa".utf8)) ^ Self.number(Array("bbbbbbbb".utf8)))
      if second.allSatisfy({ $0 < 0x80 }) { twin = String(decoding: first + second, as: UTF8.self) }
    }
    try #require(twin != key && hash(twin) == hash(key))
    #expect(KeyIndex([key]).position(of: twin) == nil)
    let index = KeyIndex([key, twin, "other"])
    #expect([key, twin, "other"].map { index.position(of: $0) } == [0, 1, 2])
  }

  @Test("a key is distinguished from a longer key with the same hash and the same beginning")
  func collidingBeginning() throws {
    var generator = SeededGenerator(seed: 2)
    var parts: (first: String, second: String)?
    for _ in 0..<100_000 where parts == nil {
      let first = (0..<8).map { _ in UInt8.random(in: 0x30...0x7a, using: &generator) }
      // The second word for which the longer key has the same hash as its first word alone.
      let second = Self.bytes(Self.folded(first) ^ 8 ^ Self.number(first))
      if second.allSatisfy({ $0 < 0x80 }) { parts = (String(decoding: first, as: UTF8.self), String(decoding: second, as: UTF8.self)) }
    }
    let (first, second) = try #require(parts)
    let hashes = [first, first + second].map { Array($0.utf8).withUnsafeBytes(KeyIndex.hash) }
    try #require(hashes[0] == hashes[1])
    #expect(KeyIndex([first, second]).position(of: first + second) == nil)
    #expect(KeyIndex([first + second]).position(of: first) == nil)
  }

  /// Returns the hash state of a 16-byte key after its first word.
  private static func folded(_ word: [UInt8]) -> UInt64 {
    let product = (16 ^ number(word)).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return product.high ^ product.low
  }

  private static func number(_ word: [UInt8]) -> UInt64 { word.reversed().reduce(0) { $0 << 8 | UInt64($1) } }

  private static func bytes(_ number: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) } }

  @Test("typical keys are spread over the hash index with short probe sequences")
  func spread() {
    for keys in [(0..<3_000).map { "parameter_number_\($0)" }, (0..<3_000).map { "\($0)" }, (0..<3_000).map { "k\($0)_enabled" }] {
      #expect(KeyIndex(keys).stepsMax < 32)
    }
  }
}
