// Decodes JSON strictly, within limits, with errors that name the position.

/// A strict decoder of JSON (RFC 8259).
///
/// The text must be UTF-8 without a byte order mark. A number without a fraction and an exponent is an integer and must fit into a signed
/// 64-bit integer; ``JSONLimits`` can allow longer ones as doubles. Any other number is a double, rounded to the nearest.
///
/// The decoder also rejects a repeated member name, a lone surrogate, and any text that exceeds the limits. Names that are canonically
/// equivalent in Unicode count as equal.
public enum JSONReader {
  /// Decodes a sequence of bytes, which is copied first if its storage is not contiguous.
  /// - Throws: ``JSONError``, also if anything but white space follows the value.
  public static func value(from bytes: some Sequence<UInt8>, limits: JSONLimits = JSONLimits()) throws(JSONError) -> Value {
    let direct = bytes.withContiguousStorageIfAvailable { buffer in result(UnsafeRawBufferPointer(buffer), limits) }
    if let direct { return try direct.get() }
    var copy: [UInt8] = []
    copy.reserveCapacity(min(bytes.underestimatedCount, limits.bytesMax))
    for byte in bytes {
      copy.append(byte)
      if copy.count > limits.bytesMax { throw JSONParser.tooLarge(limits) }
    }
    return try copy.withUnsafeBytes { result($0, limits) }.get()
  }

  /// Decodes an array of bytes without copying it.
  /// - Throws: ``JSONError``, also if anything but white space follows the value.
  public static func value(from bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) -> Value {
    try bytes.withUnsafeBytes { result($0, limits) }.get()
  }

  /// Decodes a memory region without copying it. The region is not retained.
  /// - Throws: ``JSONError``, also if anything but white space follows the value.
  public static func value(from bytes: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits()) throws(JSONError) -> Value {
    var parser = JSONParser(bytes, limits: limits)
    return try parser.document()
  }

  /// Decodes the UTF-8 bytes of a text.
  /// - Throws: ``JSONError``, also if anything but white space follows the value.
  public static func value(from text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) -> Value {
    var text = text
    return try text.withUTF8 { result(UnsafeRawBufferPointer($0), limits) }.get()
  }

  private static func result(_ bytes: UnsafeRawBufferPointer, _ limits: JSONLimits) -> Result<Value, JSONError> {
    do throws(JSONError) { return .success(try value(from: bytes, limits: limits)) } catch { return .failure(error) }
  }
}

/// The limits that a JSON text must respect.
public struct JSONLimits: Sendable, Hashable {
  /// The upper limit of ``depthMax``. The parser is recursive, so this protects the stack.
  public static let depthCeiling = 256

  /// The deepest allowed nesting of lists and objects. Values above ``depthCeiling`` have the same effect as ``depthCeiling``.
  public var depthMax = 64
  /// The largest size of the text in bytes.
  public var bytesMax = 1 << 20
  /// The treatment of integers that do not fit into a signed 64-bit integer.
  public var wideIntegers = IntegerOverflowPolicy.refused

  /// The treatment of integers that do not fit into a signed 64-bit integer. JavaScript writes doubles up to 10²¹ in this form.
  public enum IntegerOverflowPolicy: Sendable, Hashable {
    /// An integer beyond 64 bits is an error.
    case refused
    /// An integer beyond 64 bits is parsed as a double if it is inside a member with one of these names, at any depth. Elsewhere it is an
    /// error.
    case within([String])
    /// An integer beyond 64 bits is parsed as a double.
    case admitted
  }

  /// Creates the default limits: depth 64 and 1 MiB.
  public init() {}

  /// Creates limits that reject integers beyond 64 bits.
  public init(depthMax: Int, bytesMax: Int) {
    self.depthMax = depthMax
    self.bytesMax = bytesMax
  }
}

/// The error for a text that is not valid JSON or exceeds a limit.
public struct JSONError: Error, Sendable, Hashable {
  /// The reasons for which a text is rejected.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case empty, syntax, trailingData, tooDeep, tooLarge, duplicateName, loneSurrogate, invalidUTF8, controlCharacter, numberOutOfRange
  }

  /// The reason, for callers that distinguish an exceeded limit from malformed text.
  public var code: Code
  /// A JSON pointer to the value that was being parsed.
  public var pointer: String
  /// The byte offset from the start of the text.
  public var offset: Int
  /// A sentence that names the error and the valid form.
  public var message: String

  /// Creates an error at a byte offset from the start of the text.
  public init(code: Code, pointer: String, offset: Int, message: String) {
    self.code = code
    self.pointer = pointer
    self.offset = offset
    self.message = message
  }
}

extension JSONError: CustomStringConvertible {
  /// The message with its pointer and byte offset.
  public var description: String {
    pointer.isEmpty ? "\(message) (byte \(offset))" : "\(message) (at \(pointer), byte \(offset))"
  }
}
