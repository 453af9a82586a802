// gameconfctl gate

import ArgumentParser

struct GateGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate", abstract: "Show what is locked for a player.", subcommands: [GateCheckRun.self], aliases: ["gates"])
}
