// gameconfctl iap cancel

import ArgumentParser
import GameConfAPI

struct IapCancel: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Switch a subscription's renewal off; what is paid for lasts to its end.")

  @OptionGroup var of: TransactionArguments
  @Flag(help: "Switch renewal on again.") var undo = false
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await of.counter(change, connection).act(
      undo ? Calls.renewalOn : Calls.cancelRenewal, to: of.transaction, fitting: { $0.isActive }
    ) { answer, transaction in
      let end = transaction.expiresAt.map(InstantLook.second) ?? "-"
      let words = undo ? "renews again at \(end)" : "will not renew; it lasts until \(end)"
      return "\(transaction.subject) \(words); transaction \(SafeText.escaped(transaction.id))"
    }
  }
}
