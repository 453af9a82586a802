// gameconfctl leaderboard

import ArgumentParser

struct LeaderboardGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leaderboard", abstract: "Show the best scores of all players.",
    subcommands: [LeaderboardList.self, LeaderboardShow.self],
    aliases: ["leaderboards"])
}
