// gameconfctl template diff

import ArgumentParser
import GameConfAPI

struct TemplateDiff: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Tell which keys a template would change: for nobody, for one player, for a share of players.",
    discussion: "Simulated players are told apart by their ids alone; what reads the platform or a version is not met by any of them.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @Option(help: ArgumentHelp("With the values of this player.", valueName: "id"), completion: .players)
  var player: String?
  @Option(help: ArgumentHelp("Also for how many of so many simulated players, up to 10000.", valueName: "number"))
  var players: Int64?
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if let players, !(1...10_000).contains(players) { throw ValidationError("--players must be from 1 to 10000") }
  }

  func run() async throws {
    let desk = connection.desk()
    var change = ChangeOptions.plain
    change.dryRun = true
    var query = player.map { [("player", $0)] } ?? []
    if let players { query.append(("players", String(players))) }
    let reply = try await TemplatePush.send(TemplatePush.document(file), to: game, query, change, desk, timeout: connection.timeout)
    desk.show(reply.value, asJSON: connection.json) { desk.screen.show(TemplateWords.table(reply.answer.changes, players: players)) }
  }
}
