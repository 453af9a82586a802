// "Did you mean": the known names that are nearest to a mistyped one.

/// Finds names that differ from a mistyped one by few slips: a letter too many, missing, wrong, or two swapped.
public enum NearestNames {
  /// Names and queries longer than this are not compared, in bytes.
  public static let nameBytesMax = 128
  /// A beginning of fewer letters says nothing.
  private static let beginningLettersMin = 4

  /// The nearest of the candidates, nearest first and otherwise in their order; none when all are too far.
  ///
  /// A third of the letters may differ, at most three; a change between small and capital ASCII letters, or between `-`, `_` and `.`, counts for nothing.
  /// When none is near, those that begin with the name are, of which no more than a sixth of the letters may differ.
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

  /// The end of a message, such as ` Did you mean “answers”?` with its space before; empty when nothing is near.
  public static func hint(for name: String, among candidates: some Sequence<String>) -> String {
    hint(naming: nearest(to: name, among: candidates))
  }

  /// The end of a message that offers names found before.
  public static func hint(naming names: [String]) -> String { hint(quoted: names.map { "“\($0)”" }) }

  /// The same of what stands in its quotes already, as JSON's texts do.
  static func hint(quoted: [String]) -> String {
    guard let last = quoted.last else { return "" }
    let list = quoted.count == 1 ? last : quoted.dropLast().joined(separator: ", ") + " or " + last
    return " Did you mean \(list)?"
  }

  /// The number of slips that lie between the two (Damerau–Levenshtein, no letter moved twice), or nil when more than `max`.
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
      // A swap reaches back two rows, so one row above the bound does not yet decide.
      if best > max + 1 { return nil }
      (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[right.count] <= max ? last[right.count] : nil
  }

  /// The number of slips that lie between a name and the nearest beginning of a longer one, or nil when more than `max`.
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
