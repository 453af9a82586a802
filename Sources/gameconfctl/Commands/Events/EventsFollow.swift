// gameconfctl events follow

import ArgumentParser

struct EventsFollow: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Print every event of a game as it is recorded, until interrupted.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("Begin with events recorded since then, such as 2h, yesterday or 9:00.", valueName: "time"))
  var since: String?
  @Option(help: ArgumentHelp("Begin after this cursor.", valueName: "cursor"))
  var after: String?
  @Option(help: ArgumentHelp("End after this number of events.", valueName: "number"))
  var count: Int?
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard since == nil || after == nil else { throw ValidationError("--since and --after both name the beginning; give one of them") }
    if let count, count < 1 { throw ValidationError("--count must be at least 1") }
  }

  func run(on console: Console) async throws {
    console.screen.endWithReader()
    let since = try await console.daemon.past(since)
    var lines = EventLines(console.daemon, game: game, follows: true, after: since == nil ? after ?? "newest" : nil, since: since)
    var left = count ?? .max
    while left > 0, let line = try await lines.next() {
      if console.isJSON { console.screen.write(EventWords.json(line) + "\n") } else { console.screen.line(EventWords.line(line)) }
      left -= 1
    }
  }
}
