// gameconfctl iap finish

import ArgumentParser
import GameConfAPI

struct IapFinish: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "finish", abstract: "Say that what was bought has been delivered, as a game does; until then it is delivered again.")

  @OptionGroup var of: TransactionArguments
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await of.counter(change, connection).act(
      Endpoints.finishTransaction, to: of.transaction, fitting: { $0.state == "purchased" && $0.finishedAt == nil }
    ) { answer, transaction in
      "\(transaction.subject) is finished; transaction \(SafeText.escaped(transaction.id))"
    }
  }
}
