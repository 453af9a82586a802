// gameconfctl iap

import ArgumentParser

struct IapGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "iap", abstract: "Buy, refund, renew and grant at the simulated store; no money is involved.",
    discussion: """
      Name a product by its id in the game, or by its id at the store. Name a transaction by its id, or by its product or \
      entitlement for the newest matching one.
      """,
    subcommands: [
      IapProducts.self, IapStatus.self, IapPremium.self, IapBuy.self, IapPlay.self, IapGrant.self, IapAct<IapActs.Revoke>.self,
      IapAct<IapActs.Approve>.self, IapAct<IapActs.Decline>.self, IapAct<IapActs.Resolve>.self, IapAct<IapActs.Refund>.self,
      IapAct<IapActs.Expire>.self, IapAct<IapActs.Renew>.self, IapAct<IapActs.Cancel>.self, IapAct<IapActs.Retry>.self,
      IapAct<IapActs.Recover>.self, IapPrice.self, IapRestore.self, IapFinish.self, IapHistory.self, IapClear.self, IapBehaviour.self,
      IapClock.self,
    ] + Faces.iap)
}

struct TransactionArguments: ParsableArguments {
  @OptionGroup var whom: PlayerOptions
  @Argument(help: "The transaction's id, or a product or an entitlement for its newest matching transaction.", completion: .transactions)
  var transaction: String
}

extension PlayerOptions {
  /// Returns a client of the simulated store for this player.
  func shop(_ change: ChangeOptions, _ console: Console) -> ShopClient {
    ShopClient(console: console, game: game, player: player, change: change)
  }
}
