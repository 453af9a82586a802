// Integers and doubles side by side: conversions that lose nothing, and comparison that rounds nothing.

/// The order of one number to another.
public enum NumberOrder: Int, Sendable, Hashable {
  case less = -1
  case equal = 0
  case greater = 1
}

extension Double {
  /// The 64-bit integer this is exactly, or nil when it has a fraction or is too great.
  ///
  /// Written out because the standard library's own conversion calls the C library, which this module does not link.
  var wholeInteger: Int64? {
    guard self >= -0x1p63, self < 0x1p63 else { return nil }
    let whole = Int64(self)
    return Double(whole) == self ? whole : nil
  }
}

extension Value {
  /// The greatest integer up to which a double is taken for the integer it shows: 2⁵³.
  public static let integerInDoubleMax: Int64 = 1 << 53

  /// The integer this number is, or nil when it has a fraction, is a double beyond ±2⁵³, or is no number.
  public var losslessInteger: Int64? {
    switch self {
    case .integer(let value): value
    case .double(let value): value.magnitude <= Double(Self.integerInDoubleMax) ? value.wholeInteger : nil
    default: nil
    }
  }

  /// The double this number is, or nil when it is an integer that no double shows exactly, or no number.
  public var losslessDouble: Double? {
    switch self {
    case .integer(let value): Double(exactly: value)
    case .double(let value): value
    default: nil
    }
  }

  /// This value in the form the type demands, or nil when it is not of that type or would lose something.
  ///
  /// Only numbers change: `18` becomes `18.0` as a double, `18.0` becomes `18` as an integer, `2.5` is no integer.
  /// Text by locale stays an object; what is inside lists and objects stays as it was written.
  public func coerced(to type: ParameterType) -> Value? {
    switch (type, self) {
    case (.integer, .integer), (.double, .double), (.boolean, .bool), (.string, .string), (.list, .list): self
    case (.object, .object), (.localized, .object): self
    case (.integer, .double): losslessInteger.map(Value.integer)
    case (.double, .integer): losslessDouble.map(Value.double)
    default: nil
    }
  }

  /// The order of the left number to the right one, by what they are worth, without rounding either; nil when one is no number.
  public static func compareNumbers(_ left: Value, _ right: Value) -> NumberOrder? {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): order(left, right)
    case (.double(let left), .double(let right)): left.isNaN || right.isNaN ? nil : order(left, right)
    case (.integer(let left), .double(let right)): compare(left, right)
    case (.double(let left), .integer(let right)): compare(right, left).flatMap { NumberOrder(rawValue: -$0.rawValue) }
    default: nil
    }
  }

  private static func order<Number: Comparable>(_ left: Number, _ right: Number) -> NumberOrder {
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

  /// True if both are worth the same: `1` and `1.0` are, also inside lists and objects.
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
