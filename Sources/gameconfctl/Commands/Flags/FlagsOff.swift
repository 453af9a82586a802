// gameconfctl flags off

import ArgumentParser

struct FlagsOff: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "off", abstract: "Switch features off, for the game or one player.")

  @OptionGroup var flag: FlagOptions
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws { try await flag.turn(false, change, connection) }
}
