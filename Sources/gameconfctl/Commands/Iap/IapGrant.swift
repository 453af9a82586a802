// gameconfctl iap grant

import ArgumentParser

struct IapGrant: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant", abstract: "Grant a player an entitlement without a purchase, for a time or permanently.")

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "The entitlement; capitals count.", completion: .entitlements) var entitlement: String
  @Option(name: .customLong("for"), help: ArgumentHelp("For this calendar period, such as 7d, “1 month”, P1M or P1Y.", valueName: "period"))
  var period: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    try await whom.shop(change, console).grant(entitlement, for: period)
  }
}
