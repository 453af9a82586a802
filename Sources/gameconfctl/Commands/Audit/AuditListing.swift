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
  /// Returns audit entries as a table.
  /// - Parameters:
  ///   - showsGames: True to show the game of each entry.
  ///   - inWords: True to show changes in words. The values of overrides and settings are shown as they are.
  static func of(_ entries: [AuditEntry], showsGames: Bool = false, inWords: Bool = false) -> Table {
    Table(entries, whenEmpty: "no changes", markMeaning: "taken back since", isMarked: { $0.revertedBy != nil }) {
      Column("id") { $0.id }
      Column("at", .when) { $0.at }
      Column("author", .aside) { $0.author.label }
      if showsGames { Column("game") { $0.game } }
      Column("action") { $0.action }
      Column("key") { key(of: $0) }
      Column("player") { $0.isOfCatalog ? nil : $0.player.map { inWords ? short($0) : $0 } }
      Column("before", .value) { entry in
        entry.isOfCatalog ? catalog("former", entry) : entry.before.map { shown($0, of: entry, inWords) }
      }
      Column("after", .value) { entry in
        entry.isOfCatalog ? catalog("catalog", entry) : entry.after.map { shown($0, of: entry, inWords) } ?? entry.detailWords
      }
      Column("reason", .aside) { $0.reason }
    }
  }

  /// Returns an entry's key. For a catalog it returns the keys that differ, because they say more than the whole content.
  private static func key(of entry: AuditEntry) -> String? {
    guard entry.isOfCatalog else { return entry.key }
    let keys = (entry.detail["keys"]?.listValue ?? entry.detail["parts"]?.listValue ?? []).compactMap(\.stringValue)
    return keys.isEmpty ? nil : keys.joined(separator: ",")
  }

  private static func catalog(_ member: String, _ entry: AuditEntry) -> String? {
    entry.detail[member]?.integerValue.map { "catalog \($0)" }
  }

  private static func shown(_ value: Value, of entry: AuditEntry, _ inWords: Bool) -> String {
    let isValue = !inWords || entry.action.hasPrefix("override.") || entry.action == "player.setting"
    return isValue ? ValueStyle.cell(value) : ValueStyle.words(value)
  }
}

extension AuditTable {
  /// Shortens the digest that replaces a forgotten player's id. Any other id is returned whole, because people type it.
  static func short(_ player: String) -> String {
    let shownDigits = 12
    let digits = player.dropFirst("sha256:".count)
    guard player.hasPrefix("sha256:"), digits.utf8.count == 64, digits.allSatisfy(\.isHexDigit) else { return player }
    return "sha256:\(digits.prefix(shownDigits))…"
  }
}

extension AuditEntry {
  fileprivate var isOfCatalog: Bool { action.hasPrefix("catalog.") }

  /// The entry's further details in words; nil if it has no details.
  var detailWords: String? {
    if detail.isEmpty { return nil }
    return detail.members.map { "\($0.name) \(CatalogPage.words($0.value))" }.joined(separator: ", ")
  }
}
