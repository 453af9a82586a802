// Several tables on one page.

/// Several tables with names. On a terminal they follow each other; in a pipe every line begins with the name of its table.
struct TablePage {
  var parts: [(name: String, table: Table)] = []

  mutating func add(_ name: String, _ table: Table) { parts.append((name, table)) }

  func text(_ style: OutputStyle) -> String {
    if style.isTerminal { return parts.map { $0.table.text(style) }.joined(separator: "\n") }
    return parts.map { part in part.table.rows.map { $0.plain(of: part.name) + "\n" }.joined() }.joined()
  }
}
