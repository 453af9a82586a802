// Rows for people on a terminal, and for programs in a pipe.

/// Rows under names. On a terminal they are aligned, under headings by section; in a pipe they are separated by tabs, without names, and
/// begin with the section.
struct Table: Sendable, Equatable {
  struct Row: Sendable, Equatable {
    var section: String?
    var cells: [String]
    /// Marks what an admin forces.
    var isMarked = false
  }

  /// Upper case on the terminal.
  var columns: [String]
  var rows: [Row] = []
  /// What to say on a terminal when there are no rows.
  var whenEmpty = "nothing"
  /// What the mark means; told below the rows when one is marked.
  var markMeaning: String?
  /// Whether a cell that is too long for the terminal goes on below, rather than ending in `…`.
  var isWrapped: Bool

  init(_ columns: [String], whenEmpty: String = "nothing", markMeaning: String? = nil, isWrapped: Bool = false) {
    self.columns = columns
    self.whenEmpty = whenEmpty
    self.markMeaning = markMeaning
    self.isWrapped = isWrapped
  }

  mutating func add(_ cells: [String], section: String? = nil, isMarked: Bool = false) {
    rows.append(Row(section: section, cells: cells, isMarked: isMarked))
  }

  func text(isTerminal: Bool, width: Int) -> String {
    isTerminal ? aligned(width: width) : plain
  }

  private var plain: String {
    rows.map { row in
      let cells = (row.section.map { [$0] } ?? []) + row.cells
      return cells.map { SafeText.escaped($0) }.joined(separator: "\t") + "\n"
    }.joined()
  }

  private func aligned(width: Int) -> String {
    if rows.isEmpty { return whenEmpty + "\n" }
    let rows = rows.map { row in
      Row(section: row.section, cells: row.cells.map { SafeText.escaped($0) }, isMarked: row.isMarked)
    }
    let hasMarks = rows.contains(where: \.isMarked)
    let widths = TableColumns(columns, rows.map(\.cells), isWrapped: isWrapped).widths(within: width - (hasMarks ? 2 : 0))
    var text = lines(columns.map { $0.uppercased() }, widths, hasMarks ? "  " : "")
    var section: String?
    for row in rows {
      if let heading = row.section, heading != section {
        text += "\n\(SafeText.escaped(heading))\n"
        section = heading
      }
      text += lines(row.cells, widths, hasMarks ? (row.isMarked ? "* " : "  ") : "")
    }
    if hasMarks, let markMeaning { text += "\n* \(markMeaning)\n" }
    return text
  }

  private func lines(_ cells: [String], _ widths: [Int], _ mark: String) -> String {
    let parts = zip(cells, widths).map { isWrapped ? DisplayWidth.wrapped($0, to: $1) : [DisplayWidth.cut($0, to: $1)] }
    var text = ""
    for at in 0..<(parts.map(\.count).max() ?? 0) {
      var line = at == 0 ? mark : String(repeating: " ", count: mark.count)
      for (part, width) in zip(parts, widths) {
        let shown = at < part.count ? part[at] : ""
        line += shown + String(repeating: " ", count: max(0, width - DisplayWidth.of(shown))) + TableColumns.gap
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }
}
