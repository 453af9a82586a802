// MurmurHash3 (x86, 32 bits), fed piece by piece so that nothing need be joined before it is hashed.

/// MurmurHash3 x86 32, incremental: the result depends on the bytes only, not on how they were cut.
///
/// Public domain algorithm by Austin Appleby.
public struct Murmur3: Sendable {
  private var state: UInt32
  private var pending: UInt32 = 0
  private var pendingCount: UInt32 = 0
  private var length: UInt32 = 0

  /// A hash of no bytes yet.
  public init(seed: UInt32 = 0) { state = seed }

  /// Hashes one more byte.
  @inline(__always)
  public mutating func update(_ byte: UInt8) {
    pending |= UInt32(byte) << (8 &* pendingCount)
    pendingCount &+= 1
    length &+= 1
    if pendingCount == 4 { mixPending() }
  }

  /// Hashes the next bytes.
  public mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
    let raw = UnsafeRawBufferPointer(bytes)
    let count = raw.count
    var at = 0
    let shift = 8 &* pendingCount
    while at &+ 4 <= count {
      let word = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt32.self))
      if shift == 0 {
        mix(word)
      } else {
        mix(pending | word << shift)
        pending = word >> (32 &- shift)
      }
      at &+= 4
    }
    length &+= UInt32(truncatingIfNeeded: at)
    while at < count {
      update(raw[at])
      at &+= 1
    }
  }

  /// Hashes the UTF-8 of a text.
  @inline(__always)
  public mutating func update(_ text: String) {
    let utf8 = text.utf8
    if utf8.withContiguousStorageIfAvailable({ update($0) }) == nil {
      for byte in utf8 { update(byte) }
    }
  }

  /// The hash of all bytes so far; more may follow.
  public var value: UInt32 {
    var hash = state
    if pendingCount > 0 { hash ^= Self.scrambled(pending) }
    hash ^= length
    hash = (hash ^ hash >> 16) &* 0x85eb_ca6b
    hash = (hash ^ hash >> 13) &* 0xc2b2_ae35
    return hash ^ hash >> 16
  }

  private mutating func mixPending() {
    mix(pending)
    pending = 0
    pendingCount = 0
  }

  @inline(__always)
  private mutating func mix(_ word: UInt32) {
    state ^= Self.scrambled(word)
    state = (state << 13 | state >> 19) &* 5 &+ 0xe654_6b64
  }

  @inline(__always)
  private static func scrambled(_ word: UInt32) -> UInt32 {
    let product = word &* 0xcc9e_2d51
    return (product << 15 | product >> 17) &* 0x1b87_3593
  }
}
