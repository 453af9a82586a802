// Renders the state of a player as tables.

import GameConfAPI
import GameConfCore

enum PlayerPage {
  /// Returns the heading that a terminal shows above the tables.
  /// - Parameter isChanged: True if a user has changed something for the player. The revision does not show this, because a restore gives
  ///   every player a revision.
  static func heading(_ answer: PlayerAnswer, isChanged: Bool) -> Sentence {
    var lines: [Sentence] = ["\(answer.player) in \(answer.game), player revision \(answer.playerRevision)"]
    if let created = answer.createdAt, let changed = answer.changedAt {
      lines.append("since \(time: created, .clock), last change \(time: changed, .clock)")
    } else if !isChanged {
      lines.append("this player is unknown; a new player's values follow")
    } else {
      lines.append("no game has sent anything about this player yet")
    }
    if answer.visits.count > 0 {
      let since: Sentence = answer.visits.openedAt.map { ", since \(time: $0, .clock)" } ?? ""
      lines.append("visit \(answer.visits.count)\(since)")
    }
    if !answer.context.isEmpty {
      let context = answer.context.members.map { "\($0.name) \(ValueStyle.cell($0.value))" }
      lines.append("context: \(context.joined(separator: ", "))")
    }
    return lines.joined(separator: "\n")
  }

  static func of(_ answer: PlayerAnswer, showsAll: Bool, on screen: Screen) -> TablePage {
    var page = TablePage()
    let achievements = answer.milestones.filter(\.isAchievement)
    page.add(
      "score",
      Table(facts: "score", "points") {
        scores(answer.scores)
        for each in answer.counters { NamedValueRow("\(each.event) events", each.count) }
        if !achievements.isEmpty { NamedValueRow("achievements", "\(achievements.filter(\.isUnlocked).count) of \(achievements.count)") }
      })
    if !answer.themes.isEmpty { page.add("theme", ThemeTable.of(answer.themes, on: screen)) }
    if showsAll, !answer.milestones.isEmpty { page.add("milestone", ThemeTable.of(answer.milestones, on: screen)) }
    page.add("ad", AdWords.table(answer.ads))
    page.add("setting", settings(showsAll ? answer.settings : answer.settings.filter { $0.value != nil }))
    if !answer.history.isEmpty { page.add("history", history(answer.history)) }
    return page
  }

  static func table(_ scores: WireScores) -> Table { Table(facts: "score", "points") { self.scores(scores) } }

  @ListBuilder<NamedValueRow>
  private static func scores(_ scores: WireScores) -> [NamedValueRow] {
    NamedValueRow("lifetime", scores.lifetimeScore)
    NamedValueRow("games played", scores.gamesPlayed)
    NamedValueRow("best", scores.bestScore)
    for (mode, best) in scores.bestScores.sorted(by: { $0.key < $1.key }) { NamedValueRow("best in \(mode)", best) }
  }

  static func settings(_ settings: [SettingAnswer]) -> Table {
    Table(
      settings, whenEmpty: "no settings are chosen", markMeaning: "chosen, not in force", isMarked: { $0.value != nil && !$0.isInForce }
    ) {
      Column("setting") { $0.key }
      Column("chosen", .value) { $0.value }
      Column("in force", .value) { $0.effective }
      Column("from") { setting in (setting.source ?? "-") + (setting.skipped.map { ": \($0)" } ?? "") }
    }
  }

  static func history(_ lines: [HistoryLine]) -> Table {
    Table(lines, whenEmpty: "no history") {
      Column("line") { $0.number }
      Column("at", .date) { $0.at }
      Column("what") { $0.kind }
      Column("details") { line in
        line.details.members.filter { $0.value != false }.map { "\($0.name) \(CatalogPage.words($0.value))" }.joined(separator: ", ")
      }
    }
  }
}

/// Sentences about players, for several commands.
enum PlayerWords {
  static func scored(_ points: Int64, in games: Int64) -> Sentence {
    "\(points, "point") in \(games, "game")"
  }

  /// Returns a sentence about the themes, milestones and achievements that were unlocked; nil if nothing was unlocked.
  static func unlocked(_ unlocked: WireUnlocked) -> Sentence? {
    let kinds = [("theme", unlocked.themes), ("milestone", unlocked.milestones), ("achievement", unlocked.achievements)]
    let parts = kinds.flatMap { kind, items in items.keys.sorted().map { "\(kind) \($0)" } }
    return parts.isEmpty ? nil : "unlocked: \(parts.joined(separator: ", "))"
  }

  /// Returns a sentence about a player's setting: the stored value, and the value in force if it differs.
  static func setting(_ setting: SettingAnswer) -> Sentence {
    let key = setting.key
    guard let value = setting.value else { return "\(key) is not chosen; \(inForce(setting)) is in force" }
    if setting.isInForce { return "\(key) is \(ValueStyle.phrase(value))" }
    let why =
      setting.shadowedBy.map { "\($0) is above it" } ?? setting.skipped
      ?? "it is not in force"
    return "\(key) is chosen as \(ValueStyle.phrase(value)), but \(inForce(setting)) is in force: \(why)"
  }

  private static func inForce(_ setting: SettingAnswer) -> String { setting.effective.map(ValueStyle.phrase) ?? "nothing" }
}
