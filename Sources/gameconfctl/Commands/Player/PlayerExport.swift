// gameconfctl player export

import ArgumentParser
import GameConfAPI

struct PlayerExport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print everything that is stored of a player as JSON, as it is stored.",
    discussion: "Also of a player whom the daemon cannot read, for a copy before player forget. For admins: nothing is masked.")

  @OptionGroup var whom: PlayerOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let desk = connection.desk()
    let reply = try await desk.daemon.ask(Calls.playerRows, whom.variables)
    desk.screen.write(SafeText.json(reply.value, pretty: true) + "\n")
  }
}
