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
      “on” buys the premium product. “off” refunds or revokes every purchase and grant that gives the same. Without a word it prints on or off; standard error \
      names the product or grant that gives it.
      """)

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "on or off.") var position: Switch?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let shop = whom.shop(change, console)
    guard let position else { return try await tell(shop) }
    let reply = try await shop.act(Calls.switchPremium, body: PremiumRequest(isOn: position == .on, reason: change.reason))
    let answer = reply.answer
    if !console.isJSON, !answer.ended.isEmpty {
      for transaction in answer.ended { shop.console.report(Self.ended(transaction)) }
      return
    }
    shop.show(reply) { answer in
      if answer.status == ShopOutcome.Status.kept.rawValue { return "premium is \(position.rawValue) already for \(shop.whom)" }
      return PurchaseWords.sentence(answer, of: "premium")
    }
    try PurchaseWords.check(reply.answer)
  }

  private static func ended(_ transaction: WireTransaction) -> Sentence {
    "\(transaction.subject) is \(transaction.product == nil ? "revoked" : "refunded"); transaction \(transaction.id)"
  }

  private func tell(_ shop: ShopClient) async throws(CtlFailure) {
    let catalog = try await shop.console.daemon.ask(Calls.catalog, ["game": whom.game]).answer
    guard let premium = catalog.document["premium"]?.stringValue else {
      throw .refused(["the catalog of \(whom.game) names no product as premium"])
    }
    let reply = try await shop.console.daemon.ask(Calls.entitlements, shop.variables)
    let granted = catalog.element(premium, of: "products")?["grants"]?.listValue?.compactMap(\.stringValue) ?? []
    let holding = Self.holding(granted, premium, reply.answer)
    shop.console.show(reply.value) {
      shop.console.screen.write(holding == nil ? "off\n" : "on\n")
      if let holding { shop.console.screen.note(holding) }
    }
  }

  /// The entitlements that give the player all that premium gives; nil when something of it is missing.
  static func holding(_ granted: [String], _ premium: String, _ answer: EntitlementsAnswer) -> Sentence? {
    // A product that gives nothing by itself is on while it is bought.
    if granted.isEmpty { return answer.purchased[premium] == true ? "\(premium) is bought" : nil }
    var words: [Sentence] = []
    for name in granted {
      guard let held = answer.entitlements.first(where: { $0.id == name && $0.isActive }) else { return nil }
      let by = held.product.map { "by \($0)" } ?? "by a grant"
      let until: Sentence = held.expiresAt.map { " until \(time: $0, .clock)" } ?? ""
      words.append("\(name) is active \(by)\(until)")
    }
    return words.joined(separator: ", ")
  }
}
