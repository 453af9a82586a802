// gameconfctl iap buy

import ArgumentParser
import GameConfAPI

struct IapBuy: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "buy", abstract: "Buy a product for a player, with the outcome the player's store is set to.",
    discussion: "Exits with 1 if the store is set to fail the purchase, or to let the player cancel it.")

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "The product.", completion: .products) var product: String
  @Option(help: ArgumentHelp("In this currency, as ISO 4217 names it.", valueName: "code"))
  var currency: String?
  @Flag(help: "Finish the transaction too, as a game does after it has delivered the purchase.") var finish = false
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if finish, change.dryRun { throw ValidationError("--finish has nothing to finish in a dry run.") }
  }

  func run(on console: Console) async throws {
    let shop = whom.shop(change, console)
    let request = PurchaseRequest(product: product, currency: currency, reason: change.reason)
    var reply = try await shop.act(Calls.purchase, body: request)
    let bought = reply.answer
    if finish, let transaction = bought.transaction, transaction.state == "purchased", transaction.finishedAt == nil {
      var shop = shop
      // The user's idempotency key belongs to the purchase, so the next call must not use it again.
      shop.change.idempotencyKey = nil
      reply = try await shop.act(.finish, on: transaction.id)
    }
    shop.show(reply) { answer in
      PurchaseWords.sentence(bought, of: product) + (answer.transaction?.finishedAt == nil ? "" : ", finished")
    }
    try PurchaseWords.check(bought)
  }
}
