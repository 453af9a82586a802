// Lossless conversion between integers and doubles, and comparison without rounding.

/// The order of two numbers; the raw value is the sign of their difference.
public enum NumberOrder: Int, Sendable, Hashable {
  case less = -1
  case equal = 0
  case greater = 1
}

extension Double {
  /// The integer with the same value; nil if the number has a fraction or exceeds 64 bits.
  ///
  /// `Int64(exactly:)` of the standard library calls the C library, which this module does not link.
  var wholeInteger: Int64? {
    guard self >= -0x1p63, self < 0x1p63 else { return nil }
    let whole = Int64(self)
    return Double(whole) == self ? whole : nil
  }
}

extension Value {
  /// The largest magnitude, 2⁵³, up to which a double counts as an integer. Above it, doubles skip integers.
  public static let integerInDoubleMax: Int64 = 1 << 53

  /// The value as an integer; nil if it has a fraction, is a double beyond ±2⁵³, or is not a number.
  public var losslessInteger: Int64? {
    switch self {
    case .integer(let value): value
    case .double(let value): value.magnitude <= Double(Self.integerInDoubleMax) ? value.wholeInteger : nil
    default: nil
    }
  }

  /// The value as a double; nil if it is an integer that no double represents exactly, or not a number.
  public var losslessDouble: Double? {
    switch self {
    case .integer(let value): Double(exactly: value)
    case .double(let value): value
    default: nil
    }
  }

  /// Returns the value in the form of a type; nil if it has another type or the conversion would lose precision.
  ///
  /// Only numbers change: `18` becomes `18.0` for a double, and `18.0` becomes `18` for an integer. `2.5` has no form as an integer.
  /// Localized text stays an object. The contents of lists and objects do not change.
  public func coerced(to type: ParameterType) -> Value? {
    switch (type, self) {
    case (.integer, .integer), (.double, .double), (.boolean, .bool), (.string, .string), (.list, .list): self
    case (.object, .object), (.localized, .object): self
    case (.integer, .double): losslessInteger.map(Value.integer)
    case (.double, .integer): losslessDouble.map(Value.double)
    default: nil
    }
  }

  /// Returns the order of two numbers by their exact values, without rounding; nil if one of them is not a number.
  public static func compareNumbers(_ left: Value, _ right: Value) -> NumberOrder? {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): order(left, right)
    case (.double(let left), .double(let right)): left.isNaN || right.isNaN ? nil : order(left, right)
    case (.integer(let left), .double(let right)): compare(left, right)
    case (.double(let left), .integer(let right)): compare(right, left).flatMap { NumberOrder(rawValue: -$0.rawValue) }
    default: nil
    }
  }

  private static func order<NumberResolution: Comparable>(_ left: NumberResolution, _ right: NumberResolution) -> NumberOrder {
    left < right ? .less : left == right ? .equal : .greater
  }

  private static func compare(_ integer: Int64, _ double: Double) -> NumberOrder? {
    if double.isNaN { return nil }
    if double >= 0x1p63 { return .less }
    if double < -0x1p63 { return .greater }
    let whole = Int64(double)
    let order = order(integer, whole)
    return order == .equal ? self.order(0, double - Double(whole)) : order
  }

  /// True if the values are equal when numbers are compared by value, also inside lists and objects. So `1` is worth `1.0`.
  public func isWorth(_ other: Value) -> Bool {
    switch (self, other) {
    case (.integer, .integer), (.integer, .double), (.double, .integer), (.double, .double):
      Value.compareNumbers(self, other) == .equal
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isWorth($1) }
    case (.object(let left), .object(let right)):
      left.count == right.count && left.members.allSatisfy { right[$0.name]?.isWorth($0.value) ?? false }
    default: self == other
    }
  }
}
