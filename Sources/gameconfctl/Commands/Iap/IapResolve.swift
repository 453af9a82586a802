// gameconfctl iap resolve

import ArgumentParser
import GameConfAPI

struct IapResolve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve", abstract: "Resolve what interrupts a purchase, which then succeeds.")

  @OptionGroup var of: TransactionArguments
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await of.counter(change, connection).act(
      Calls.resolve, to: of.transaction, fitting: { $0.state == "interrupted" }
    ) { answer, transaction in
      PurchaseWords.sentence(answer, of: transaction.subject)
    }
  }
}
