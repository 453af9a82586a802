// gameconfctl themes

import ArgumentParser

struct ThemesGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "themes", abstract: "See what unlocks the themes of a game, and change it.",
    subcommands: [ThemesList.self, ThemesMilestone.self, ThemesReset.self], aliases: ["theme"])
}
