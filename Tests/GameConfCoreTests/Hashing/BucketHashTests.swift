// Tests the bucket hash: MurmurHash3 and deterministic CBOR.

import GameConfCore
import Testing

@Suite("Bucket hashing")
struct BucketHashTests {
  @Test(
    "MurmurHash3 matches published hashes",
    arguments: [
      ("", 0, 0), ("", 1, 0x514E_28B7), ("", 0xffff_ffff, 0x81F1_6F39), ("test", 0, 0xba6b_d213), ("test", 0x9747_b28c, 0x704b_81dc),
      ("Hello, world!", 0, 0xc036_3e43), ("Hello, world!", 0x9747_b28c, 0x2488_4CBA), ("aaa", 0x9747_b28c, 0x283E_0130),
      ("aa", 0x9747_b28c, 0x5D21_1726), ("a", 0x9747_b28c, 0x7FA0_9EA6),
      ("The quick brown fox jumps over the lazy dog", 0x9747_b28c, 0x2FA8_26CD),
    ] as [(String, UInt32, UInt32)])
  func knownHashes(text: String, seed: UInt32, expected: UInt32) {
    var hash = Murmur3(seed: seed)
    hash.update(text)
    #expect(hash.value == expected)
  }

  @Test("MurmurHash3 does not depend on how the input is split")
  func cuts() {
    let bytes = (0..<97).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    var whole = Murmur3()
    bytes.withUnsafeBufferPointer { whole.update($0) }
    for first in 0..<40 {
      for second in first..<44 {
        var pieces = Murmur3()
        for piece in [bytes[..<first], bytes[first..<second], bytes[second...]] {
          if piece.count < 3 { piece.forEach { pieces.update($0) } } else { Array(piece).withUnsafeBufferPointer { pieces.update($0) } }
        }
        #expect(pieces.value == whole.value)
      }
    }
  }

  @Test(
    "CBOR uses the shortest encodings and sorts the keys of maps",
    arguments: [
      (nil, "f6"), (true, "f5"), (0, "00"), (-1, "20"), (24, "1818"), (1000, "1903e8"), (.integer(.max), "1b7fffffffffffffff"),
      (.integer(.min), "3b7fffffffffffffff"), (1.0, "01"), (1.5, "f93e00"), (-4.1, "fbc010666666666666"), (100000.5, "fa47c35040"),
      (5.960464477539063e-8, "f90001"), (.double(0x1p-14), "f90400"), (.double(0x1p63), "1b8000000000000000"),
      (.double(0x1p64), "fa5f800000"), (.double(-0x1p63), "3b7fffffffffffffff"), ("", "60"), ("IETF", "6449455446"), ("水", "63e6b0b4"),
      ([1, [2, 3]], "8201820203"), ([:], "a0"), (["b": 1, "a": 2, "": 3, "aa": 4], "a46003616102616201626161" + "04"),
    ] as [(Value, String)])
  func shortestForms(value: Value, hex: String) {
    #expect(CBOR.bytes(value).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == hex)
  }

  @Test(
    "the CBOR head of a text has the shortest length encoding",
    arguments: [(23, "77"), (24, "7818"), (255, "78ff"), (256, "790100"), (65_536, "7a00010000")])
  func longTexts(count: Int, head: String) {
    let bytes = CBOR.bytes(.string(String(repeating: "a", count: count)))
    #expect(bytes.prefix(head.utf8.count / 2).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == head)
    #expect(bytes.count == count + head.utf8.count / 2)
  }
}
