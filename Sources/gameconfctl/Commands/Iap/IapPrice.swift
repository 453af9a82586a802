// gameconfctl iap price

import ArgumentParser
import GameConfAPI

struct IapPrice: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "price", abstract: "Change what a subscription costs from its next renewal, or accept a new price for the player.")

  @OptionGroup var of: TransactionArguments
  @Argument(help: "The price, such as 3.99; leave it out with --accept.") var amount: String?
  @Option(help: ArgumentHelp("Its currency, as ISO 4217 names it.", valueName: "code"))
  var currency = "USD"
  @Flag(help: "A rise ends the subscription unless it is accepted before the renewal.") var consent = false
  @Flag(help: "Accept the price that waits for consent.") var accept = false
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard (amount == nil) == accept else { throw ValidationError("Give either a price or --accept.") }
    if accept, consent { throw ValidationError("--consent needs a price.") }
  }

  func run(on console: Console) async throws {
    let act = amount.map { ShopCommand.price($0, currency, needsConsent: consent) } ?? .acceptPrice
    try await act.perform(of.whom.shop(change, console), on: of.transaction)
  }
}
