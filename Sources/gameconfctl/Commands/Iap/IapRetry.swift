// gameconfctl iap retry

import ArgumentParser
import GameConfAPI

struct IapRetry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "End a subscription's period now with a renewal that fails; billing is retried.")

  @OptionGroup var of: TransactionArguments
  @Option(
    help: ArgumentHelp("Whether access goes on meanwhile: product, always or never; as the store is set unless said.", valueName: "word"))
  var grace: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await of.counter(change, connection).act(
      Calls.billingRetry, to: of.transaction, body: BillingRetryRequest(grace: grace, reason: change.reason), fitting: { $0.isActive }
    ) { answer, transaction in
      let access = transaction.graceUntil.map { "access goes on until \(InstantLook.second($0))" } ?? "access has ended"
      return "billing of \(transaction.subject) is retried; \(access); transaction \(SafeText.escaped(transaction.id))"
    }
  }
}
