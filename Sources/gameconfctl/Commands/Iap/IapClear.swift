// gameconfctl iap clear

import ArgumentParser
import GameConfAPI
import GameConfCore

struct IapClear: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Remove every transaction of a player, or one, as though it never happened; the store's behaviour stays.")

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "The one transaction, by its id or its product.") var transaction: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let counter = whom.counter(change, connection)
    var variables = counter.variables
    var what = "every transaction of \(counter.whom)"
    if let transaction {
      let id = try await counter.transaction(named: transaction) { _ in true }
      variables["transaction"] = id
      what = "transaction \(SafeText.escaped(id)) of \(counter.whom)"
    }
    if !change.dryRun { try counter.desk.screen.confirm("Forget \(what)?", isAgreed: change.agreement.yes) }
    let reply = try await counter.desk.daemon.tell(
      transaction == nil ? Calls.clearTransactions : Calls.deleteTransaction, variables, change: change)
    counter.desk.show(reply.answer == nil ? .object(ObjectValue()) : reply.value, asJSON: connection.json) {
      counter.desk.screen.say(change.told("\(what) is forgotten"))
    }
  }
}
