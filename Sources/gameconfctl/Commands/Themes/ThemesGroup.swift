// gameconfctl themes

import ArgumentParser

struct ThemesGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "themes", abstract: "Show and change what unlocks the themes of a game.",
    subcommands: [ThemesList.self, ThemesMilestone.self, ThemesReset.self], aliases: ["theme"])
}
