// Tests lossless conversions between integers and doubles, and comparisons without rounding.

import GameConfCore
import Testing

@Suite("Conversion and comparison of numbers")
struct NumberKindsTests {
  static let edge: Int64 = 1 << 53

  @Test(
    "a double converts to an integer only if it is whole and at most 2⁵³ in magnitude",
    arguments: [
      (Value.double(18), Int64?.some(18)), (.double(-0.0), 0), (.double(2.5), nil), (.double(0x1p53), edge), (.double(-0x1p53), -edge),
      (.double(0x1p53 + 2), nil), (.double(1e300), nil), (.integer(.max), .max), (.string("1"), nil), (.bool(true), nil), (.null, nil),
    ] as [(Value, Int64?)])
  func losslessInteger(value: Value, expected: Int64?) { #expect(value.losslessInteger == expected) }

  @Test(
    "an integer converts to a double only if the double has exactly its value",
    arguments: [
      (Value.integer(18), Double?.some(18)), (.integer(edge), 0x1p53), (.integer(edge + 1), nil), (.integer(edge + 2), 0x1p53 + 2),
      (.integer(.max), nil), (.integer(.min), -0x1p63), (.double(2.5), 2.5), (.string("1"), nil),
    ] as [(Value, Double?)])
  func losslessDouble(value: Value, expected: Double?) { #expect(value.losslessDouble == expected) }

  @Test(
    "a value converts to the type of a parameter without loss, or not at all",
    arguments: [
      (Value.integer(18), ParameterType.double, Value?.some(.double(18))), (.double(18), .integer, .integer(18)),
      (.double(2.5), .integer, nil),
      (.integer(edge + 1), .double, nil), (.bool(true), .integer, nil), (.integer(1), .boolean, nil), (.string("a"), .string, .string("a")),
      (.list([1]), .list, .list([1])), (.list([]), .object, nil), (["en": "a"], .localized, ["en": "a"]), (.string("a"), .localized, nil),
      (.null, .string, nil), (.null, .object, nil),
    ] as [(Value, ParameterType, Value?)])
  func coerced(value: Value, type: ParameterType, expected: Value?) { #expect(value.coerced(to: type) == expected) }

  @Test(
    "an integer and a double are compared by their exact values",
    arguments: [
      (Value.integer(edge + 1), Value.double(0x1p53), NumberOrder.greater), (.integer(.max), .double(0x1p63), .less),
      (.integer(.min), .double(-0x1p63), .equal),
      (.integer(.min), .double(-1e300), .greater), (.integer(.max), .double(1e300), .less), (.integer(3), .double(3.5), .less),
      (.integer(-3), .double(-3.5), .greater), (.integer(0), .double(-0.0), .equal), (.integer(0), .double(.leastNonzeroMagnitude), .less),
      (.integer(2), .integer(10), .less),
      (.double(2.5), .double(2.5), .equal), (.integer(.max), .double(0x1.fffffffffffffp62), .greater),
    ])
  func compared(left: Value, right: Value, expected: NumberOrder) {
    #expect(Value.compareNumbers(left, right) == expected)
    #expect(Value.compareNumbers(right, left) == NumberOrder(rawValue: -expected.rawValue))
  }

  @Test("a number is not comparable to a value of another type", arguments: [Value.string("1"), .bool(true), .null, .list([1])])
  func notCompared(other: Value) {
    #expect(Value.compareNumbers(1, other) == nil)
    #expect(Value.compareNumbers(other, 1.5) == nil)
  }

  @Test(
    "a multiple is determined in decimal: 0.3 is a multiple of 0.1",
    arguments: [
      (Value.double(0.3), Value.double(0.1), true), (.double(2.5), .double(0.1), true), (.double(0.35), .double(0.1), false),
      (.double(1.45), .double(0.05), true),
      (.integer(10), .integer(5), true), (.integer(12), .integer(5), false), (.integer(-10), .integer(5), true),
      (.double(0), .double(0.7), true),
      (.double(1e300), .double(0.1), true), (.double(1e300), .double(3), false), (.double(9e300), .double(3), true),
      (.double(1e-300), .double(0.1), false),
      (.integer(.max), .double(0.5), true), (.integer(.min), .integer(2), true), (.integer(.max), .integer(2), false),
      (.double(7.5), .double(2.5), true),
      (.double(4.35), .double(0.01), true), (.integer(5), .integer(0), false), (.integer(0), .integer(0), true),
      (.string("1"), .integer(1), false),
      (.double(1e22), .integer(7), false), (.double(.leastNonzeroMagnitude), .double(.leastNonzeroMagnitude), true),
    ])
  func multiples(value: Value, step: Value, expected: Bool) { #expect(value.isMultiple(of: step) == expected) }

  @Test("1 equals 1.0 inside lists and objects, and values of different types are not equal")
  func worth() {
    #expect(Value(dictionaryLiteral: ("a", [1, 2.0])).isWorth(["a": [1.0, 2]]))
    #expect(!Value(dictionaryLiteral: ("a", [1])).isWorth(["a": [1, 2]]))
    #expect(!Value.bool(true).isWorth(1))
    #expect(!Value.string("1").isWorth(1))
    #expect(!Value(dictionaryLiteral: ("a", 1)).isWorth(["b": 1]))
  }
}
