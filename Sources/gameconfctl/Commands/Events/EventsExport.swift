// gameconfctl events export

import ArgumentParser

struct EventsExport: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print the stored events of a game, one JSON object a line, the oldest first.",
    discussion: "Each line has a “cursor”. Give the last one to --after, and the next export goes on from there.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("Only events recorded since then, such as 2h, yesterday or 9:00.", valueName: "time"))
  var since: String?
  @Option(help: ArgumentHelp("Only events after this cursor.", valueName: "cursor"))
  var after: String?
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard since == nil || after == nil else { throw ValidationError("--since and --after both name the beginning; give one of them") }
  }

  func run(on console: Console) async throws {
    let since = try await console.daemon.past(since)
    var lines = EventLines(console.daemon, game: game, follows: false, after: after, since: since)
    while let line = try await lines.next() { console.screen.write(EventWords.json(line) + "\n") }
  }
}
