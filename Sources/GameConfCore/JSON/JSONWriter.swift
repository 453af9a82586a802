// STUB of the contract; the JSON work replaces this file.

/// Writes JSON: UTF-8, compact, members in their order, doubles always with a point.
public enum JSONWriter {
  /// Appends the value's JSON.
  public static func append(_ value: Value, to bytes: inout [UInt8]) {}

  /// The value's JSON as bytes.
  public static func bytes(_ value: Value) -> [UInt8] { [] }

  /// The value's JSON as text; indented by two spaces when `pretty`.
  public static func text(_ value: Value, pretty: Bool = false) -> String { "" }
}
