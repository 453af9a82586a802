// gameconfctl audit list

import ArgumentParser
import GameConfAPI
import GameConfCore

struct AuditListing: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List changes of a game, or of all games and the daemon, the newest first.")

  @Argument(help: "The game; all games if left out.", completion: .games) var game: String?
  @Option(help: ArgumentHelp("The maximum number.", valueName: "number"))
  var limit = 50
  @Option(help: ArgumentHelp("Only entries older than this one.", valueName: "id"))
  var before: Int64?
  @OptionGroup var filter: AuditFilter
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard limit >= 1, limit <= 1000 else { throw ValidationError("--limit must be from 1 to 1000") }
  }

  func run(on console: Console) async throws {
    var query = [("limit", String(limit))] + (try await filter.query(of: console, in: game))
    if let before { query.append(("before", String(before))) }
    let reply =
      if let game {
        try await console.daemon.ask(Calls.audit, ["game": game], query: query)
      } else {
        try await console.daemon.ask(Calls.auditAll, query: query)
      }
    console.show(reply.value) {
      console.screen.show(
        AuditTable.of(reply.answer.entries, showsGames: game == nil, inWords: console.screen.isTerminal && !console.screen.isLong))
      if console.screen.isTerminal, let next = reply.answer.nextBefore { console.screen.say("\nolder ones: --before \(next)") }
    }
  }
}

enum AuditTable {
  /// - Parameters:
  ///   - showsGames: whether the game of each is reported.
  ///   - inWords: whether what was done is reported in words; values stand as they are.
  static func of(_ entries: [AuditEntry], showsGames: Bool = false, inWords: Bool = false) -> Table {
    var columns: [Column] = [
      "id", .when("at"), .aside("author"), "action", "key", "player", .value("before"), .value("after"), .aside("reason"),
    ]
    if showsGames { columns.insert("game", at: 3) }
    var table = Table(columns, whenEmpty: "no changes", markMeaning: "taken back since")
    for entry in entries {
      var row = cells(entry, inWords: inWords)
      if showsGames { row.insert(entry.game ?? "-", at: 3) }
      table.add(row, isMarked: entry.revertedBy != nil)
    }
    return table
  }

  static func cells(_ entry: AuditEntry, inWords: Bool = false) -> [String] {
    // Of a catalog the keys say more than what stood there whole.
    if entry.action.hasPrefix("catalog.") {
      let keys = (entry.detail["keys"]?.listValue ?? entry.detail["parts"]?.listValue ?? []).compactMap(\.stringValue)
      let number = entry.detail["catalog"]?.integerValue.map { "catalog \($0)" } ?? "-"
      return [
        String(entry.id), entry.at.text, entry.author.label, entry.action, keys.isEmpty ? "-" : keys.joined(separator: ","), "-",
        entry.detail["former"]?.integerValue.map { "catalog \($0)" } ?? "-", number, entry.reason ?? "-",
      ]
    }
    let isValue = !inWords || entry.action.hasPrefix("override.") || entry.action == "player.setting"
    let style = isValue ? ValueStyle.cell : ValueStyle.words
    return [
      String(entry.id), entry.at.text, entry.author.label, entry.action, entry.key ?? "-",
      entry.player.map { inWords ? Self.short($0) : $0 } ?? "-",
      entry.before.map(style) ?? "-", entry.after.map(style) ?? entry.detailWords ?? "-", entry.reason ?? "-",
    ]
  }
}

extension AuditTable {
  /// The beginning of a digest that stands for a player who was forgotten; any other id stays whole, for it has to be typed.
  static func short(_ player: String) -> String {
    let kept = 12
    let digits = player.dropFirst("sha256:".count)
    guard player.hasPrefix("sha256:"), digits.utf8.count == 64, digits.allSatisfy(\.isHexDigit) else { return player }
    return "sha256:\(digits.prefix(kept))…"
  }
}

extension AuditEntry {
  /// The further details, in words; nil when there are none.
  var detailWords: String? {
    if detail.isEmpty { return nil }
    return detail.members.map { "\($0.name) \(CatalogPage.words($0.value))" }.joined(separator: ", ")
  }
}
