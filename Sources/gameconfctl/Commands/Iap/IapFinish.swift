// gameconfctl iap finish

import ArgumentParser
import GameConfAPI

struct IapFinish: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "finish", abstract: "Report that a purchase was delivered, as a game does; until then the store delivers it again.")

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "The transaction's id, or a product for its newest unfinished transaction.") var transaction: String?
  @Flag(help: "Every unfinished transaction.") var all = false
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard (transaction == nil) == all else { throw ValidationError("Give either a transaction or --all.") }
    if all, change.idempotencyKey != nil { throw ValidationError("--idempotency-key is for one change; leave it out with --all.") }
  }

  func run(on console: Console) async throws {
    let shop = whom.shop(change, console)
    if let transaction {
      try await ShopCommand.finish.perform(shop, on: transaction)
      return
    }
    let unfinished = try await shop.console.daemon.ask(
      Calls.transactions, whom.variables, query: [("unfinished", "true")]
    ).answer.transactions
    if unfinished.isEmpty, !console.isJSON { shop.console.screen.note("every transaction is finished") }
    for each in unfinished { try await ShopCommand.finish.perform(shop, on: each.id) }
  }
}
