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

  private static let gap = "  "
  private static let columnWidthMax = 60

  init(_ columns: [String], whenEmpty: String = "nothing", markMeaning: String? = nil) {
    self.columns = columns
    self.whenEmpty = whenEmpty
    self.markMeaning = markMeaning
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
    let widths = columns.indices.map { column in
      let widest = rows.map { $0.cells.indices.contains(column) ? DisplayWidth.of($0.cells[column]) : 0 }.max() ?? 0
      return max(DisplayWidth.of(columns[column]), column == columns.count - 1 ? widest : min(widest, Self.columnWidthMax))
    }
    var text = line(columns.map { $0.uppercased() }, widths, hasMarks ? "  " : "", width)
    var section: String?
    for row in rows {
      if let heading = row.section, heading != section {
        text += "\n\(SafeText.escaped(heading))\n"
        section = heading
      }
      text += line(row.cells, widths, hasMarks ? (row.isMarked ? "* " : "  ") : "", width)
    }
    if hasMarks, let markMeaning { text += "\n* \(markMeaning)\n" }
    return text
  }

  private func line(_ cells: [String], _ widths: [Int], _ mark: String, _ width: Int) -> String {
    var line = mark
    for (column, cell) in cells.enumerated() {
      if column == cells.count - 1 {
        line += DisplayWidth.cut(cell, to: max(20, width - DisplayWidth.of(line)))
      } else {
        let shown = DisplayWidth.cut(cell, to: widths[column])
        line += shown + String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(shown))) + Self.gap
      }
    }
    while line.last == " " { line.removeLast() }
    return line + "\n"
  }
}

/// How many columns text takes on a terminal.
enum DisplayWidth {
  static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

  /// The text, ending in `…` when it takes more than that many columns.
  static func cut(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    var kept = ""
    var taken = 0
    for character in text {
      taken += of(character)
      if taken > width - 1 { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// East Asian wide and emoji take two; what joins the character before takes none of its own.
  private static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.value {
    case 0x0300...0x036F: return 0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
