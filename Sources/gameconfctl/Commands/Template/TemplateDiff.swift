// gameconfctl template diff

import ArgumentParser
import GameConfAPI

struct TemplateDiff: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Print the keys that a template would change: without a player, for one player, or for simulated players.",
    discussion: "Simulated players differ only in their ids; conditions on the platform or a version match no simulated player.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @Option(help: ArgumentHelp("Print the values for this player.", valueName: "id"), completion: .players)
  var player: String?
  @Option(help: ArgumentHelp("The number of simulated players, up to 10000; prints for how many each value changes.", valueName: "number"))
  var players: Int64?
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if let players, !(1...10_000).contains(players) { throw ValidationError("--players must be from 1 to 10000") }
  }

  func run(on console: Console) async throws {
    var change = ChangeOptions.plain
    change.dryRun = true
    var query = player.map { [("player", $0)] } ?? []
    if let players { query.append(("players", String(players))) }
    let reply = try await TemplatePush.send(TemplatePush.document(file), to: game, query, change, console)
    console.show(reply.value) { console.screen.show(TemplateWords.table(reply.answer.changes, players: players)) }
  }
}
