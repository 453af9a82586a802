// gameconfctl iap premium

import ArgumentParser
import GameConfAPI
import GameConfCore

struct IapPremium: AsyncParsableCommand {
  enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

  static let configuration = CommandConfiguration(
    commandName: "premium", abstract: "Buy the product that the game calls premium, or refund it; without a word, print whether it is on.")

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "on or off.") var position: Switch?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let counter = StoreCounter(
      desk: connection.desk(), game: whom.game, player: whom.player, change: change, asJSON: connection.json)
    guard let position else { return try await tell(counter) }
    let isOn = position == .on
    let reply = try await counter.act(Calls.switchPremium, body: PremiumRequest(isOn: isOn, reason: change.reason))
    counter.show(reply) { answer in
      if answer.status == StoreOutcome.Status.kept.rawValue { return "premium is \(position.rawValue) already for \(counter.whom)" }
      if isOn { return PurchaseWords.sentence(answer, of: "premium") }
      return
        "\(answer.transaction?.subject ?? "premium") is refunded\(answer.transaction.map { "; transaction \(SafeText.escaped($0.id))" } ?? "")"
    }
    try PurchaseWords.check(reply.answer)
  }

  private func tell(_ counter: StoreCounter) async throws(CtlFailure) {
    let catalog = try await counter.desk.daemon.ask(Calls.catalog, ["game": whom.game]).answer
    guard let premium = catalog.document["premium"]?.stringValue else {
      throw .refused(["the catalog of \(SafeText.escaped(whom.game)) names no product as premium"])
    }
    let reply = try await counter.desk.daemon.ask(Calls.entitlements, counter.variables)
    counter.desk.show(reply.value, asJSON: connection.json) {
      counter.desk.screen.write(reply.answer.purchased[premium] == true ? "on\n" : "off\n")
    }
  }
}
