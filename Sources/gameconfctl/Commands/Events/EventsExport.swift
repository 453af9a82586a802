// gameconfctl events export

import ArgumentParser

struct EventsExport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print the events of a game that are kept, one JSON object a line, the oldest first.",
    discussion: "Each line has a “cursor”; the next export begins after the last one with --after.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("Only those recorded from then on, such as 2h, yesterday or 9:00.", valueName: "time"))
  var since: String?
  @Option(help: ArgumentHelp("Only those after the event that had this cursor.", valueName: "cursor"))
  var after: String?
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard since == nil || after == nil else { throw ValidationError("--since and --after both say where to begin; say one of them") }
  }

  func run() async throws {
    let desk = connection.desk()
    let since = try await desk.daemon.past(since)
    var lines = EventLines(desk.daemon, game: game, follows: false, after: after, since: since)
    while let line = try await lines.next() { desk.screen.write(EventWords.json(line) + "\n") }
  }
}
