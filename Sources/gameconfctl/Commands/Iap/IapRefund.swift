// gameconfctl iap refund

import ArgumentParser
import GameConfAPI

struct IapRefund: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refund", abstract: "Refund a purchase: what it gave is taken back. Or decline a refund that was asked for.")

  @OptionGroup var of: TransactionArguments
  @Flag(help: "Decline it: nothing but the history changes.") var decline = false
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await of.counter(change, connection).act(
      decline ? Calls.refundDecline : Calls.refund, to: of.transaction,
      fitting: { $0.state == "purchased" && $0.revokedAt == nil && $0.product != nil }
    ) { answer, transaction in
      let what = decline ? "a refund of \(transaction.subject) is declined" : "\(transaction.subject) is refunded"
      return "\(what); transaction \(SafeText.escaped(transaction.id))"
    }
  }
}
