// gameconfctl iap decline

import ArgumentParser
import GameConfAPI

struct IapDecline: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "decline", abstract: "Decline a purchase that waits for a parent's word.")

  @OptionGroup var of: TransactionArguments
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await of.counter(change, connection).act(
      Calls.decline, to: of.transaction, fitting: { $0.state == "pending" }
    ) { answer, transaction in
      "the purchase of \(transaction.subject) is declined; transaction \(SafeText.escaped(transaction.id))"
    }
  }
}
