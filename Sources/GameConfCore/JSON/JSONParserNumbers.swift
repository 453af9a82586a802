// Parses the numbers of JSON: integers exactly, doubles rounded to the nearest.

extension JSONParser {
  /// The size limit of a number with a fraction or exponent, in bytes. Exact rounding to a double needs fewer digits.
  static let doubleBytesMax = 1024

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Parses the number at the current position.
  ///
  /// If the number that the digits form is at most 2⁵³ and the power of ten at most 10²², one multiplication or division of doubles
  /// computes the number with a single rounding (Clinger's fast path).
  mutating func number() throws(JSONError) -> Value {
    let start = at
    let isNegative = base[at] == UInt8(ascii: "-")
    if isNegative { at += 1 }
    guard let first = digit() else { throw error(.syntax, "A digit should follow the minus sign, not \(shown(at)).") }
    var digits: UInt64 = 0
    var isExact = true
    if first == 0 {
      at += 1
      if digit() != nil { throw error(.syntax, "A number does not begin with a zero that another digit follows.", at: start) }
    } else {
      skipDigits(into: &digits, &isExact)
    }
    guard at < end, base[at] == UInt8(ascii: ".") || base[at] | 0x20 == UInt8(ascii: "e") else {
      return try integer(digits, isNegative, fits: isExact, from: start)
    }
    var fractionDigits = 0
    if base[at] == UInt8(ascii: ".") {
      at += 1
      let fractionAt = at
      if digit() == nil { throw error(.syntax, "A digit should follow the point, not \(shown(at)).") }
      skipDigits(into: &digits, &isExact)
      fractionDigits = at - fractionAt
    }
    let exponent = try exponent()
    try boundDouble(from: start)
    let power = exponent - fractionDigits
    if isExact, digits <= 1 << 53, power.magnitude <= 22 {
      let scale = Self.powersOfTen[Int(power.magnitude)]
      let magnitude = power < 0 ? Double(digits) / scale : Double(digits) * scale
      return .double(isNegative ? -magnitude : magnitude)
    }
    return try double(from: start)
  }

  /// Uses the standard library to convert the number that ends at the current position. The result is the nearest double.
  private func double(from start: Int) throws(JSONError) -> Value {
    let text = String(decoding: UnsafeBufferPointer(start: base + start, count: at - start), as: UTF8.self)
    guard let double = Double(text), double.isFinite else {
      throw error(.numberOutOfRange, "The number is too large for a double, which goes to ±1.7976931348623157e+308.", at: start)
    }
    return .double(double)
  }

  /// Throws if the number is longer than ``doubleBytesMax``.
  private func boundDouble(from start: Int) throws(JSONError) {
    if at - start > Self.doubleBytesMax {
      throw error(.numberOutOfRange, "A number with fraction or exponent may have \(Self.doubleBytesMax) characters, not more.", at: start)
    }
  }

  private func integer(_ digits: UInt64, _ isNegative: Bool, fits: Bool, from start: Int) throws(JSONError) -> Value {
    let magnitudeMax = UInt64(Int64.max) + (isNegative ? 1 : 0)
    guard fits, digits <= magnitudeMax else {
      if admitsWideIntegers {
        try boundDouble(from: start)
        return try double(from: start)
      }
      let admitted = "an integer goes from \(Int64.min) to \(Int64.max), a number with a point or exponent is a double"
      throw error(.numberOutOfRange, "The number does not fit 64 bits: \(admitted).", at: start)
    }
    return .integer(isNegative ? Int64(truncatingIfNeeded: 0 &- digits) : Int64(digits))
  }

  /// Parses the exponent; returns 0 if there is none. The result is clamped to ±1 000 000, far beyond the range of doubles.
  private mutating func exponent() throws(JSONError) -> Int {
    guard at < end, base[at] | 0x20 == UInt8(ascii: "e") else { return 0 }
    at += 1
    var isNegative = false
    if at < end, base[at] == UInt8(ascii: "+") || base[at] == UInt8(ascii: "-") {
      isNegative = base[at] == UInt8(ascii: "-")
      at += 1
    }
    guard digit() != nil else { throw error(.syntax, "A digit is expected in the exponent, not \(shown(at)).") }
    var value = 0
    while let next = digit() {
      value = min(value * 10 + next, 1_000_000)
      at += 1
    }
    return isNegative ? -value : value
  }

  private mutating func skipDigits(into digits: inout UInt64, _ isExact: inout Bool) {
    while let next = digit() {
      let (tens, overflowsByTens) = digits.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = tens.addingReportingOverflow(UInt64(next))
      if overflowsByTens || overflows { isExact = false }
      digits = sum
      at += 1
    }
  }

  @inline(__always)
  private func digit() -> Int? {
    guard at < end else { return nil }
    let value = base[at] &- UInt8(ascii: "0")
    return value < 10 ? Int(value) : nil
  }
}
