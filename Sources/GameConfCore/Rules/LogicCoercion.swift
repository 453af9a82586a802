// Converts and compares values in JsonLogic expressions by JavaScript's rules, as flagd's own evaluator does.

/// A number during the evaluation of an expression. Operations on two integers are exact. For any other pair, both are converted to
/// doubles.
enum LogicNumber: Sendable {
  case integer(Int64)
  case double(Double)

  static let notANumber = LogicNumber.double(.nan)

  @inline(__always)
  var double: Double {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    }
  }

  @inline(__always)
  var value: Value {
    switch self {
    case .integer(let number): .integer(number)
    case .double(let number): .double(number)
    }
  }
}

/// The order of two values. It is unordered if they are compared as numbers and one of them is NaN.
enum LogicOrder: Sendable {
  case less, equal, greater, unordered

  @inline(__always) var isAtLeast: Bool { self == .greater || self == .equal }
  @inline(__always) var isAtMost: Bool { self == .less || self == .equal }
}

enum LogicCoercion {
  /// True unless the value is null, false, 0, NaN, an empty text or an empty list (JsonLogic's rules).
  @inline(__always)
  static func isTruthy(_ value: Value) -> Bool {
    switch value {
    case .null: false
    case .bool(let flag): flag
    case .integer(let number): number != 0
    case .double(let number): number != 0 && !number.isNaN
    case .string(let text): !text.isEmpty
    case .list(let elements): !elements.isEmpty
    case .object: true
    }
  }

  /// Converts a value to a number by JavaScript's rules; NaN if the value cannot be converted.
  static func number(_ value: Value, _ run: inout LogicEvaluator) -> LogicNumber {
    switch value {
    case .integer(let number): return .integer(number)
    case .double(let number): return .double(number)
    case .bool(let flag): return .integer(flag ? 1 : 0)
    case .null: return .integer(0)
    case .string(let text): return LogicText.parsedNumber(text, &run)
    case .object: return .notANumber
    case .list(let elements):
      guard run.spend(), elements.count <= 1 else { return .notANumber }
      return elements.first.map { number($0, &run) } ?? .integer(0)
    }
  }

  @inline(__always)
  static func order(_ left: LogicNumber, _ right: LogicNumber) -> LogicOrder {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right ? .less : left == right ? .equal : .greater
    case (.double(let left), .double(let right)): left < right ? .less : left == right ? .equal : left > right ? .greater : .unordered
    case (.integer(let left), .double(let right)): order(left, right)
    case (.double(let left), .integer(let right)):
      switch order(right, left) {
      case .less: .greater
      case .greater: .less
      case let same: same
      }
    }
  }

  /// Compares an integer with a double exactly. Converting the integer to a double could round it.
  private static func order(_ left: Int64, _ right: Double) -> LogicOrder {
    if right.isNaN { return .unordered }
    if right >= 0x1p63 { return .less }
    if right < -0x1p63 { return .greater }
    let whole = right.rounded(.towardZero)
    let other = Int64(whole)
    if left != other { return left < other ? .less : .greater }
    return right == whole ? .equal : right > whole ? .less : .greater
  }

  /// Orders two values. They are compared as numbers if one of them is a number or a boolean, else as texts if one is a text, else as
  /// numbers.
  static func order(_ left: Value, _ right: Value, _ run: inout LogicEvaluator) -> LogicOrder {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): return left < right ? .less : left == right ? .equal : .greater
    case (.integer, _), (.double, _), (.bool, _), (_, .integer), (_, .double), (_, .bool):
      return order(number(left, &run), number(right, &run))
    case (.string(let left), .string(let right)): return LogicText.order(left, right, &run)
    case (.string, _), (_, .string):
      guard let left = LogicText.of(left, &run), let right = LogicText.of(right, &run) else { return .unordered }
      return LogicText.order(left, right, &run)
    default: return order(number(left, &run), number(right, &run))
    }
  }

  /// Implements JavaScript's `==`, except that null equals only null. Two lists or two objects are equal only if both operands read the
  /// same variable (`areSame`).
  static func looselyEqual(_ left: Value, _ right: Value, areSame: Bool, _ run: inout LogicEvaluator) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): return ByteText.areSame(left, right)
    case (.null, .null): return true
    case (.null, _), (_, .null): return false
    case (.list, .list), (.object, .object): return areSame
    case (.list, .object), (.object, .list): return false
    case (.bool(let left), .bool(let right)): return left == right
    case (.integer, _), (.double, _), (.bool, _), (_, .integer), (_, .double), (_, .bool):
      return order(number(left, &run), number(right, &run)) == .equal
    case (.string, _), (_, .string):
      guard let left = LogicText.of(left, &run), let right = LogicText.of(right, &run) else { return false }
      return ByteText.areSame(left, right)
    }
  }

  /// Implements `===` and membership in a list. Two values are identical if their types and contents are equal; 1 and 1.0 are the same
  /// number.
  static func identical(_ left: Value, _ right: Value, _ run: inout LogicEvaluator) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): return ByteText.areSame(left, right)
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.integer(let left), .integer(let right)): return left == right
    case (.double(let left), .double(let right)): return left == right
    case (.integer(let left), .double(let right)), (.double(let right), .integer(let left)):
      return order(.integer(left), .double(right)) == .equal
    case (.list(let left), .list(let right)):
      guard left.count == right.count else { return false }
      for at in left.indices {
        guard run.spend(), identical(left[at], right[at], &run) else { return false }
      }
      return true
    case (.object(let left), .object(let right)):
      guard left.count == right.count else { return false }
      for member in left.members {
        guard run.spend(), let other = right[member.name], identical(member.value, other, &run) else { return false }
      }
      return true
    default: return false
    }
  }
}
