// gameconfctl events

import ArgumentParser

struct EventsGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events", abstract: "Show the events that games send about their players, as for analytics.",
    subcommands: [EventsFollow.self, EventsExport.self])
}
