// gameconfctl config

import ArgumentParser

struct ConfigGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Read values, override them, and explain them.",
    subcommands: [
      ConfigList.self, ConfigGet.self, ConfigSet.self, ConfigReset.self, ConfigClear.self, ConfigRelease.self, ConfigExplain.self,
      ConfigWatch.self, ConfigExport.self, ConfigImport.self, ConfigChanges.self, ConfigSimulate.self,
    ])

  /// The longest time in seconds for which a change of many overrides may wait for other such changes. The daemon makes them one at a time,
  /// with a pause after each.
  static let patienceSeconds = 300.0
}
