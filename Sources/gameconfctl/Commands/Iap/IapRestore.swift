// gameconfctl iap restore

import ArgumentParser
import GameConfAPI

struct IapRestore: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Deliver a player's purchases again, or move another player's purchases here.",
    discussion: "Exits with 1 if the store is set to fail the restore.")

  @OptionGroup var whom: PlayerOptions
  @Option(name: .customLong("from"), help: ArgumentHelp("Move this player's purchases here.", valueName: "player"))
  var fromPlayer: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let shop = whom.shop(change, console)
    let reply = try await shop.act(
      Calls.restorePurchases, body: RestoreRequest(fromPlayer: fromPlayer, reason: change.reason))
    shop.show(reply, saying: sentence)
    if !console.isJSON, !reply.answer.delivered.isEmpty { shop.console.screen.show(TransactionTable.of(reply.answer.delivered)) }
    try PurchaseWords.check(reply.answer)
  }

  private func sentence(_ answer: ShopActAnswer) -> Sentence {
    if let error = answer.error { return "the restore failed: \(error)" }
    let count = answer.delivered.count == 1 ? "1 transaction is" : "\(answer.delivered.count) transactions are"
    guard let fromPlayer else { return "\(count) delivered again" }
    return "\(count) brought along from player \(fromPlayer)"
  }
}
