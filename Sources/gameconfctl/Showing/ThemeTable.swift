// Themes and milestones as rows, with bars for how far a player is.

import GameConfAPI

enum ThemeTable {
  /// On a terminal progress is a bar; in a pipe it is two numbers.
  static func of(_ themes: [ThemeAnswer], isTerminal: Bool) -> Table {
    var table = Table(
      ["theme", "name", "state"] + (isTerminal ? ["progress"] : ["value", "target"]) + ["unlocked by"], whenEmpty: "no themes")
    for theme in themes {
      table.add(
        [theme.theme, theme.name, theme.isUnlocked ? "unlocked" : "locked"] + cells(theme.progress, isTerminal: isTerminal) + [
          theme.by.map { "\(theme.kind.rawValue) \($0)" } ?? theme.kind.rawValue
        ])
    }
    return table
  }

  static func of(_ milestones: [MilestoneAnswer], isTerminal: Bool) -> Table {
    var table = Table(
      ["milestone", "counts", "state"] + (isTerminal ? ["progress"] : ["value", "target"]) + ["reached"], whenEmpty: "no milestones")
    for milestone in milestones {
      table.add(
        [milestone.milestone, CatalogPage.words(milestone.count), milestone.isUnlocked ? "reached" : "ahead"]
          + cells(milestone.progress, isTerminal: isTerminal) + [milestone.unlockedAt?.text ?? "-"])
    }
    return table
  }

  private static func cells(_ progress: WireProgress?, isTerminal: Bool) -> [String] {
    guard let progress else { return isTerminal ? ["-"] : ["-", "-"] }
    if !isTerminal { return [String(progress.value), String(progress.target)] }
    return [bar(progress.fraction) + " \(progress.value) / \(progress.target)"]
  }

  private static let barWidth = 20

  /// A bar of so many columns; whole only when all is done, empty only when nothing is.
  static func bar(_ fraction: Double, width: Int = barWidth) -> String {
    guard fraction > 0 else { return String(repeating: "░", count: width) }
    let done = fraction >= 1 ? width : max(1, min(width - 1, Int(fraction * Double(width))))
    return String(repeating: "█", count: done) + String(repeating: "░", count: width - done)
  }
}
