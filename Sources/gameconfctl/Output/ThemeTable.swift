// Themes and milestones as rows, with bars for how far a player is.

import GameConfAPI

enum ThemeTable {
  /// On a terminal progress is a bar; in a pipe it is two numbers.
  static func of(_ themes: [ThemeAnswer], on screen: Screen) -> Table {
    // On a terminal only where something is sold that unlocks one; a program finds its columns always the same.
    let isSold = !screen.isTerminal || themes.contains { !$0.unlocksWith.isEmpty }
    var table = Table(
      columns("theme", on: screen, isSold ? ["unlocked by", .extra("name"), .aside("unlocks with")] : ["unlocked by", .aside("name")]),
      whenEmpty: "no themes")
    for theme in themes {
      let products = theme.unlocksWith.isEmpty ? "-" : theme.unlocksWith.joined(separator: ", ")
      table.add(
        [theme.theme, theme.isUnlocked ? "unlocked" : "locked"] + cells(theme.progress, on: screen, bar: isSold ? 16 : 20) + [
          theme.by.map { "\(theme.kind.rawValue) \($0)" } ?? theme.kind.rawValue, theme.name,
        ] + (isSold ? [products] : []))
    }
    return table
  }

  static func of(_ milestones: [MilestoneAnswer], on screen: Screen) -> Table {
    var table = Table(columns("milestone", on: screen, ["counts", .date("reached")]), whenEmpty: "no milestones")
    for milestone in milestones {
      table.add(
        [milestone.milestone, milestone.isUnlocked ? "reached" : "ahead"] + cells(milestone.progress, on: screen) + [
          CatalogPage.words(milestone.count), milestone.unlockedAt?.text ?? "-",
        ])
    }
    return table
  }

  private static func columns(_ first: Column, on screen: Screen, _ rest: [Column]) -> [Column] {
    let progress: [Column] = screen.isTerminal ? [.whole("progress")] : ["value", "target"]
    return [first, .state("state")] + progress + rest
  }

  /// - Parameter bar: its columns where there is room.
  private static func cells(_ progress: WireProgress?, on screen: Screen, bar columns: Int = 20) -> [String] {
    guard let progress else { return screen.isTerminal ? ["-"] : ["-", "-"] }
    if !screen.isTerminal { return [String(progress.value), String(progress.target)] }
    return [bar(progress.fraction, width: screen.width < 100 ? 8 : columns) + " \(progress.value) / \(progress.target)"]
  }

  /// A bar of so many columns; whole only when all is done, empty only when nothing is.
  static func bar(_ fraction: Double, width: Int) -> String {
    guard fraction > 0 else { return String(repeating: "░", count: width) }
    let done = fraction >= 1 ? width : max(1, min(width - 1, Int(fraction * Double(width))))
    return String(repeating: "█", count: done) + String(repeating: "░", count: width - done)
  }
}
