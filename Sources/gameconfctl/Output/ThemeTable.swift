// Renders themes and milestones as tables, with bars for a player's progress.

import GameConfAPI

enum ThemeTable {
  /// Returns a table of themes. Progress is a bar on a terminal, and two numbers in a pipe.
  static func of(_ themes: [ThemeAnswer], on screen: Screen) -> Table {
    // A terminal shows the column “unlocks with” only if a product unlocks a theme. In a pipe the columns are always the same.
    let isSold = !screen.isTerminal || themes.contains { !$0.unlocksWith.isEmpty }
    return Table(themes, whenEmpty: "no themes") {
      Column("theme") { $0.theme }
      Column("state", .state) { $0.isUnlocked ? "unlocked" : "locked" }
      progress(on: screen, bar: isSold ? 16 : 20) { $0.progress }
      Column("unlocked by") { theme in theme.by.map { "\(theme.kind.rawValue) \($0)" } ?? theme.kind.rawValue }
      if isSold {
        Column("name", .extra) { $0.name }
        Column("unlocks with", .aside) { $0.unlocksWith.isEmpty ? nil : $0.unlocksWith.joined(separator: ", ") }
      } else {
        Column("name", .aside) { $0.name }
      }
    }
  }

  static func of(_ milestones: [MilestoneAnswer], on screen: Screen) -> Table {
    Table(milestones, whenEmpty: "no milestones") {
      Column("milestone") { $0.milestone }
      Column("state", .state) { $0.isUnlocked ? "reached" : "ahead" }
      progress(on: screen) { $0.progress }
      Column("counts") { CatalogPage.words($0.count) }
      Column("reached", .date) { $0.unlockedAt }
    }
  }

  /// Returns the columns for progress: a bar on a terminal, two numbers in a pipe.
  /// - Parameter bar: The width of the bar in columns on a terminal that is wide enough.
  @ListBuilder<Column<Row>>
  private static func progress<Row>(on screen: Screen, bar columns: Int = 20, of row: @escaping (Row) -> WireProgress?) -> [Column<Row>] {
    if screen.isTerminal {
      Column("progress", .whole) { each in
        row(each).map { bar($0.fraction, width: screen.width < 100 ? 8 : columns) + " \($0.value) / \($0.target)" }
      }
    } else {
      Column("value") { row($0)?.value }
      Column("target") { row($0)?.target }
    }
  }

  /// Returns a bar of this width in columns. It is full only if the fraction is 1, and empty only if it is 0.
  static func bar(_ fraction: Double, width: Int) -> String {
    guard fraction > 0 else { return String(repeating: "░", count: width) }
    let done = fraction >= 1 ? width : max(1, min(width - 1, Int(fraction * Double(width))))
    return String(repeating: "█", count: done) + String(repeating: "░", count: width - done)
  }
}
