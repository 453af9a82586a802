// gameconfctl leaderboard

import ArgumentParser

struct LeaderboardGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leaderboard", abstract: "Show the best scores of all players, and remove one.",
    subcommands: [LeaderboardList.self, LeaderboardShow.self, LeaderboardRemove.self],
    aliases: ["leaderboards"])
}
