// A text that is compared by its bytes, as the database does.

/// A text as a dictionary key, equal to another one if their UTF-8 bytes are equal.
///
/// Swift's `String` also considers texts equal that encode an accented letter differently. A player's id may have any bytes, and the
/// database distinguishes them, so lookups in memory must do the same.
///
/// ```swift
/// "\u{E9}" == "e\u{301}"  // true
/// ByteText("\u{E9}") == ByteText("e\u{301}")  // false
/// ```
public struct ByteText: Sendable {
  /// The text with its bytes unchanged.
  public let text: String

  /// Wraps a text; this copies only a reference.
  public init(_ text: String) { self.text = text }

  /// True if both texts have the same bytes.
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
  /// True if both texts have the same bytes.
  public static func == (left: ByteText, right: ByteText) -> Bool { areSame(left.text, right.text) }

  /// Hashes the bytes and a terminator that is not valid in UTF-8, so that adjacent texts cannot run together.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8.max)
  }
}

extension ByteText: Comparable {
  /// Orders texts by bytes, as the database does.
  public static func < (left: ByteText, right: ByteText) -> Bool { left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }
}

extension Value {
  /// True if the value is a text with the same bytes.
  public func isSame(as text: String) -> Bool { stringValue.map { ByteText.areSame($0, text) } ?? false }
}
