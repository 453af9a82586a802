// Finds a key by its bytes: what every read of a value begins with.

/// The position of each key of a game, by open addressing over the keys' UTF-8, eight bytes at a time.
///
/// A dictionary hashes so that nobody can fill it with keys that collide, which costs more than all the rest of a read. These keys are a
/// catalog's own, and asking for one adds none. Keys are distinguished by their bytes.
final class KeyIndex: Sendable {
  private struct Slot {
    var hash: UInt64 = 0
    /// The key's position; -1 in an empty slot.
    var position: Int32 = -1
    /// The number of bytes that the key has, and where its words begin.
    var count: Int32 = 0
    var first = 0
  }

  /// A power of two of them, at least half of them empty.
  private let slots: ContiguousArray<Slot>
  /// The bytes of all keys; each key begins a word of its own.
  private let words: ContiguousArray<UInt64>

  /// An index of these keys; of equal ones the last counts.
  init(_ keys: [String]) {
    var slotCount = 2
    while slotCount < 2 * keys.count { slotCount *= 2 }
    var slots = ContiguousArray(repeating: Slot(), count: slotCount)
    var words: ContiguousArray<UInt64> = []
    for (position, key) in keys.enumerated() {
      ContiguousArray(key.utf8).withUnsafeBytes { bytes in
        let hash = Self.hash(of: bytes)
        let at = Self.slot(of: bytes, hash, among: slots, words)
        if slots[at].position < 0 {
          slots[at] = Slot(hash: hash, count: Int32(bytes.count), first: words.count)
          for offset in stride(from: 0, to: bytes.count, by: 8) { words.append(bytes.word(at: offset)) }
        }
        slots[at].position = Int32(position)
      }
    }
    self.slots = slots
    self.words = words
  }

  /// The position of that key; nil when it is none of them.
  func position(of key: String) -> Int? {
    if let position = key.utf8.withContiguousStorageIfAvailable({ position(of: UnsafeRawBufferPointer($0)) }) { return position }
    return ContiguousArray(key.utf8).withUnsafeBytes { position(of: $0) }
  }

  /// The number of slots beyond its own the farthest key is.
  var stepsMax: Int {
    slots.indices.filter { slots[$0].position >= 0 }.map { ($0 &- Int(truncatingIfNeeded: slots[$0].hash)) & (slots.count - 1) }.max() ?? 0
  }

  @inline(__always)
  private func position(of key: UnsafeRawBufferPointer) -> Int? {
    let position = slots[Self.slot(of: key, Self.hash(of: key), among: slots, words)].position
    return position < 0 ? nil : Int(position)
  }

  /// The slot that holds the key, else the empty one where it would stand.
  @inline(__always)
  private static func slot(
    of key: UnsafeRawBufferPointer, _ hash: UInt64, among slots: ContiguousArray<Slot>, _ words: ContiguousArray<UInt64>
  ) -> Int {
    let mask = slots.count &- 1
    var at = Int(truncatingIfNeeded: hash) & mask
    while slots[at].position >= 0, !holds(slots[at], key, hash, words) { at = (at &+ 1) & mask }
    return at
  }

  @inline(__always)
  private static func holds(_ slot: Slot, _ key: UnsafeRawBufferPointer, _ hash: UInt64, _ words: ContiguousArray<UInt64>) -> Bool {
    guard slot.hash == hash, Int(slot.count) == key.count else { return false }
    var (offset, at) = (0, slot.first)
    while offset < key.count {
      guard words[at] == key.word(at: offset) else { return false }
      offset &+= 8
      at &+= 1
    }
    return true
  }

  /// Each word is multiplied to twice its width and folded, so that every bit of it reaches the low ones that choose the slot.
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
  /// The eight bytes from an offset on as one number, the first the lowest; zeros stand for those behind the end.
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
