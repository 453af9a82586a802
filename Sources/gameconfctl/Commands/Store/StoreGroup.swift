// gameconfctl store

import ArgumentParser

struct StoreGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Check, back up, restore and move the daemon's database.",
    subcommands: [StoreCheckRun.self, StoreBackupMake.self, StoreRestore.self, StoreCopies.self, StoreMoveRun.self])

  /// The timeout in seconds for sending or receiving a whole database.
  static let patienceSeconds = 3600.0
}
