// gameconfctl audit list

import ArgumentParser
import GameConfAPI
import GameConfCore

struct AuditListing: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List changes of a game, the newest first.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("At most so many.", valueName: "number"))
  var limit = 50
  @Option(help: ArgumentHelp("Only entries older than this one.", valueName: "id"))
  var before: Int64?
  @OptionGroup var filter: AuditFilter
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard limit >= 1, limit <= 1000 else { throw ValidationError("--limit must be from 1 to 1000") }
  }

  func run() async throws {
    let desk = connection.desk()
    var query = [("limit", String(limit))] + filter.query
    if let before { query.append(("before", String(before))) }
    let reply = try await desk.daemon.ask(Calls.audit, ["game": game], query: query)
    desk.show(reply.value, asJSON: connection.json) {
      desk.screen.show(AuditTable.of(reply.answer.entries))
      if desk.screen.isTerminal, let next = reply.answer.nextBefore { desk.screen.say("\nolder ones: --before \(next)") }
    }
  }
}

enum AuditTable {
  static func of(_ entries: [AuditEntry]) -> Table {
    var table = Table(
      [
        "id", .when("at"), .aside("author"), "action", "key", "player", .value("before"), .value("after"), .aside("reason"),
      ], whenEmpty: "no changes",
      markMeaning: "taken back since")
    for entry in entries { table.add(cells(entry), isMarked: entry.revertedBy != nil) }
    return table
  }

  static func cells(_ entry: AuditEntry) -> [String] {
    [
      String(entry.id), entry.at.text, entry.author.label, entry.action, entry.key ?? "-", entry.player ?? "-",
      entry.before.map(ValueLook.cell) ?? "-", entry.after.map(ValueLook.cell) ?? entry.detailWords ?? "-", entry.reason ?? "-",
    ]
  }
}

extension AuditEntry {
  /// What else is to be known, in words; nil when there is nothing.
  var detailWords: String? {
    if detail.isEmpty { return nil }
    return detail.members.map { "\($0.name) \(CatalogPage.words($0.value))" }.joined(separator: ", ")
  }
}
