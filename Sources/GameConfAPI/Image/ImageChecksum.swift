// XXH64, the checksum of an image file. Each step hashes 32 bytes in four lanes, so that hashing costs less than reading the file.

/// XXH64 by Yann Collet (`xxhash_spec.md`), with seed 0.
enum ImageChecksum {
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var at = 0
    func word() -> UInt64 {
      defer { at += 8 }
      return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
    }
    var hash: UInt64
    if bytes.count >= 32 {
      var a = prime1 &+ prime2
      var b = prime2
      var c: UInt64 = 0
      var d = 0 &- prime1
      while at + 32 <= bytes.count {
        a = round(a, word())
        b = round(b, word())
        c = round(c, word())
        d = round(d, word())
      }
      hash = rotated(a, 1) &+ rotated(b, 7) &+ rotated(c, 12) &+ rotated(d, 18)
      for lane in [a, b, c, d] { hash = (hash ^ round(0, lane)) &* prime1 &+ prime4 }
    } else {
      hash = prime5
    }
    hash &+= UInt64(bytes.count)
    while at + 8 <= bytes.count { hash = rotated(hash ^ round(0, word()), 27) &* prime1 &+ prime4 }
    if at + 4 <= bytes.count {
      let half = UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)))
      hash = rotated(hash ^ half &* prime1, 23) &* prime2 &+ prime3
      at += 4
    }
    while at < bytes.count {
      hash = rotated(hash ^ UInt64(bytes[at]) &* prime5, 11) &* prime1
      at += 1
    }
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
  }

  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 { rotated(lane &+ word &* prime2, 31) &* prime1 }

  private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }
}
