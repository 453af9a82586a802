// STUB of the contract; the JSON work replaces this file.

/// Reads JSON (RFC 8259) strictly.
public enum JSONReader {
  /// The value in these bytes.
  /// - Throws: ``JSONError``; nothing after the value but white space is admitted.
  public static func value(from bytes: some Sequence<UInt8>, limits: JSONLimits = JSONLimits()) throws(JSONError) -> Value { .null }
}

/// How much a text may hold.
public struct JSONLimits: Sendable {
  /// How deep lists and objects may nest.
  public var depthMax = 64
  /// How many bytes the whole text may have.
  public var bytesMax = 1 << 20

  /// Depth 64, 1 MiB.
  public init() {}
}

/// Why a text is not admitted.
public struct JSONError: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case empty, syntax, trailingData, tooDeep, tooLarge, duplicateName, loneSurrogate, invalidUTF8, controlCharacter, numberOutOfRange
  }

  /// What is wrong.
  public var code: Code
  /// JSON pointer to the value that is being read.
  public var pointer: String
  /// Bytes from the start.
  public var offset: Int
  /// What is wrong and what would be right.
  public var message: String

  /// An error.
  public init(code: Code, pointer: String, offset: Int, message: String) {
    self.code = code
    self.pointer = pointer
    self.offset = offset
    self.message = message
  }
}
