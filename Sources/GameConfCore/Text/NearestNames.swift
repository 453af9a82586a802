// Suggestions for mistyped names, as in “Did you mean”.

/// Finds names at a small edit distance from a mistyped one. An edit adds, omits or replaces a letter, or swaps two adjacent letters.
public enum NearestNames {
  /// The longest name in bytes that is compared; longer ones have no suggestions.
  public static let nameBytesMax = 128
  /// The shortest mistyped name in letters for which longer names that begin with it are suggested.
  private static let beginningLettersMin = 4

  /// Returns at most `count` candidates, the nearest first. Candidates at the same distance are in the order of the argument.
  ///
  /// At most a third of the letters may differ, and at most three. The case of ASCII letters and the difference between `-`, `_` and `.`
  /// are ignored. If no candidate is that near, the result is the longer candidates that begin with the name. Up to a sixth of the name's
  /// letters may then differ.
  public static func nearest(to name: String, among candidates: some Sequence<String>, max count: Int = 3) -> [String] {
    guard count > 0, !name.isEmpty, name.utf8.count <= nameBytesMax else { return [] }
    let wanted = folded(name)
    let distanceMax = min(3, Swift.max(1, wanted.count / 3))
    var found: [(distance: Int, order: Int, name: String)] = []
    for (order, candidate) in candidates.enumerated() where !candidate.isEmpty && candidate.utf8.count <= nameBytesMax {
      if let distance = distance(wanted, folded(candidate), max: distanceMax) { found.append((distance, order, candidate)) }
    }
    if found.isEmpty, wanted.count >= beginningLettersMin {
      for (order, candidate) in candidates.enumerated() where candidate.utf8.count <= nameBytesMax {
        if let distance = distance(wanted, toBeginningOf: folded(candidate), max: min(3, wanted.count / 6)) {
          found.append((distance, order, candidate))
        }
      }
    }
    found.sort { ($0.distance, $0.order) < ($1.distance, $1.order) }
    return found.prefix(count).map(\.name)
  }

  /// Returns the end of an error message, such as ` Did you mean “answers”?` with a space before it; empty if no candidate is near the
  /// name.
  public static func hint(for name: String, among candidates: some Sequence<String>) -> String {
    hint(naming: nearest(to: name, among: candidates))
  }

  /// Returns the end of an error message that suggests these names.
  public static func hint(naming names: [String]) -> String { hint(quoted: names.map { "“\($0)”" }) }

  /// Returns the end of an error message that suggests names which are quoted already, such as JSON texts.
  static func hint(quoted: [String]) -> String {
    guard let last = quoted.last else { return "" }
    let list = quoted.count == 1 ? last : quoted.dropLast().joined(separator: ", ") + " or " + last
    return " Did you mean \(list)?"
  }

  /// Returns the edit distance (Damerau–Levenshtein, restricted: optimal string alignment), or nil if it exceeds `max`.
  static func distance(_ left: [UInt32], _ right: [UInt32], max: Int) -> Int? {
    if abs(left.count - right.count) > max { return nil }
    if left.isEmpty || right.isEmpty { return left.count + right.count }
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    var current = last
    for row in 1...left.count {
      current[0] = row
      var best = row
      for column in 1...right.count {
        let cost = left[row - 1] == right[column - 1] ? 0 : 1
        var value = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + cost)
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          value = min(value, beforeLast[column - 2] + 1)
        }
        current[column] = value
        best = min(best, value)
      }
      // A transposition refers to the row before the last one of the matrix. So a single row above the limit does not yet decide the
      // result.
      if best > max + 1 { return nil }
      (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[right.count] <= max ? last[right.count] : nil
  }

  /// Returns the smallest edit distance between a name and any prefix of a longer name; nil if it exceeds `max`.
  private static func distance(_ name: [UInt32], toBeginningOf longer: [UInt32], max: Int) -> Int? {
    guard longer.count > name.count else { return nil }
    let lengths = (name.count - max)...min(name.count + max, longer.count)
    return lengths.compactMap { distance(name, Array(longer.prefix($0)), max: max) }.min()
  }

  private static func folded(_ name: String) -> [UInt32] {
    name.unicodeScalars.map { scalar in
      switch scalar {
      case "A"..."Z": scalar.value + 32
      case "-", ".": 0x5F
      default: scalar.value
      }
    }
  }
}
