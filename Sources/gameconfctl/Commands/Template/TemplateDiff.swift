// gameconfctl template diff

import ArgumentParser
import GameConfAPI

struct TemplateDiff: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Tell which keys a template would change, for nobody in particular or for one player.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @Option(help: ArgumentHelp("With the values of this player.", valueName: "id"), completion: .players)
  var player: String?
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let desk = connection.desk()
    var change = ChangeOptions()
    (change.dryRun, change.reason, change.idempotencyKey) = (true, nil, nil)
    let query = player.map { [("player", $0)] } ?? []
    let reply = try await TemplatePush.send(file, to: game, query, change, desk, timeout: connection.timeout)
    desk.show(reply.value, asJSON: connection.json) { desk.screen.show(TemplateWords.table(reply.answer.changes)) }
  }
}
