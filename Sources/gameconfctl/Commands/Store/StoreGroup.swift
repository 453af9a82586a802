// gameconfctl store

import ArgumentParser

struct StoreGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Look after the daemon's database.",
    subcommands: [StoreCheck.self, StoreBackup.self, StoreRestore.self, StoreCopies.self])

  /// How long a whole database may take.
  static let patienceSeconds = 3600.0
}
