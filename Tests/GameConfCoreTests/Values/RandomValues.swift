// Random values that are the same at every run.

import GameConfCore
import TestSupport

extension Value {
  /// The random number generator that each property test creates from its seed.
  static func generator(seed: UInt64) -> SeededGenerator { SeededGenerator(seed: seed) }

  /// Returns a random value of at most this depth.
  static func random(depth: Int, using generator: inout SeededGenerator) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .integer(Int64(bitPattern: generator.next()))
    case 3: return .integer(Int64.random(in: -100...100, using: &generator))
    case 4: return .double(randomDouble(using: &generator))
    case 5: return .double(Double(Int64.random(in: -1000...1000, using: &generator)) / 8)
    case 6: return .string(randomString(using: &generator))
    case 7: return .list((0..<Int.random(in: 0...5, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) })
    default:
      var object = ObjectValue()
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        object[randomString(using: &generator)] = random(depth: depth - 1, using: &generator)
      }
      return .object(object)
    }
  }

  private static func randomDouble(using generator: inout SeededGenerator) -> Double {
    while true {
      let double = Double(bitPattern: generator.next())
      if double.isFinite { return double }
    }
  }

  static func randomString(using generator: inout SeededGenerator) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...20, using: &generator) {
      let bound: UInt32 = [0x20, 0x80, 0x80, 0x80, 0x800, 0x1_0000, 0x11_0000].randomElement(using: &generator) ?? 0x80
      if let scalar = Unicode.Scalar(UInt32.random(in: 0..<bound, using: &generator)) { text.append(scalar) }
    }
    return String(text)
  }
}
