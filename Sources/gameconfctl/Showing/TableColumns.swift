// How wide the columns of a table are on a terminal.

/// The columns of a table, each with the width it would like and those it can do with.
///
/// Where cells go on below, everything fits, and words are broken only when nothing else helps. Where cells are cut, names and instants stay
/// whole, since half of one is of no use; a terminal too narrow for them breaks the lines itself.
struct TableColumns {
  static let gap = "  "
  /// A column is made no narrower than this, or than its name.
  private static let widthMin = 12
  /// The last column, mostly a sentence, keeps as much as this.
  private static let lastWidthMin = 20
  /// Words up to this long are not cut.
  private static let wordMax = 40
  /// The first column, by which a row is asked for, is kept whole up to this.
  private static let firstWidthMax = 60

  private var natural: [Int] = []
  private var floors: [[Int]]

  init(_ names: [String], _ rows: [[String]], isWrapped: Bool) {
    var whole: [Int] = []
    var least: [Int] = []
    for (column, name) in names.enumerated() {
      let cells = rows.compactMap { $0.indices.contains(column) ? $0[column] : nil }
      let named = DisplayWidth.of(name)
      let widest = max(named, cells.map(DisplayWidth.of).max() ?? 0)
      let longestWord = cells.flatMap { $0.split(separator: " ") }.map { DisplayWidth.of(String($0)) }.max() ?? 0
      let isLast = column == names.count - 1
      natural.append(widest)
      least.append(min(widest, max(named, isLast ? Self.lastWidthMin : Self.widthMin)))
      whole.append(isLast ? least[column] : min(widest, max(named, min(longestWord, Self.wordMax))))
    }
    let first = natural.prefix(1).map { min($0, Self.firstWidthMax) }
    let naming = Array(first + whole.dropFirst())
    floors = isWrapped ? [naming, Array(first + least.dropFirst()), least] : [naming]
  }

  /// Widths that fit where that can be, taken from the widest first.
  func widths(within width: Int) -> [Int] {
    var widths = natural
    var over = widths.reduce(0, +) + Self.gap.count * max(0, widths.count - 1) - width
    for floor in floors {
      while over > 0 {
        let narrowable = widths.indices.filter { widths[$0] > floor[$0] }
        guard let widest = narrowable.max(by: { widths[$0] <= widths[$1] }) else { break }
        widths[widest] -= 1
        over -= 1
      }
    }
    return widths
  }
}
