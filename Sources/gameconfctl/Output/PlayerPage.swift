// A player on one screen.

import GameConfAPI
import GameConfCore

enum PlayerPage {
  /// The heading above the tables on a terminal.
  /// - Parameter isChanged: whether somebody changed something for the player; the revision cannot show it, after a restore everybody has one.
  static func heading(_ answer: PlayerAnswer, isChanged: Bool, on screen: Screen) -> String {
    var lines = ["\(SafeText.escaped(answer.player)) in \(SafeText.escaped(answer.game)), player revision \(answer.playerRevision)"]
    if let created = answer.createdAt, let changed = answer.changedAt {
      lines.append("since \(screen.time(created, in: .clock)), last change \(screen.time(changed, in: .clock))")
    } else if !isChanged {
      lines.append("this player is unknown; a new player's values follow")
    } else {
      lines.append("no game has sent anything about this player yet")
    }
    if answer.visits.count > 0 {
      lines.append("visit \(answer.visits.count)" + (answer.visits.openedAt.map { ", since \(screen.time($0, in: .clock))" } ?? ""))
    }
    if !answer.context.isEmpty {
      lines.append(
        "context: " + answer.context.members.map { "\(SafeText.escaped($0.name)) \(ValueStyle.cell($0.value))" }.joined(separator: ", "))
    }
    return lines.joined(separator: "\n")
  }

  static func of(_ answer: PlayerAnswer, showsAll: Bool, on screen: Screen) -> Page {
    var page = Page()
    var scores = self.scores(answer.scores)
    for each in answer.counters { scores.add(["\(each.event) events", String(each.count)]) }
    let achievements = answer.milestones.filter(\.isAchievement)
    if !achievements.isEmpty {
      scores.add(["achievements", "\(achievements.filter(\.isUnlocked).count) of \(achievements.count)"])
    }
    page.add("score", scores)
    if !answer.themes.isEmpty { page.add("theme", ThemeTable.of(answer.themes, on: screen)) }
    if showsAll, !answer.milestones.isEmpty { page.add("milestone", ThemeTable.of(answer.milestones, on: screen)) }
    page.add("ad", AdWords.table(answer.ads, screen.style))
    page.add("setting", settings(showsAll ? answer.settings : answer.settings.filter { $0.value != nil }))
    if !answer.history.isEmpty { page.add("history", history(answer.history)) }
    return page
  }

  static func scores(_ scores: WireScores) -> Table {
    var table = Table(["score", "points"])
    table.add(["lifetime", String(scores.lifetimeScore)])
    table.add(["games played", String(scores.gamesPlayed)])
    if let best = scores.bestScore { table.add(["best", String(best)]) }
    for (mode, best) in scores.bestScores.sorted(by: { $0.key < $1.key }) { table.add(["best in \(mode)", String(best)]) }
    return table
  }

  static func settings(_ settings: [SettingAnswer]) -> Table {
    var table = Table(
      ["setting", .value("chosen"), .value("in force"), "from"], whenEmpty: "no settings are chosen",
      markMeaning: "chosen, not in force")
    for setting in settings {
      var from = setting.source ?? "-"
      if let skipped = setting.skipped { from += ": \(skipped)" }
      table.add(
        [setting.key, setting.value.map(ValueStyle.cell) ?? "-", setting.effective.map(ValueStyle.cell) ?? "-", from],
        isMarked: setting.value != nil && !setting.isInForce)
    }
    return table
  }

  static func history(_ lines: [HistoryLine]) -> Table {
    var table = Table(["line", .date("at"), "what", "details"], whenEmpty: "no history")
    for line in lines {
      table.add([
        String(line.number), line.at.text, line.kind,
        line.details.members.filter { $0.value != false }.map { "\($0.name) \(CatalogPage.words($0.value))" }.joined(separator: ", "),
      ])
    }
    return table
  }
}

/// Sentences about players that several commands say.
enum PlayerWords {
  /// So many points in so many games.
  static func scored(_ points: Int64, in games: Int64) -> String {
    "\(points) \(points == 1 ? "point" : "points") in \(games) \(games == 1 ? "game" : "games")"
  }

  /// A line; nil when nothing was unlocked.
  static func unlocked(_ unlocked: WireUnlocked) -> String? {
    let kinds = [("theme", unlocked.themes), ("milestone", unlocked.milestones), ("achievement", unlocked.achievements)]
    let parts = kinds.flatMap { kind, items in items.keys.sorted().map { "\(kind) \(SafeText.escaped($0))" } }
    return parts.isEmpty ? nil : "unlocked: \(parts.joined(separator: ", "))"
  }

  /// The stored value and the value in force.
  static func setting(_ setting: SettingAnswer) -> String {
    let key = SafeText.escaped(setting.key)
    guard let value = setting.value else { return "\(key) is not chosen; \(inForce(setting)) is in force" }
    if setting.isInForce { return "\(key) is \(ValueStyle.phrase(value))" }
    let why =
      setting.shadowedBy.map { "\(SafeText.escaped($0)) is above it" } ?? setting.skipped.map { SafeText.escaped($0) }
      ?? "it is not in force"
    return "\(key) is chosen as \(ValueStyle.phrase(value)), but \(inForce(setting)) is in force: \(why)"
  }

  private static func inForce(_ setting: SettingAnswer) -> String { setting.effective.map(ValueStyle.phrase) ?? "nothing" }
}
