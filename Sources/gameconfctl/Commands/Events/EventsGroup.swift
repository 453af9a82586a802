// gameconfctl events

import ArgumentParser

struct EventsGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events", abstract: "Show the events that games send about their players, as for analytics.",
    discussion: "To report an event as a game does, use “gameconfctl ads event”.",
    subcommands: [EventsFollow.self, EventsExport.self])
}
