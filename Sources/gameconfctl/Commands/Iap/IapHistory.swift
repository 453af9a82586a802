// gameconfctl iap history

import ArgumentParser
import GameConfAPI
import GameConfCore

struct IapHistory: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show a player's history at the store, oldest first, with the notifications of Apple's server.")

  @OptionGroup var whom: PlayerOptions
  @Option(help: ArgumentHelp("The maximum number; the newest are shown.", valueName: "number"))
  var limit = 50
  @Option(help: ArgumentHelp("Only entries older than this one.", valueName: "number"))
  var before: Int64?
  @Flag(help: "The transactions instead of their history.") var transactions = false
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard limit >= 1, limit <= 1000 else { throw ValidationError("--limit must be from 1 to 1000") }
  }

  func run(on console: Console) async throws {
    let variables = whom.variables
    if transactions {
      let reply = try await console.daemon.ask(Calls.transactions, variables)
      return console.show(reply.value) { console.screen.show(TransactionTable.of(reply.answer.transactions)) }
    }
    let query = [("limit", String(limit))] + (before.map { [("before", String($0))] } ?? [])
    let reply = try await console.daemon.ask(Calls.storeLog, variables, query: query)
    console.show(reply.value) {
      console.screen.show(Self.table(reply.answer.entries.reversed()))
      if console.screen.isTerminal, let next = reply.answer.nextBefore { console.screen.say("\nolder ones: --before \(next)") }
    }
  }

  static func table(_ entries: some Sequence<ShopLogLine>) -> Table {
    Table(entries, whenEmpty: "nothing has happened") {
      Column("no") { $0.number }
      Column("at", .date) { $0.at }
      Column("event") { $0.event }
      Column("notification", .aside) { $0.notificationType }
      Column("subtype", .aside) { $0.subtype }
      Column("about") { subject(of: $0).about }
      Column("transaction", .aside) { $0.transaction }
      Column("detail") { subject(of: $0).detail }
    }
  }

  /// Returns the subject of a line in the store's history, and its further details. If a call failed, the history has the subject and the
  /// details in one text.
  private static func subject(of each: ShopLogLine) -> (about: String, detail: String) {
    let isFailure = [ShopEvent.failed, .cancelled].contains { $0.rawValue == each.event }
    guard isFailure, let detail = each.detail, let colon = detail.firstIndex(of: ":") else {
      return (each.subject ?? "-", each.detail ?? "-")
    }
    return (each.subject ?? String(detail[..<colon]), String(detail[colon...].dropFirst(2)))
  }
}
