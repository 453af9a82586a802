// A value: the one tree that catalogs, templates, overrides, contexts and the wire share.

/// A JSON-shaped value whose numbers keep the kind they were written in.
///
/// `.integer(18)` and `.double(18)` are different values: the first is written `18`, the second `18.0`.
/// Doubles are always finite; NaN and the infinities are refused wherever values come in.
public enum Value: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case list([Value])
  case object(ObjectValue)
}

/// The kinds of ``Value``, in the words of the wire and of error messages.
public enum ValueKind: String, Sendable, Hashable, CaseIterable {
  case null, boolean, integer, double, string, list, object
}

extension Value {
  /// The kind of this value.
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

  /// The boolean, when this is one.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The integer, when this is one; a double is never taken for one.
  public var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }

  /// The string, when this is one.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements, when this is a list.
  public var listValue: [Value]? { if case .list(let value) = self { value } else { nil } }

  /// The members, when this is an object.
  public var objectValue: ObjectValue? { if case .object(let value) = self { value } else { nil } }

  /// Either kind of number as a double; integers beyond 2⁵³ lose their last digits.
  public var numberValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The member of that name, when this is an object that has one.
  public subscript(member: String) -> Value? { objectValue?[member] }
}

extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A double; the literal must be finite.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A list.
  public init(arrayLiteral elements: Value...) { self = .list(elements) }
  /// An object; of equal names the last counts.
  public init(dictionaryLiteral elements: (String, Value)...) { self = .object(ObjectValue(elements)) }
  /// Null.
  public init(nilLiteral: ()) { self = .null }
}

extension ObjectValue: ExpressibleByDictionaryLiteral {
  /// An object; of equal names the last counts.
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}

extension Value {
  /// The boolean that a word of people is: `on`, `yes`, `true` and their opposites in any case; nil for other words.
  public init?(switchWord word: String) {
    switch word.lowercased() {
    case "true", "on", "yes": self = .bool(true)
    case "false", "off", "no": self = .bool(false)
    default: return nil
    }
  }
}
