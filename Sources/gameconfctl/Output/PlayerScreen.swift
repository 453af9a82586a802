// A live screen about a player that is cut to the terminal's size.

import GameConfAPI
import GameConfCore
import Synchronization

/// The state of a player at one moment, rendered as lines of a terminal.
struct PlayerScreen: Sendable {
  var page: PlayerAnswer
  /// The values in force for the player, of all keys.
  var values: [ValueAnswer] = []
  var store: EntitlementsAnswer?
  /// The latest audit entries about the player, the newest first; nil if the user has no role.
  var audit: [AuditEntry]?

  /// The number of audit entries that are shown.
  static let auditMax = 5
  private static let valuesMax = 6
  private static let adsMax = 3
  private static let storeMax = 4
  private static let labelWidth = 9

  /// Returns the lines of the screen. Each fits the terminal's width. They are one fewer than the terminal's rows, so that nothing scrolls.
  func lines(_ style: OutputStyle, height: Int) -> [String] {
    let fixed = [
      ("changed", Self.cut(changed(style), to: Self.valuesMax)),
      ("ad", Self.cut(page.ads.map { Self.ad($0).text(style) }, to: Self.adsMax)),
      ("store", Self.cut(entitlements(style), to: Self.storeMax)),
    ]
    let changes = audit.map { $0.prefix(Self.auditMax).map { Self.change($0, style) } } ?? []
    let taken = 1 + fixed.reduce(0) { $0 + $1.1.count } + changes.count
    let themes = Self.cut(themes, to: max(1, height - 1 - taken))
    var lines = [heading.text(style)]
    for (label, rows) in fixed + [("theme", themes), ("audit", changes)] {
      for (at, row) in rows.enumerated() {
        let name = at == 0 ? label : ""
        lines.append(name + String(repeating: " ", count: Self.labelWidth - name.count) + row)
      }
    }
    return lines.prefix(max(1, height - 1)).map { DisplayWidth.cut($0, to: style.width) }
  }

  /// Returns at most `max` rows. If rows are hidden, the last one states their number.
  private static func cut(_ rows: [String], to max: Int) -> [String] {
    rows.count <= max ? rows : rows.prefix(max - 1) + ["and \(rows.count - max + 1) more"]
  }

  private var heading: Sentence {
    let scores = page.scores
    var parts = [PlayerWords.scored(scores.lifetimeScore, in: scores.gamesPlayed)]
    if let best = scores.bestScore { parts.append("best \(best)") }
    if page.visits.count > 0 { parts.append("visit \(page.visits.count)") }
    parts.append("clock \(time: page.now, .clock)")
    return "\(page.player) in \(page.game): \(parts.joined(separator: ", "))"
  }

  /// Returns a row for each value that differs from the catalog, overrides first, with the value's source and remaining time.
  private func changed(_ style: OutputStyle) -> [String] {
    let others = values.filter { $0.source != "default" }
    let sorted = others.filter(\.isOverridden) + others.filter { !$0.isOverridden }
    let width = min(32, sorted.prefix(Self.valuesMax).map { DisplayWidth.of($0.key) }.max() ?? 0)
    return sorted.map { value in
      let shown = value.isMasked ? "(secret)" : Sentence(outside: ValueStyle.cell(value.value)).text()
      let left = value.nextChangeAt.flatMap { change -> Sentence? in
        guard change > style.now else { return nil }
        return InstantStyle.length(milliseconds: UInt64(change.milliseconds - style.now.milliseconds)).map { ", \($0) left" }
          ?? ", until \(time: change, .clock)"
      }
      let source: Sentence = "  \(value.source)\(left ?? "")"
      return Self.padded(value.key, width) + "  " + DisplayWidth.cut(shown, to: 20) + source.text(style)
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    let text = Sentence(outside: text).text()
    return text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
  }

  private static func ad(_ ad: AdStatusAnswer) -> Sentence { "\(ad.placement): \(AdWords.next(ad))" }

  /// Returns a row for each active entitlement with its purchase and its renewal or end.
  private func entitlements(_ style: OutputStyle) -> [String] {
    guard let store else { return [] }
    return store.entitlements.filter(\.isActive).map { held in
      let by = held.product.map { " by \($0)" } ?? " by a grant"
      let end: Sentence? = held.expiresAt.map {
        "\(held.isInGracePeriod ? "in grace until" : held.willRenew ? "renews" : "ends") \(time: $0, .clock)"
      }
      let line: Sentence = "\(held.id)\(by), \(end ?? "for good")"
      return line.text(style)
    }
  }

  /// A row that counts and names the unlocked themes, and a row with a bar for each theme in progress.
  private var themes: [String] {
    let ahead = page.themes.filter { !$0.isUnlocked && $0.progress != nil }
    let width = min(24, ahead.map { DisplayWidth.of($0.theme) }.max() ?? 0)
    var rows = ahead.map { theme in
      let progress = theme.progress.map { "\(ThemeTable.bar($0.fraction, width: 20)) \($0.value) / \($0.target)" } ?? ""
      return Self.padded(theme.theme, width) + "  " + progress
    }
    let unlocked = page.themes.filter(\.isUnlocked).map(\.theme)
    if !page.themes.isEmpty {
      let names = unlocked.isEmpty ? "" : ": " + unlocked.joined(separator: ", ")
      let line: Sentence = "\(unlocked.count) of \(page.themes.count) unlocked\(names)"
      rows.insert(line.text(), at: 0)
    }
    return rows
  }

  private static func change(_ entry: AuditEntry, _ style: OutputStyle) -> String {
    let after = entry.after.map { " " + ValueStyle.words($0) } ?? ""
    let what = entry.action + (entry.key.map { " \($0)" } ?? "")
    let line: Sentence = "\(padded(style.time(entry.at, in: .cell), 10))  \(entry.author.label)  \(what)\(after)"
    return line.text()
  }
}

/// Draws a player's state on the terminal: after each change, and every second so that remaining times are correct.
final class LiveScreen: Sendable {
  private let newest = Mutex<PlayerScreen?>(nil)
  private let screen: Screen

  init(on screen: Screen) { self.screen = screen }

  /// Replaces the state that the screen shows.
  func show(_ next: PlayerScreen) {
    newest.withLock { newest in
      newest = next
      draw(next)
    }
  }

  /// Draws the latest state every second until the task is cancelled.
  func tick() async {
    while (try? await Task.sleep(for: .seconds(1))) != nil {
      newest.withLock { newest in if let newest { draw(newest) } }
    }
  }

  private func draw(_ next: PlayerScreen) {
    let lines = next.lines(screen.style, height: screen.height)
    // Each line is overwritten, and the rest of the screen is cleared at the end. To clear the screen first would flicker.
    screen.write("\u{1b}[H" + lines.map { $0 + "\u{1b}[K\n" }.joined() + "\u{1b}[J")
  }
}
