// gameconfctl iap premium

import ArgumentParser
import GameConfAPI
import GameConfCore

struct IapPremium: AsyncParsableCommand {
  enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

  static let configuration = CommandConfiguration(
    commandName: "premium", abstract: "Buy the product that the game calls premium, or refund it; print whether it is on without a word.")

  @OptionGroup var shopper: ShopperArguments
  @Argument(help: "on or off.") var position: Switch?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let counter = StoreCounter(
      desk: connection.desk(), game: shopper.game, player: shopper.player, change: change, asJSON: connection.json)
    let catalog = try await counter.desk.daemon.ask(Endpoints.catalog, ["game": shopper.game], as: CatalogAnswer.self).answer
    guard let premium = catalog.document["premium"]?.stringValue else {
      throw CtlFailure.refused(["the catalog of \(SafeText.escaped(shopper.game)) names no product as premium"])
    }
    let reply = try await counter.desk.daemon.ask(Endpoints.entitlements, counter.variables, as: EntitlementsAnswer.self)
    let isOn = reply.answer.purchased[premium] == true
    switch position {
    case nil: counter.desk.show(reply.value, asJSON: connection.json) { counter.desk.screen.write(isOn ? "on\n" : "off\n") }
    case .on? where isOn: tell(counter, reply.value, "premium is on already: \(counter.whom) has \(SafeText.escaped(premium))")
    case .on?:
      let reply = try await counter.act(Endpoints.purchase, body: PurchaseRequest(product: premium, reason: change.reason))
      counter.show(reply) { PurchaseWords.sentence($0, of: premium) }
      try PurchaseWords.check(reply.answer)
    case .off?: try await switchOff(premium, counter, reply)
    }
  }

  private func switchOff(_ premium: String, _ counter: StoreCounter, _ entitlements: Reply<EntitlementsAnswer>) async throws(CtlFailure) {
    let live = try await counter.transactions().answer.transactions.last { $0.product == premium && $0.isActive }
    guard let live else {
      guard entitlements.answer.purchased[premium] == true else {
        return tell(counter, entitlements.value, "premium is off already: \(counter.whom) has no \(SafeText.escaped(premium))")
      }
      throw .refused(["\(SafeText.escaped(premium)) comes with another product; refund that one"])
    }
    let reply = try await counter.act(Endpoints.refund, on: live.id)
    counter.show(reply) { _ in "\(SafeText.escaped(premium)) is refunded; transaction \(SafeText.escaped(live.id))" }
  }

  private func tell(_ counter: StoreCounter, _ value: Value, _ sentence: String) {
    counter.desk.show(value, asJSON: connection.json) { counter.desk.screen.write(sentence + "\n") }
  }
}
