// A hash table from parameter keys to their positions in the catalog, the first step of every read.

/// A hash table with open addressing and linear probing over the UTF-8 bytes of a game's keys, compared eight bytes at a time.
///
/// `Dictionary` uses a keyed hash to resist collision attacks, which would dominate the cost of a read. Here all stored keys come from the
/// catalog and lookups add none, so a faster hash is safe. Keys are compared by bytes.
final class KeyIndex: Sendable {
  private struct HashSlot {
    var hash: UInt64 = 0
    /// The position of the key in the list that the index was built from; -1 marks an empty slot.
    var position: Int32 = -1
    /// The key's length in bytes. The key's bytes are in ``KeyIndex/words``, from the index ``first``.
    var count: Int32 = 0
    var first = 0
  }

  /// The slots of the hash table. Their number is a power of two, and at most half of them are in use.
  private let slots: ContiguousArray<HashSlot>
  /// The UTF-8 bytes of all keys as words of eight bytes. Each key is padded with zeros to whole words.
  private let words: ContiguousArray<UInt64>

  /// Builds the index from keys in the order of their positions. If a key occurs twice, its last position is used.
  init(_ keys: [String]) {
    var slotCount = 2
    while slotCount < 2 * keys.count { slotCount *= 2 }
    var slots = ContiguousArray(repeating: HashSlot(), count: slotCount)
    var words: ContiguousArray<UInt64> = []
    for (position, key) in keys.enumerated() {
      ContiguousArray(key.utf8).withUnsafeBytes { bytes in
        let hash = Self.hash(of: bytes)
        let at = Self.slot(of: bytes, hash, among: slots, words)
        if slots[at].position < 0 {
          slots[at] = HashSlot(hash: hash, count: Int32(bytes.count), first: words.count)
          for offset in stride(from: 0, to: bytes.count, by: 8) { words.append(bytes.word(at: offset)) }
        }
        slots[at].position = Int32(position)
      }
    }
    self.slots = slots
    self.words = words
  }

  /// Returns the position of a key in the list that the index was built from; nil if the index does not contain the key.
  func position(of key: String) -> Int? {
    if let position = key.utf8.withContiguousStorageIfAvailable({ position(of: UnsafeRawBufferPointer($0)) }) { return position }
    return ContiguousArray(key.utf8).withUnsafeBytes { position(of: $0) }
  }

  /// The largest distance in slots from the one that a key's hash selects to the one that contains the key. Tests check the hash's quality
  /// with it.
  var stepsMax: Int {
    slots.indices.filter { slots[$0].position >= 0 }.map { ($0 &- Int(truncatingIfNeeded: slots[$0].hash)) & (slots.count - 1) }.max() ?? 0
  }

  @inline(__always)
  private func position(of key: UnsafeRawBufferPointer) -> Int? {
    let position = slots[Self.slot(of: key, Self.hash(of: key), among: slots, words)].position
    return position < 0 ? nil : Int(position)
  }

  /// Returns the slot that contains the key, or the empty slot at which the linear probing for it ends.
  @inline(__always)
  private static func slot(
    of key: UnsafeRawBufferPointer, _ hash: UInt64, among slots: ContiguousArray<HashSlot>, _ words: ContiguousArray<UInt64>
  ) -> Int {
    let mask = slots.count &- 1
    var at = Int(truncatingIfNeeded: hash) & mask
    while slots[at].position >= 0, !holds(slots[at], key, hash, words) { at = (at &+ 1) & mask }
    return at
  }

  @inline(__always)
  private static func holds(_ slot: HashSlot, _ key: UnsafeRawBufferPointer, _ hash: UInt64, _ words: ContiguousArray<UInt64>) -> Bool {
    guard slot.hash == hash, Int(slot.count) == key.count else { return false }
    var (offset, at) = (0, slot.first)
    while offset < key.count {
      guard words[at] == key.word(at: offset) else { return false }
      offset &+= 8
      at &+= 1
    }
    return true
  }

  /// Hashes a key by multiply-and-fold. Each word is multiplied to 128 bits, and both halves are XORed, so that every bit affects the low
  /// bits that select the slot.
  @inline(__always)
  static func hash(of key: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: key.count)
    var offset = 0
    while offset < key.count {
      let product = (hash ^ key.word(at: offset)).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
      hash = product.high ^ product.low
      offset &+= 8
    }
    return hash
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the eight bytes from an offset as a little-endian number, padded with zeros beyond the buffer's end.
  @inline(__always)
  fileprivate func word(at offset: Int) -> UInt64 {
    let missing = offset &+ 8 &- count
    if missing <= 0 { return UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
    if count >= 8 { return UInt64(littleEndian: loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)) >> UInt64(8 &* missing) }
    var word: UInt64 = 0
    for at in offset..<count { word |= UInt64(self[at]) << UInt64(8 &* (at &- offset)) }
    return word
  }
}
