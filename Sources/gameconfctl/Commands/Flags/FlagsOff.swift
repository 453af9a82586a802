// gameconfctl flags off

import ArgumentParser

struct FlagsOff: ChangeCommand {
  static let configuration = CommandConfiguration(commandName: "off", abstract: "Switch features off, for the game or one player.")

  @OptionGroup var flag: FeatureFlagOptions
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws { try await flag.setFlags(false, change, console) }
}
