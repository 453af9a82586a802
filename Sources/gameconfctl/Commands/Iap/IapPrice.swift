// gameconfctl iap price

import ArgumentParser
import GameConfAPI

struct IapPrice: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "price", abstract: "Change what a subscription costs from its next renewal, or accept a new price for the player.")

  @OptionGroup var of: TransactionArguments
  @Argument(help: "The price, such as 3.99; absent with --accept.") var amount: String?
  @Option(help: ArgumentHelp("Its currency, as ISO 4217 names it.", valueName: "code"))
  var currency = "USD"
  @Flag(help: "A rise ends the subscription unless it is accepted before the renewal.") var consent = false
  @Flag(help: "Accept the price that waits for consent.") var accept = false
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard (amount == nil) == accept else { throw ValidationError("Say either a price or --accept.") }
    if accept, consent { throw ValidationError("--consent goes with a price.") }
  }

  func run() async throws {
    let counter = of.counter(change, connection)
    guard let amount else {
      return try await counter.act(Calls.acceptPrice, to: of.transaction, fitting: { $0.isActive }) { answer, transaction in
        "the new price of \(transaction.subject) is accepted; transaction \(SafeText.escaped(transaction.id))"
      }
    }
    let request = PriceChangeRequest(amount: amount, currency: currency, needsConsent: consent, reason: change.reason)
    try await counter.act(Calls.changePrice, to: of.transaction, body: request, fitting: { $0.isActive }) { answer, transaction in
      let end = transaction.expiresAt.map { " from \(InstantLook.second($0)) on" } ?? ""
      let price = "\(SafeText.escaped(amount)) \(SafeText.escaped(currency))"
      let condition = consent ? ", a rise only where it is accepted before" : ""
      return "\(transaction.subject) costs \(price)\(end)\(condition); transaction \(SafeText.escaped(transaction.id))"
    }
  }
}
