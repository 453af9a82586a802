// JSON put together piece by piece, where a tree of values made first would only be thrown away.

/// JSON in the making: compact, UTF-8, with commas where they belong.
///
/// The pieces come in the order of the text. Whoever puts them together sees to it that every `begin` has its `end` and that only members of
/// objects have names.
public struct JSONPieces: Sendable {
  /// The text so far.
  public private(set) var bytes: [UInt8] = []

  /// Nothing yet.
  /// - Parameter reserved: about how many bytes it will be.
  public init(reserving reserved: Int = 0) { bytes.reserveCapacity(reserved) }

  /// Puts a comma before what comes next, unless that is the first. A string's last byte is its quote, so no string is taken for a bracket.
  @inline(__always)
  private mutating func separate() {
    switch bytes.last {
    case nil, UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ":"): break
    default: bytes.append(UInt8(ascii: ","))
    }
  }

  /// Begins an object.
  public mutating func beginObject() {
    separate()
    bytes.append(UInt8(ascii: "{"))
  }

  /// Ends an object.
  public mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

  /// Begins a list.
  public mutating func beginList() {
    separate()
    bytes.append(UInt8(ascii: "["))
  }

  /// Ends a list.
  public mutating func endList() { bytes.append(UInt8(ascii: "]")) }

  /// The name of the member that comes next.
  public mutating func name(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
  }

  /// The name of the member that comes next, without anything that must be escaped.
  public mutating func name(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    JSONWriter.appendText(name, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  /// A string.
  public mutating func string(_ text: String) {
    separate()
    JSONWriter.appendString(text, to: &bytes)
  }

  /// An integer.
  public mutating func integer(_ integer: Int64) {
    separate()
    JSONWriter.appendInteger(integer, to: &bytes)
  }

  /// True or false.
  public mutating func bool(_ flag: Bool) {
    separate()
    JSONWriter.appendText(flag ? "true" : "false", to: &bytes)
  }

  /// Null.
  public mutating func null() {
    separate()
    JSONWriter.appendText("null", to: &bytes)
  }

  /// Any value.
  public mutating func value(_ value: Value) {
    separate()
    JSONWriter.append(value, to: &bytes)
  }

  /// A value whose JSON is there already.
  public mutating func json(_ text: [UInt8]) {
    separate()
    bytes.append(contentsOf: text)
  }
}
