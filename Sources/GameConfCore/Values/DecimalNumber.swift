// Decimal arithmetic, in which 0.3 is a multiple of 0.1.

/// A number in decimal: digits × 10^exponent. The digits have no trailing zeros.
///
/// A double is converted by its shortest decimal text that reads back as the same number. This is the number that the author of a catalog
/// wrote.
public struct DecimalNumber: Sendable, Hashable {
  /// True if the number is below zero; false for -0.0.
  public let isNegative: Bool
  /// The decimal digits as an integer; 0 only for zero.
  public let digits: UInt64
  /// The power of ten that the digits are multiplied by.
  public let exponent: Int

  /// Converts a value; returns nil if it is not a finite number.
  public init?(_ value: Value) {
    switch value {
    case .integer(let integer): self.init(isNegative: integer < 0, digits: integer.magnitude, exponent: 0)
    case .double(let double):
      guard double.isFinite else { return nil }
      self.init(reading: double.magnitude.description, isNegative: double < 0)
    default: return nil
    }
  }

  /// True if the number is an integer multiple of a step. Only zero is a multiple of zero.
  public func isMultiple(of step: DecimalNumber) -> Bool {
    if digits == 0 { return true }
    if step.digits == 0 || exponent < step.exponent { return false }
    var rest = digits % step.digits
    for _ in 0..<(exponent - step.exponent) {
      if rest == 0 { return true }
      let product = rest.multipliedFullWidth(by: 10)
      rest = step.digits.dividingFullWidth(product).remainder
    }
    return rest == 0
  }

  private init(isNegative: Bool, digits: UInt64, exponent: Int) {
    var digits = digits
    var exponent = digits == 0 ? 0 : exponent
    while digits != 0, digits.isMultiple(of: 10) {
      digits /= 10
      exponent += 1
    }
    self.isNegative = isNegative
    self.digits = digits
    self.exponent = exponent
  }

  private init(reading text: String, isNegative: Bool) {
    var digits: UInt64 = 0
    var exponent = 0
    var pastPoint = false
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: ".") {
        pastPoint = true
      } else if byte == UInt8(ascii: "e") {
        exponent += Int(String(decoding: rest, as: UTF8.self)) ?? 0
        break
      } else {
        digits = digits &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
        if pastPoint { exponent -= 1 }
      }
    }
    self.init(isNegative: isNegative, digits: digits, exponent: exponent)
  }
}

extension Value {
  /// True if the value is an integer multiple of a step, in decimal arithmetic. False if one of the two is not a number.
  public func isMultiple(of step: Value) -> Bool {
    guard let number = DecimalNumber(self), let step = DecimalNumber(step) else { return false }
    return number.isMultiple(of: step)
  }
}
