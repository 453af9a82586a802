// gameconfctl iap grant

import ArgumentParser
import GameConfAPI

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
    let shop = whom.shop(change, console)
    let reply = try await shop.act(
      Calls.grant, body: GrantRequest(entitlement: entitlement, period: period.map(LengthText.period), reason: change.reason))
    shop.show(reply) { answer in
      let until: Sentence = answer.transaction?.expiresAt.map { " until \(time: $0, .clock)" } ?? " for good"
      let id = answer.transaction.map { "; transaction \($0.id)" } ?? ""
      return "\(entitlement) is granted to \(shop.whom)\(until)\(id)"
    }
  }
}
