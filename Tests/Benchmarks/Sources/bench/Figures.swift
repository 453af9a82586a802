// Medians, and aligned tables.

extension Array where Element == Double {
  var median: Double {
    let sorted = sorted()
    guard let last = sorted.indices.last else { return 0 }
    return (sorted[last / 2] + sorted[(last + 1) / 2]) / 2
  }

  /// Returns a percentile; for fewer than a hundred values the 99th is the largest.
  func percentile(_ percent: Int) -> Double {
    let sorted = sorted()
    return sorted.isEmpty ? 0 : sorted[Swift.min(sorted.count - 1, sorted.count * percent / 100)]
  }
}

/// Returns a number with this many decimals.
func figure(_ number: Double, _ decimals: Int = 1) -> String {
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let rounded = (number * scale).rounded()
  guard decimals > 0 else { return "\(Int64(rounded))" }
  let whole = Int64(rounded / scale)
  let part = String(Int64(abs(rounded)) % Int64(scale))
  return "\(whole)." + String(repeating: "0", count: decimals - part.count) + part
}

/// Prints rows under a title, with aligned columns. The first row has the columns' titles.
func printTable(_ title: String, _ rows: [[String]]) {
  var widths: [Int] = []
  for row in rows {
    for (column, cell) in row.enumerated() {
      if column == widths.count { widths.append(0) }
      widths[column] = max(widths[column], cell.count)
    }
  }
  print("\n\(title)\n")
  for (index, row) in rows.enumerated() {
    let cells = row.enumerated().map { column, cell in
      let space = String(repeating: " ", count: widths[column] - cell.count)
      return column == 0 ? cell + space : space + cell
    }
    print("  " + cells.joined(separator: "   "))
    if index == 0 { print("  " + widths.map { String(repeating: "-", count: $0) }.joined(separator: "   ")) }
  }
}
