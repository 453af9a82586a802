// A text that is distinguished by its bytes, as a database does it.

/// A text as a key: two are the same when their UTF-8 is.
///
/// Swift takes texts for equal that only differ in how a letter with an accent is written. A player's id is whatever bytes a game sends, and the
/// store keeps those apart; so must whatever finds players in memory.
///
/// ```swift
/// "\u{E9}" == "e\u{301}"  // true
/// ByteText("\u{E9}") == ByteText("e\u{301}")  // false
/// ```
public struct ByteText: Sendable {
  /// The text.
  public let text: String

  /// A text as a key; costs no more than a reference to it.
  public init(_ text: String) { self.text = text }

  /// True if two texts have the same bytes.
  @inline(__always)
  public static func areSame(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    let fast = left.utf8.withContiguousStorageIfAvailable { left in
      right.utf8.withContiguousStorageIfAvailable { right in
        for at in 0..<left.count where left[at] != right[at] { return false }
        return true
      }
    }
    return fast.flatMap { $0 } ?? left.utf8.elementsEqual(right.utf8)
  }
}

extension ByteText: Hashable {
  /// True if every byte is the same.
  public static func == (left: ByteText, right: ByteText) -> Bool { areSame(left.text, right.text) }

  /// Feeds the bytes, and one that stands in no text.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8.max)
  }
}

extension ByteText: Comparable {
  /// By bytes, as a database orders them.
  public static func < (left: ByteText, right: ByteText) -> Bool { left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }
}

extension Value {
  /// True if this is that text, byte by byte.
  public func isSame(as text: String) -> Bool { stringValue.map { ByteText.areSame($0, text) } ?? false }
}
