// gameconfctl iap approve

import ArgumentParser
import GameConfAPI

struct IapApprove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "approve", abstract: "Approve a purchase that waits for a parent's word.")

  @OptionGroup var of: TransactionArguments
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await of.counter(change, connection).act(
      Calls.approve, to: of.transaction, fitting: { $0.state == "pending" }
    ) { answer, transaction in
      PurchaseWords.sentence(answer, of: transaction.subject)
    }
  }
}
