// gameconfctl flags on

import ArgumentParser

struct FlagsOn: ChangeCommand {
  static let configuration = CommandConfiguration(commandName: "on", abstract: "Switch features on, for the game or one player.")

  @OptionGroup var flag: FeatureFlagOptions
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws { try await flag.setFlags(true, change, console) }
}
