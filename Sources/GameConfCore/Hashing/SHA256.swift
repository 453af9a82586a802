// SHA-256 (FIPS 180-4), for daily hashes and digests of contents.

/// An incremental SHA-256 hash function.
public struct SHA256: Sendable {
  /// The length of a digest in bytes.
  public static let digestBytes = 32

  private typealias Words = (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)

  private var state: Words = (
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
  )
  /// The incomplete last block of the input. It is a SIMD vector, because that is stored inline and needs no allocation.
  private var pending = SIMD64<UInt8>()
  private var byteCount: UInt64 = 0

  private static let blockBytes = 64
  private var pendingCount: Int { Int(truncatingIfNeeded: byteCount % 64) }

  /// Creates the hash of an empty input.
  public init() {}

  /// Returns the digest of a complete input.
  public static func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.digest()
  }

  /// Returns the digest of a text's UTF-8 bytes as 64 hex digits.
  public static func hex(of text: String) -> String { hex(digest(of: text.utf8)) }

  /// Returns bytes as lowercase hex digits, two for each byte.
  public static func hex(_ bytes: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
      digits.append(hexDigit(byte >> 4))
      digits.append(hexDigit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  private static func hexDigit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") - 10 + nibble }

  /// Adds bytes to the input. A sequence without contiguous storage is copied to an array first.
  public mutating func update(_ bytes: some Sequence<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ update(memory: UnsafeRawBufferPointer($0)) }) == nil {
      Array(bytes).withUnsafeBytes { update(memory: $0) }
    }
  }

  /// Adds the bytes of a memory region to the input. The region is not retained.
  public mutating func update(memory: UnsafeRawBufferPointer) {
    var rest = memory[...]
    if pendingCount > 0 {
      let first = rest.prefix(Self.blockBytes - pendingCount)
      rest = rest.dropFirst(first.count)
      let isFull = pendingCount + first.count == Self.blockBytes
      keep(first)
      if isFull { withUnsafeBytes(of: pending) { Self.compress($0, into: &state) } }
    }
    while rest.count >= Self.blockBytes {
      Self.compress(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.blockBytes)), into: &state)
      rest = rest.dropFirst(Self.blockBytes)
      byteCount &+= UInt64(Self.blockBytes)
    }
    keep(rest)
  }

  /// Appends bytes to the incomplete last block, which must have space for them.
  private mutating func keep(_ bytes: Slice<UnsafeRawBufferPointer>) {
    let start = pendingCount
    withUnsafeMutableBytes(of: &pending) { UnsafeMutableRawBufferPointer(rebasing: $0[start...]).copyBytes(from: bytes) }
    byteCount &+= UInt64(bytes.count)
  }

  /// Returns the 32-byte digest of the input so far. Further updates are allowed.
  public func digest() -> [UInt8] {
    var state = state
    // The padding of SHA-256: a 1 bit, zeros, and the input's length in bits as the last eight bytes of a block.
    var last = pending
    last[pendingCount] = 0x80
    for at in pendingCount + 1..<Self.blockBytes { last[at] = 0 }
    if pendingCount >= Self.blockBytes - 8 {
      withUnsafeBytes(of: last) { Self.compress($0, into: &state) }
      last = SIMD64()
    }
    withUnsafeMutableBytes(of: &last) { block in
      block.storeBytes(of: (byteCount &* 8).bigEndian, toByteOffset: Self.blockBytes - 8, as: UInt64.self)
      Self.compress(UnsafeRawBufferPointer(block), into: &state)
    }
    var digest: [UInt8] = []
    digest.reserveCapacity(Self.digestBytes)
    for word in [state.0, state.1, state.2, state.3, state.4, state.5, state.6, state.7] {
      withUnsafeBytes(of: word.bigEndian) { digest.append(contentsOf: $0) }
    }
    return digest
  }

  private static func compress(_ block: UnsafeRawBufferPointer, into state: inout Words) {
    // The closure hoists the access to the array of constants, with its bounds check, out of the 64 rounds of SHA-256.
    constants.withUnsafeBufferPointer { constants in compress(block, into: &state, constants) }
  }

  @inline(__always)
  private static func compress(_ block: UnsafeRawBufferPointer, into state: inout Words, _ constants: UnsafeBufferPointer<UInt32>) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
      for at in 0..<16 { schedule[at] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: at * 4, as: UInt32.self)) }
      for at in 16..<64 {
        let two = schedule[at - 2]
        let fifteen = schedule[at - 15]
        let sigma1 = rotated(two, 17) ^ rotated(two, 19) ^ (two >> 10)
        let sigma0 = rotated(fifteen, 7) ^ rotated(fifteen, 18) ^ (fifteen >> 3)
        schedule[at] = schedule[at - 16] &+ sigma0 &+ schedule[at - 7] &+ sigma1
      }
      var (a, b, c, d, e, f, g, h) = state
      for at in 0..<64 {
        let sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
        let first = h &+ sum1 &+ ((e & f) ^ (~e & g)) &+ constants[at] &+ schedule[at]
        let sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
        let second = sum0 &+ ((a & b) ^ (a & c) ^ (b & c))
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
      }
      state.0 &+= a
      state.1 &+= b
      state.2 &+= c
      state.3 &+= d
      state.4 &+= e
      state.5 &+= f
      state.6 &+= g
      state.7 &+= h
    }
  }

  @inline(__always)
  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01,
    0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc,
    0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
    0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116, 0x1e37_6c08,
    0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
