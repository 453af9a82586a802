// The character classes of regular expressions, which are sets of Unicode scalars.

/// A set of Unicode scalars as sorted, disjoint ranges, with a bit mask of the ASCII characters for a fast lookup.
struct PatternClass: Sendable, Hashable {
  private(set) var ranges: [ClosedRange<UInt32>]
  private let asciiLow: UInt64
  private let asciiHigh: UInt64

  init(_ unsorted: [ClosedRange<UInt32>]) {
    var merged: [ClosedRange<UInt32>] = []
    for range in unsorted.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    var low: UInt64 = 0
    var high: UInt64 = 0
    for range in merged where range.lowerBound < 128 {
      for scalar in range.lowerBound...min(range.upperBound, 127) {
        if scalar < 64 { low |= 1 << UInt64(scalar) } else { high |= 1 << UInt64(scalar - 64) }
      }
    }
    self.ranges = merged
    self.asciiLow = low
    self.asciiHigh = high
  }

  func contains(_ scalar: UInt32) -> Bool {
    if scalar < 64 { return asciiLow >> UInt64(scalar) & 1 == 1 }
    if scalar < 128 { return asciiHigh >> UInt64(scalar - 64) & 1 == 1 }
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= scalar
  }

  var negated: PatternClass {
    var gaps: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { gaps.append(next...(range.lowerBound - 1)) }
      next = range.upperBound + 1
    }
    if next <= 0x10FFFF { gaps.append(next...0x10FFFF) }
    return PatternClass(gaps)
  }

  static let digit = PatternClass([0x30...0x39])
  static let word = PatternClass([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  /// The characters that `\s` matches: those of ECMA-262's productions WhiteSpace and LineTerminator.
  static let space = PatternClass([
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F, 0x205F...0x205F,
    0x3000...0x3000, 0xFEFF...0xFEFF,
  ])
  /// The characters that `.` matches: all except the line terminators.
  static let dot = PatternClass([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]).negated
}
