// gameconfctl iap renew

import ArgumentParser
import GameConfAPI

struct IapRenew: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "renew", abstract: "End a subscription's period now and begin the next.")

  @OptionGroup var of: TransactionArguments
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await of.counter(change, connection).act(
      Calls.renew, to: of.transaction, fitting: { $0.isActive }
    ) { answer, transaction in
      "\(transaction.subject) is renewed\(transaction.untilWords); transaction \(SafeText.escaped(transaction.id))"
    }
  }
}
