// MurmurHash3 (x86, 32 bits), incremental so that the input need not be concatenated first.

/// An incremental MurmurHash3 x86 32-bit. The hash does not depend on how the caller splits the input into updates.
///
/// The algorithm is by Austin Appleby and in the public domain.
public struct Murmur3: Sendable {
  private var state: UInt32
  /// The last one to three bytes of the input, which do not fill a 32-bit word yet. ``pendingBits`` is their number of bits.
  private var pending: UInt64 = 0
  private var pendingBits: UInt64 = 0
  private var length: UInt32 = 0

  /// Creates the hash of an empty input.
  public init(seed: UInt32 = 0) { state = seed }

  /// Adds one byte to the input. After every fourth byte, the completed 32-bit word is mixed into the state.
  @inline(__always)
  public mutating func update(_ byte: UInt8) {
    pending |= UInt64(byte) &<< pendingBits
    pendingBits &+= 8
    length &+= 1
    if pendingBits == 32 {
      mixPending()
      pendingBits = 0
    }
  }

  /// Adds bytes to the input: four at a time as little-endian words, then the last ones, at most three, one by one.
  @inline(__always)
  public mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
    let raw = UnsafeRawBufferPointer(bytes)
    var at = 0
    while at &+ 4 <= raw.count {
      pending |= UInt64(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt32.self))) &<< pendingBits
      mixPending()
      at &+= 4
    }
    length &+= UInt32(truncatingIfNeeded: at)
    while at < raw.count {
      update(raw[at])
      at &+= 1
    }
  }

  /// Adds the UTF-8 bytes of a text to the input.
  @inline(__always)
  public mutating func update(_ text: String) {
    let utf8 = text.utf8
    if utf8.withContiguousStorageIfAvailable({ update($0) }) == nil {
      for byte in utf8 { update(byte) }
    }
  }

  /// The hash of the input so far. Further updates are allowed.
  public var value: UInt32 {
    var hash = state
    if pendingBits > 0 { hash ^= Self.scrambled(UInt32(truncatingIfNeeded: pending)) }
    hash ^= length
    hash = (hash ^ hash >> 16) &* 0x85eb_ca6b
    hash = (hash ^ hash >> 13) &* 0xc2b2_ae35
    return hash ^ hash >> 16
  }

  @inline(__always)
  private mutating func mixPending() {
    state ^= Self.scrambled(UInt32(truncatingIfNeeded: pending))
    state = (state << 13 | state >> 19) &* 5 &+ 0xe654_6b64
    pending &>>= 32
  }

  @inline(__always)
  private static func scrambled(_ word: UInt32) -> UInt32 {
    let product = word &* 0xcc9e_2d51
    return (product << 15 | product >> 17) &* 0x1b87_3593
  }
}
