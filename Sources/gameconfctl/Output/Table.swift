// Tables for people on a terminal, and for programs in a pipe.

import GameConfCore

/// Rows with named columns. On a terminal the columns are aligned, and sections have headings. In a pipe the cells are separated by tabs,
/// without column names, and each row begins with its section.
struct Table: Sendable, Equatable {
  struct TableRow: Sendable, Equatable {
    var section: String?
    var cells: [Sentence]
    /// True if a `*` marks the row on a terminal.
    var isMarked = false

    /// Returns the row as it is written to a pipe: its cells separated by tabs.
    /// - Parameter table: The name of the table, on a page with several tables.
    func plain(of table: String? = nil) -> String {
      let names = [table, section].compactMap { $0.map(Sentence.init(outside:)) }
      return (names + cells).joined(separator: "\t").text()
    }
  }

  /// A row with its cells as a terminal shows them.
  private struct AlignedRow {
    var section: String?
    var cells: [String]
    var isMarked: Bool
  }

  let headings: [ColumnHeading]
  let rows: [TableRow]
  /// The text that a terminal shows instead of a table without rows.
  let whenEmpty: String
  /// The meaning of the `*` that marks rows. It is written below the table if a row is marked.
  let markMeaning: String?

  /// Creates a table with a row for each item.
  /// - Parameters:
  ///   - section: Returns the section of an item. Its heading is shown above the first row of the section.
  ///   - isMarked: Returns true if a `*` marks the item's row.
  init<Item>(
    _ items: some Sequence<Item>, whenEmpty: String = "nothing", markMeaning: String? = nil, section: ((Item) -> String?)? = nil,
    isMarked: ((Item) -> Bool)? = nil, @ListBuilder<Column<Item>> columns: () -> [Column<Item>]
  ) {
    let columns = columns()
    headings = columns.map(\.heading)
    rows = items.map { item in
      TableRow(section: section?(item), cells: columns.map { $0.cell(item)?.cell ?? "-" }, isMarked: isMarked?(item) ?? false)
    }
    (self.whenEmpty, self.markMeaning) = (whenEmpty, markMeaning)
  }

  init(facts name: String, _ value: String = "value", _ traits: ColumnTrait..., @ListBuilder<NamedValueRow> facts: () -> [NamedValueRow]) {
    headings = [ColumnHeading(name, []), ColumnHeading(value, traits)]
    rows = facts().compactMap { fact in fact.value.map { TableRow(cells: ["\(fact.name)", $0.cell]) } }
    (whenEmpty, markMeaning) = ("nothing", nil)
  }

  func text(_ style: OutputStyle) -> String { style.isTerminal ? aligned(style) : plain }

  /// The rows as they are written to a pipe.
  var plain: String { rows.map { $0.plain() + "\n" }.joined() }

  private func aligned(_ style: OutputStyle) -> String {
    if rows.isEmpty { return whenEmpty + "\n" }
    let rows = rows.map { row in
      AlignedRow(section: row.section, cells: zip(row.cells, headings).map { shown($0.text(style), $1, style) }, isMarked: row.isMarked)
    }
    let mark = rows.contains(where: \.isMarked) ? 2 : 0
    let layout = TableLayout(headings, rows.map(\.cells), width: max(1, style.width - mark), keepsExtras: style.isLong)
    var text = heading(layout, mark, style)
    var section: String?
    for row in rows {
      if let heading = row.section, heading != section {
        text += "\n" + DisplayWidth.wrapped(Sentence(outside: heading).text(), to: style.width).joined(separator: "\n") + "\n"
        section = heading
      }
      text += lines(row, layout, mark, style)
    }
    var notes: [String] = []
    if mark > 0, let markMeaning { notes.append("* \(markMeaning)") }
    if !layout.leftOut.isEmpty { notes.append("--long shows \(layout.leftOut.map { headings[$0].name }.joined(separator: " and ")) too") }
    for (at, note) in notes.enumerated() {
      text += (at == 0 ? "\n" : "") + TextStyle.quiet.on(DisplayWidth.paragraphs(note, to: style.width), isColored: style.isColored) + "\n"
    }
    return text
  }

  /// Returns a cell as a terminal shows it. Only cells with a time differ from a pipe's.
  private func shown(_ cell: String, _ heading: ColumnHeading, _ style: OutputStyle) -> String {
    guard heading.kind == .when || heading.kind == .date, let instant = try? Instant(parsing: cell) else { return cell }
    return style.time(instant, in: heading.kind == .when ? .cell : .clock)
  }

  private func heading(_ layout: TableLayout, _ mark: Int, _ style: OutputStyle) -> String {
    let names = layout.beside.map { headings[$0.column].name.uppercased() }
    if names.allSatisfy(\.isEmpty) { return "" }
    return Self.joined(names.map { [$0] }, layout, String(repeating: " ", count: mark)) { text, _ in
      TextStyle.heading.on(text, isColored: style.isColored)
    }
  }

  private func lines(_ row: AlignedRow, _ layout: TableLayout, _ mark: Int, _ style: OutputStyle) -> String {
    let parts = layout.beside.map { column, width in
      let cell = row.cells.indices.contains(column) ? row.cells[column] : ""
      return headings[column].kind == .value ? [DisplayWidth.cut(cell, to: width)] : DisplayWidth.wrapped(cell, to: width)
    }
    let first = mark == 0 ? "" : row.isMarked ? TextStyle.overridden.on("*", isColored: style.isColored) + " " : "  "
    var text = Self.joined(parts, layout, first, mark) { text, column in
      let textStyle = row.isMarked && column == 0 ? TextStyle.overridden : headings[column].kind == .state ? TextStyle.of(state: text) : nil
      return textStyle?.on(text, isColored: style.isColored) ?? text
    }
    let rest = layout.below.filter { row.cells.indices.contains($0) && !TableLayout.isEmpty(row.cells[$0]) }
    if !rest.isEmpty {
      let indent = String(repeating: " ", count: mark + 4)
      let restText = rest.map { "\(headings[$0].name.lowercased()): \(row.cells[$0])" }.joined(separator: "; ")
      for line in DisplayWidth.wrapped(restText, to: max(8, style.width - indent.count)) {
        text += indent + TextStyle.quiet.on(line, isColored: style.isColored) + "\n"
      }
    }
    return text
  }

  /// Joins cells that have several lines side by side. Each cell is padded to its column's width, except for the last one.
  private static func joined(
    _ parts: [[String]], _ layout: TableLayout, _ mark: String, _ markWidth: Int? = nil, textStyle: (String, Int) -> String
  ) -> String {
    var text = ""
    for at in 0..<(parts.map(\.count).max() ?? 0) {
      var line = at == 0 ? mark : String(repeating: " ", count: markWidth ?? mark.count)
      var pending = 0
      for (part, column) in zip(parts, layout.beside) {
        let shown = at < part.count ? part[at] : ""
        if !shown.isEmpty {
          line += String(repeating: " ", count: pending) + textStyle(shown, column.column)
          pending = 0
        }
        pending += max(0, column.width - DisplayWidth.of(shown)) + TableLayout.gap.count
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }
}
