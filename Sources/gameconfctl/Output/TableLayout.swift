// Computes the layout of a table on a terminal: the columns that are side by side, and their widths.

/// The layout of a table on a terminal. Columns that fit are side by side; the others move below their row, or are left out.
///
/// If a table is too wide, empty columns are removed first. Then columns are narrowed: sentences to their longest words, values by cutting.
/// If that is not enough, extra columns are left out and others move below their rows until the line fits.
struct TableLayout: Equatable {
  static let gap = "  "
  /// The minimum width of the last column, which usually contains sentences.
  private static let lastWidthMin = 20
  /// The maximum width of a word that is not broken when its column is narrowed. Longer words may be broken.
  private static let wordMax = 40
  /// The width below which the first column is not narrowed, because people copy its cells to name a row.
  private static let firstWidthMax = 60

  /// The indexes and widths of the columns that are side by side, in their order.
  private(set) var beside: [(column: Int, width: Int)] = []
  /// The indexes of the columns whose cells are written below each row, in their order.
  private(set) var below: [Int] = []
  /// The indexes of the columns that are left out although they are not empty.
  private(set) var leftOut: [Int] = []

  static func == (left: TableLayout, right: TableLayout) -> Bool {
    left.beside.map(\.column) == right.beside.map(\.column) && left.beside.map(\.width) == right.beside.map(\.width)
      && left.below == right.below && left.leftOut == right.leftOut
  }

  /// Computes the layout.
  /// - Parameter keepsExtras: True if extra columns move below their rows instead of being left out.
  init(_ headings: [ColumnHeading], _ rows: [[String]], width: Int, keepsExtras: Bool) {
    let cells = headings.indices.map { column in rows.compactMap { $0.indices.contains(column) ? $0[column] : nil } }
    let measures = headings.indices.map { ColumnWidths(headings[$0], cells[$0], isFirst: $0 == 0) }
    var shown = Array(headings.indices)
    if !Self.fits(shown.map { measures[$0].natural }, width) {
      shown.removeAll { column in column > 0 && cells[column].allSatisfy(Self.isEmpty) }
    }
    func leasts() -> [Int] { shown.map { $0 == shown.last ? measures[$0].leastAsLast : measures[$0].least } }
    while shown.count > 1, !Self.fits(leasts(), width) {
      if let extra = shown.last(where: { headings[$0].isExtra }) {
        shown.removeAll { $0 == extra }
        if keepsExtras { below.append(extra) } else { leftOut.append(extra) }
      } else if let next = shown.dropFirst().last(where: { headings[$0].isAside }) ?? shown.last {
        shown.removeAll { $0 == next }
        below.append(next)
      }
    }
    below.sort()
    leftOut.sort()
    let widths = Self.narrowed(shown.map { measures[$0].natural }, to: leasts(), within: width)
    beside = zip(shown, widths).map { ($0, $1) }
  }

  static func isEmpty(_ cell: String) -> Bool { cell.isEmpty || cell == "-" }

  private static func fits(_ widths: [Int], _ width: Int) -> Bool {
    widths.reduce(0, +) + gap.count * max(0, widths.count - 1) <= width
  }

  /// Reduces widths, the widest first, until they fit or each has its least value.
  private static func narrowed(_ natural: [Int], to least: [Int], within width: Int) -> [Int] {
    var widths = natural
    while !fits(widths, width) {
      let narrowable = widths.indices.filter { widths[$0] > least[$0] }
      guard let widest = narrowable.max(by: { widths[$0] <= widths[$1] }) else { break }
      widths[widest] -= 1
    }
    // If a single column is still too wide, its words are broken.
    return widths.count == 1 ? [min(widths[0], max(1, width))] : widths
  }

  /// The preferred width of a column, and the least width to which it may be narrowed.
  private struct ColumnWidths {
    var natural: Int
    var least: Int
    var leastAsLast: Int

    init(_ heading: ColumnHeading, _ cells: [String], isFirst: Bool) {
      let named = DisplayWidth.of(heading.name)
      natural = max(named, cells.map(DisplayWidth.of).max() ?? 0)
      let bounded = { (width: Int) in max(named, width) }
      switch heading.kind {
      case .when, .date:
        least = natural
      case .value:
        let numbers = cells.filter(Self.isNumber).map(DisplayWidth.of).max() ?? 0
        least = min(natural, max(named, heading.widthMin, min(numbers, TableLayout.wordMax)))
      case .words, .state:
        let longest = cells.flatMap(DisplayWidth.words).map(DisplayWidth.of).max() ?? 0
        least = heading.isWhole ? natural : min(natural, bounded(max(min(longest, TableLayout.wordMax), heading.widthMin)))
      }
      if isFirst { least = min(natural, max(least, TableLayout.firstWidthMax)) }
      leastAsLast = isFirst ? least : max(least, min(natural, TableLayout.lastWidthMin))
    }

    /// True if the cell is a number or a time, which is never cut.
    private static func isNumber(_ cell: String) -> Bool {
      let isTime = cell.contains(" ") && DisplayWidth.words(of: cell).count == 1
      return isTime || !cell.isEmpty && cell.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE: ".utf8.contains($0) }
    }
  }
}
