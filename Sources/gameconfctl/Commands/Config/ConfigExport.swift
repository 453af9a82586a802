// gameconfctl config export

import ArgumentParser
import GameConfAPI

struct ConfigExport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print every override of a game as a document that config import takes back.")

  @Argument(help: "The game.", completion: .games) var game: String
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let desk = connection.desk()
    let reply = try await desk.daemon.ask(Endpoints.exportOverrides, ["game": game], as: ExportAnswer.self)
    desk.screen.write(SafeText.json(reply.value, pretty: true) + "\n")
  }
}
