// gameconfctl iap clear

import ArgumentParser
import GameConfAPI
import GameConfCore

struct IapClear: ChangeCommand, DestructiveCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Remove every transaction of a player, or one, as though it never happened; the store's behaviour stays.")

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "The one transaction, by its id or its product.") var transaction: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let shop = whom.shop(change, console)
    var variables = shop.variables
    var what = "every transaction of \(shop.whom)"
    if let transaction {
      let id = try await shop.transaction(named: transaction) { _ in true }
      variables["transaction"] = id
      what = "transaction \(id) of \(shop.whom)"
    }
    if !change.dryRun { try shop.console.screen.confirm("Forget \(what)?", isAgreed: change.agreement.yes) }
    let reply = try await shop.console.daemon.send(
      transaction == nil ? Calls.clearTransactions : Calls.deleteTransaction, variables, change: change)
    shop.console.show(reply.answer == nil ? .object(ObjectValue()) : reply.value) {
      shop.console.report("\(what) is forgotten")
    }
  }
}
