// Compares semantic versions (semver.org 2.0.0) in place, without allocating memory for their parts.

/// The relations between two versions that the operator `sem_ver` supports.
public enum VersionRelation: String, Sendable, Hashable, CaseIterable {
  case equal = "="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case sameMajor = "^"
  case sameMinor = "~"
}

/// Compares semantic versions. A leading `v` is ignored, missing parts count as 0 (`1.2-beta` is `1.2.0-beta`), and build metadata is
/// ignored.
public enum SemanticVersion {
  /// Compares two versions. Returns nil if one of them is not a valid version.
  public static func holds(_ left: String, _ relation: VersionRelation, _ right: String) -> Bool? {
    let fast = left.utf8.withContiguousStorageIfAvailable { left in
      right.utf8.withContiguousStorageIfAvailable { right in holds(left, relation, right) }
    }
    if let held = fast.flatMap({ $0 }) { return held }
    return Array(left.utf8).withUnsafeBufferPointer { left in
      Array(right.utf8).withUnsafeBufferPointer { right in holds(left, relation, right) }
    }
  }

  /// True if the text is a version that ``holds(_:_:_:)`` accepts, with a leading `v` or without.
  public static func isValid(_ text: String) -> Bool { holds(text, .equal, text) != nil }

  private static func holds(_ left: UnsafeBufferPointer<UInt8>, _ relation: VersionRelation, _ right: UnsafeBufferPointer<UInt8>) -> Bool? {
    guard let left = VersionParts(left), let right = VersionParts(right) else { return nil }
    let major = compare(left.bytes, left.major, right.bytes, right.major)
    if relation == .sameMajor { return major == 0 }
    let minor = major != 0 ? major : compare(left.bytes, left.minor, right.bytes, right.minor)
    if relation == .sameMinor { return minor == 0 }
    let patch = minor != 0 ? minor : compare(left.bytes, left.patch, right.bytes, right.patch)
    let order = patch != 0 ? patch : comparePrereleases(left, right)
    switch relation {
    case .equal: return order == 0
    case .notEqual: return order != 0
    case .less: return order < 0
    case .lessOrEqual: return order <= 0
    case .greater: return order > 0
    default: return order >= 0
    }
  }

  /// The ranges of a version's parts in its bytes. An empty range is a missing number, which counts as 0, or a missing pre-release.
  private struct VersionParts {
    let bytes: UnsafeBufferPointer<UInt8>
    var major = 0..<0
    var minor = 0..<0
    var patch = 0..<0
    var prerelease = 0..<0

    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
      self.bytes = bytes
      var at = 0
      if at < bytes.count, bytes[at] == UInt8(ascii: "v") || bytes[at] == UInt8(ascii: "V") { at += 1 }
      guard let major = Self.number(bytes, &at) else { return nil }
      self.major = major
      if Self.take(".", bytes, &at) {
        guard let minor = Self.number(bytes, &at) else { return nil }
        self.minor = minor
        if Self.take(".", bytes, &at) {
          guard let patch = Self.number(bytes, &at) else { return nil }
          self.patch = patch
        }
      }
      if Self.take("-", bytes, &at) {
        guard let prerelease = Self.identifiers(bytes, &at, admitsLeadingZeros: false) else { return nil }
        self.prerelease = prerelease
      }
      if Self.take("+", bytes, &at), Self.identifiers(bytes, &at, admitsLeadingZeros: true) == nil { return nil }
      guard at == bytes.count else { return nil }
    }

    private static func take(_ scalar: Unicode.Scalar, _ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Bool {
      guard at < bytes.count, bytes[at] == UInt8(ascii: scalar) else { return false }
      at += 1
      return true
    }

    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Range<Int>? {
      let start = at
      while at < bytes.count, isDigit(bytes[at]) { at += 1 }
      guard at > start, at == start + 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
      return start..<at
    }

    /// Parses the dot-separated identifiers of a pre-release or of build metadata: letters, digits and hyphens.
    private static func identifiers(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int, admitsLeadingZeros: Bool) -> Range<Int>? {
      let start = at
      repeat {
        let begin = at
        var isNumeric = true
        while at < bytes.count, isDigit(bytes[at]) || isLetter(bytes[at]) {
          isNumeric = isNumeric && isDigit(bytes[at])
          at += 1
        }
        guard at > begin else { return nil }
        if !admitsLeadingZeros, isNumeric, at > begin + 1, bytes[begin] == UInt8(ascii: "0") { return nil }
      } while take(".", bytes, &at)
      return start..<at
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }
  private static func isLetter(_ byte: UInt8) -> Bool { (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122) || byte == 45 }

  /// Compares two decimal numbers of any length. They have no leading zeros, so the number with more digits is greater.
  private static func compare(
    _ left: UnsafeBufferPointer<UInt8>, _ leftRange: Range<Int>, _ right: UnsafeBufferPointer<UInt8>, _ rightRange: Range<Int>
  ) -> Int {
    func isZero(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
      range.isEmpty || (range.count == 1 && bytes[range.lowerBound] == 48)
    }
    if isZero(left, leftRange) || isZero(right, rightRange) {
      return (isZero(left, leftRange) ? 0 : 1) - (isZero(right, rightRange) ? 0 : 1)
    }
    if leftRange.count != rightRange.count { return leftRange.count - rightRange.count }
    return compareBytes(left, leftRange, right, rightRange)
  }

  private static func compareBytes(
    _ left: UnsafeBufferPointer<UInt8>, _ leftRange: Range<Int>, _ right: UnsafeBufferPointer<UInt8>, _ rightRange: Range<Int>
  ) -> Int {
    for offset in 0..<min(leftRange.count, rightRange.count) {
      let (one, other) = (left[leftRange.lowerBound + offset], right[rightRange.lowerBound + offset])
      if one != other { return Int(one) - Int(other) }
    }
    return leftRange.count - rightRange.count
  }

  /// Compares the pre-releases of two versions by the rules of semver.org. A version without a pre-release is greater. A numeric identifier
  /// is less than any other identifier. If one pre-release continues the other one, the longer one is greater.
  private static func comparePrereleases(_ left: VersionParts, _ right: VersionParts) -> Int {
    if left.prerelease.isEmpty || right.prerelease.isEmpty {
      return (left.prerelease.isEmpty ? 1 : 0) - (right.prerelease.isEmpty ? 1 : 0)
    }
    var (leftAt, rightAt) = (left.prerelease.lowerBound, right.prerelease.lowerBound)
    while leftAt < left.prerelease.upperBound, rightAt < right.prerelease.upperBound {
      let one = identifier(left.bytes, &leftAt, left.prerelease.upperBound)
      let other = identifier(right.bytes, &rightAt, right.prerelease.upperBound)
      let order: Int
      switch (one.isNumeric, other.isNumeric) {
      case (true, true): order = compare(left.bytes, one.range, right.bytes, other.range)
      case (true, false): order = -1
      case (false, true): order = 1
      case (false, false): order = compareBytes(left.bytes, one.range, right.bytes, other.range)
      }
      if order != 0 { return order }
    }
    return (leftAt < left.prerelease.upperBound ? 1 : 0) - (rightAt < right.prerelease.upperBound ? 1 : 0)
  }

  private static func identifier(
    _ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int, _ end: Int
  ) -> (range: Range<Int>, isNumeric: Bool) {
    let start = at
    var isNumeric = true
    while at < end, bytes[at] != UInt8(ascii: ".") {
      isNumeric = isNumeric && isDigit(bytes[at])
      at += 1
    }
    let range = start..<at
    if at < end { at += 1 }
    return (range, isNumeric)
  }
}
