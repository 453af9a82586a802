// The way in for JSON: what is admitted, how much of it, and what is said when it is not.

/// Reads JSON (RFC 8259) strictly.
///
/// The text is UTF-8 without a byte order mark. A number without fraction and exponent is an integer and must fit 64 bits with sign; any other is a
/// double, rounded to the nearest. Refused besides what the grammar refuses: a name that stands twice in one object (names that Unicode holds equivalent
/// count as the same), half a surrogate pair, and whatever exceeds the limits. ``JSONLimits`` may admit longer integers as doubles.
public enum JSONReader {
  /// The value in these bytes.
  /// - Throws: ``JSONError``; nothing after the value but white space is admitted.
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

  /// The value in these bytes, which are not copied.
  /// - Throws: ``JSONError``; nothing after the value but white space is admitted.
  public static func value(from bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) -> Value {
    try bytes.withUnsafeBytes { result($0, limits) }.get()
  }

  /// The value in this memory, which is not copied and only read during the call.
  /// - Throws: ``JSONError``; nothing after the value but white space is admitted.
  public static func value(from bytes: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits()) throws(JSONError) -> Value {
    var parser = JSONParser(bytes, limits: limits)
    return try parser.document()
  }

  /// The value in this text.
  /// - Throws: ``JSONError``; nothing after the value but white space is admitted.
  public static func value(from text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) -> Value {
    var text = text
    return try text.withUTF8 { result(UnsafeRawBufferPointer($0), limits) }.get()
  }

  private static func result(_ bytes: UnsafeRawBufferPointer, _ limits: JSONLimits) -> Result<Value, JSONError> {
    do throws(JSONError) { return .success(try value(from: bytes, limits: limits)) } catch { return .failure(error) }
  }
}

/// The limits of a text.
public struct JSONLimits: Sendable, Hashable {
  /// The deepest nesting any limits can admit, so that no text exhausts the stack.
  public static let depthCeiling = 256

  /// The greatest depth to which lists and objects may nest; never more than ``depthCeiling`` counts.
  public var depthMax = 64
  /// The most bytes that the whole text may have.
  public var bytesMax = 1 << 20
  /// The integers that are read as doubles if they do not fit 64 bits.
  public var wideIntegers = IntegerOverflowPolicy.refused

  /// Integers that do not fit 64 bits with sign. JavaScript writes its doubles so, up to 10²¹.
  public enum IntegerOverflowPolicy: Sendable, Hashable {
    /// None is read.
    case refused
    /// Those inside members of these names, at any depth, are read as doubles.
    case within([String])
    /// All are read as doubles.
    case admitted
  }

  /// Depth 64, 1 MiB.
  public init() {}

  /// Other limits.
  public init(depthMax: Int, bytesMax: Int) {
    self.depthMax = depthMax
    self.bytesMax = bytesMax
  }
}

/// The reason why a text is not admitted.
public struct JSONError: Error, Sendable, Hashable {
  /// The description of the fault.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case empty, syntax, trailingData, tooDeep, tooLarge, duplicateName, loneSurrogate, invalidUTF8, controlCharacter, numberOutOfRange
  }

  /// The description of the fault.
  public var code: Code
  /// JSON pointer to the value that is being read.
  public var pointer: String
  /// Bytes from the start.
  public var offset: Int
  /// The fault, and the state that would be right.
  public var message: String

  /// An error.
  public init(code: Code, pointer: String, offset: Int, message: String) {
    self.code = code
    self.pointer = pointer
    self.offset = offset
    self.message = message
  }
}

extension JSONError: CustomStringConvertible {
  /// The message with its place.
  public var description: String {
    pointer.isEmpty ? "\(message) (byte \(offset))" : "\(message) (at \(pointer), byte \(offset))"
  }
}
