// gameconfctl iap recover

import ArgumentParser
import GameConfAPI

struct IapRecover: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "recover", abstract: "Let the billing that is retried succeed.")

  @OptionGroup var of: TransactionArguments
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await of.counter(change, connection).act(
      Calls.recover, to: of.transaction, fitting: { $0.state == "purchased" && $0.revokedAt == nil }
    ) { answer, transaction in
      "billing of \(transaction.subject) is recovered, paid\(transaction.untilWords); transaction \(SafeText.escaped(transaction.id))"
    }
  }
}
