// The value type that catalogs, templates, overrides, contexts and the API share.

/// A JSON value that distinguishes integers from doubles.
///
/// `.integer(18)` and `.double(18)` are different values: the first is written `18`, the second `18.0`. Doubles are always finite; NaN and
/// infinities are rejected when values are parsed.
public enum Value: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case list([Value])
  case object(ObjectValue)
}

/// The kinds of ``Value``, as the API and error messages name them.
public enum ValueKind: String, Sendable, Hashable, CaseIterable {
  case null, boolean, integer, double, string, list, object
}

extension Value {
  /// The JSON type; numbers are integers or doubles.
  public var kind: ValueKind {
    switch self {
    case .null: .null
    case .bool: .boolean
    case .integer: .integer
    case .double: .double
    case .string: .string
    case .list: .list
    case .object: .object
    }
  }

  /// The boolean; nil for any other kind.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The integer; nil for any other kind, also for a double.
  public var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }

  /// The string; nil for any other kind.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements; nil for any other kind than a list.
  public var listValue: [Value]? { if case .list(let value) = self { value } else { nil } }

  /// The members; nil for any other kind than an object.
  public var objectValue: ObjectValue? { if case .object(let value) = self { value } else { nil } }

  /// The number as a double; nil for any other kind. Integers beyond 2⁵³ are rounded.
  public var numberValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The value of an object's member; nil if there is none or the value is not an object.
  public subscript(member: String) -> Value? { objectValue?[member] }
}

extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// Allows `true` for `.bool(true)` in sources.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Allows `1` for `.integer(1)` in sources.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a double from a literal, which must be finite.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Allows `"text"` for `.string("text")` in sources.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Allows `[1, 2]` for a `.list` in sources.
  public init(arrayLiteral elements: Value...) { self = .list(elements) }
  /// Creates an object from a dictionary literal. If a name occurs twice, the last value is used.
  public init(dictionaryLiteral elements: (String, Value)...) { self = .object(ObjectValue(elements)) }
  /// Allows `nil` for `.null` in sources.
  public init(nilLiteral: ()) { self = .null }
}

extension ObjectValue: ExpressibleByDictionaryLiteral {
  /// Creates an object from a dictionary literal. If a name occurs twice, the last value is used.
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}

extension Value {
  /// Parses the words that people use for switches: `on`, `yes`, `true`, `off`, `no` and `false`, in any case. Returns nil for other words.
  public init?(switchWord word: String) {
    switch word.lowercased() {
    case "true", "on", "yes": self = .bool(true)
    case "false", "off", "no": self = .bool(false)
    default: return nil
    }
  }
}
