// gameconfctl iap premium

import ArgumentParser
import GameConfAPI
import GameConfCore

struct IapPremium: ChangeCommand, WordCommand {
  enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

  static let configuration = CommandConfiguration(
    commandName: "premium",
    abstract:
      "Switch a game's premium product on or off for a player, or print its state.",
    discussion: """
      Premium is on while one purchase or grant gives everything that the premium product gives. “on” buys the product, and changes nothing while premium is \
      on. “off” refunds or revokes every purchase and grant that gives all of it; what gives a part stays. Without a word it prints on or off; standard error \
      names what gives it.
      """)

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "on or off.") var position: Switch?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let shop = whom.shop(change, console)
    guard let position else { return try await showState(shop) }
    let reply = try await shop.act(Calls.switchPremium, body: PremiumRequest(isOn: position == .on, reason: change.reason))
    let answer = reply.answer
    if !console.isJSON, !answer.ended.isEmpty {
      for transaction in answer.ended { shop.console.report(Self.ended(transaction)) }
      return
    }
    shop.show(reply) { answer in
      if answer.status == ShopOutcome.Status.retained.rawValue { return "premium is \(position.rawValue) already for \(shop.whom)" }
      return PurchaseWords.sentence(answer, of: "premium")
    }
    try PurchaseWords.check(reply.answer)
  }

  private static func ended(_ transaction: WireTransaction) -> Sentence {
    "\(transaction.subject) is \(transaction.product == nil ? "revoked" : "refunded"); transaction \(transaction.id)"
  }

  private func showState(_ shop: ShopClient) async throws(CtlFailure) {
    let reply = try await shop.console.daemon.ask(Calls.entitlements, shop.variables)
    guard let premium = reply.answer.premium else {
      throw .refused(["the catalog of \(whom.game) names no product as premium"])
    }
    shop.console.show(reply.value) {
      shop.console.screen.write(premium.isOn ? "on\n" : "off\n")
      if let giver = Self.giver(of: premium) { shop.console.screen.note(giver) }
    }
  }

  /// Returns words about the purchase or grant that gives premium access; nil if the player has no premium access.
  private static func giver(of premium: WirePremium) -> Sentence? {
    guard premium.isOn else { return nil }
    let until: Sentence = premium.until.map { " until \(time: $0, .clock)" } ?? ""
    return "\(premium.product) is given by \(premium.by ?? "a grant")\(until)"
  }
}
