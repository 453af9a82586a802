// gameconfctl iap expire

import ArgumentParser
import GameConfAPI

struct IapExpire: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "expire", abstract: "End a subscription now.")

  @OptionGroup var of: TransactionArguments
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await of.counter(change, connection).act(
      Calls.expire, to: of.transaction, fitting: { $0.isActive }
    ) { answer, transaction in
      "\(transaction.subject) is expired; transaction \(SafeText.escaped(transaction.id))"
    }
  }
}
