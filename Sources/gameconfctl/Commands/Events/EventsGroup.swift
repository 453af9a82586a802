// gameconfctl events

import ArgumentParser

struct EventsGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events", abstract: "See what games tell of their players: what analytics used to get.",
    subcommands: [EventsFollow.self, EventsExport.self])
}
