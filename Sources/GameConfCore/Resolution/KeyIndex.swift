// Finds where a key stands: an index over keys that come from catalogs, made once and never changed.

/// The positions of keys, found by their bytes.
///
/// Who asks for keys cannot add any, so the hash needs no secret seed; that is what makes it faster than a dictionary.
struct KeyIndex: Sendable {
  private struct Slot {
    var hash: UInt64 = 0
    var start: UInt32 = 0
    var count: UInt32 = 0
    /// −1 in a free slot.
    var position: Int32 = -1
  }

  private let slots: [Slot]
  private let bytes: [UInt8]

  /// An index of these keys by their place in the list; of equal keys the last counts.
  init(_ keys: some Collection<String>) {
    var capacity = 8
    while capacity < keys.count * 2 { capacity *= 2 }
    var slots = [Slot](repeating: Slot(), count: capacity)
    var bytes: [UInt8] = []
    for (position, key) in keys.enumerated() {
      let utf8 = Array(key.utf8)
      var slot = Slot(
        hash: utf8.withUnsafeBytes { Self.hash($0) }, start: UInt32(bytes.count), count: UInt32(utf8.count), position: Int32(position))
      var at = Int(truncatingIfNeeded: slot.hash) & (capacity - 1)
      while slots[at].position >= 0 {
        if slots[at].hash == slot.hash, bytes[Int(slots[at].start)..<Int(slots[at].start + slots[at].count)].elementsEqual(utf8) {
          slot.start = slots[at].start
          break
        }
        at = (at + 1) & (capacity - 1)
      }
      slots[at] = slot
      if slot.start == UInt32(bytes.count) { bytes += utf8 }
    }
    self.slots = slots
    self.bytes = bytes
  }

  /// Where the key stands; nil when it is not among them.
  @inline(__always)
  func position(of key: String) -> Int? {
    let utf8 = key.utf8
    if let found = utf8.withContiguousStorageIfAvailable({ position(of: UnsafeRawBufferPointer($0)) }) { return found }
    return Array(utf8).withUnsafeBytes { position(of: $0) }
  }

  @inline(__always)
  private func position(of key: UnsafeRawBufferPointer) -> Int? {
    let hash = Self.hash(key)
    return slots.withUnsafeBufferPointer { slots in
      let mask = slots.count &- 1
      var at = Int(truncatingIfNeeded: hash) & mask
      while slots[at].position >= 0 {
        if slots[at].hash == hash, Int(slots[at].count) == key.count {
          let start = Int(slots[at].start)
          let isEqual = bytes.withUnsafeBytes { Self.isEqual(key, UnsafeRawBufferPointer(rebasing: $0[start..<(start &+ key.count)])) }
          if isEqual { return Int(slots[at].position) }
        }
        at = (at &+ 1) & mask
      }
      return nil
    }
  }

  /// Eight bytes at a time, each folded by a wide multiplication; the last eight may overlap those before them.
  @inline(__always)
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    var hash = 0x9e37_79b9_7f4a_7c15 ^ UInt64(truncatingIfNeeded: count)
    var last: UInt64 = 0
    if count >= 8 {
      var at = 0
      while at &+ 8 < count {
        hash = folded(hash ^ bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self), 0xa076_1d64_78bd_642f)
        at &+= 8
      }
      last = bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    } else {
      for byte in bytes { last = last << 8 | UInt64(byte) }
    }
    return folded(hash ^ last, 0xe703_7ed1_a0b4_28db)
  }

  @inline(__always)
  private static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  /// Whether both, of the same length, hold the same.
  @inline(__always)
  private static func isEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    let count = one.count
    if count < 8 { return one.elementsEqual(other) }
    var at = 0
    while at &+ 8 < count {
      if one.loadUnaligned(fromByteOffset: at, as: UInt64.self) != other.loadUnaligned(fromByteOffset: at, as: UInt64.self) { return false }
      at &+= 8
    }
    let last = count &- 8
    return one.loadUnaligned(fromByteOffset: last, as: UInt64.self) == other.loadUnaligned(fromByteOffset: last, as: UInt64.self)
  }
}
