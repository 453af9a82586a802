// gameconfctl iap revoke

import ArgumentParser
import GameConfAPI

struct IapRevoke: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Take a purchase or a grant back without a refund, as when family sharing ends.")

  @OptionGroup var of: TransactionArguments
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await of.counter(change, connection).act(
      Calls.revoke, to: of.transaction, fitting: { $0.state == "purchased" && $0.revokedAt == nil }
    ) { answer, transaction in
      "\(transaction.subject) is revoked; transaction \(SafeText.escaped(transaction.id))"
    }
  }
}
