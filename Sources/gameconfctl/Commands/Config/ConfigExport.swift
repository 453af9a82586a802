// gameconfctl config export

import ArgumentParser
import GameConfAPI

struct ConfigExport: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print every override of a game, or of one player, as a document for config import.")

  private static let omissionsNamedMax = 20

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("Only the overrides of this player.", valueName: "id"), completion: .players)
  var player: String?
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let reply = try await console.daemon.ask(Calls.exportOverrides, ["game": game], query: player.map { [("player", $0)] } ?? [])
    console.screen.write(SafeText.json(reply.value, pretty: true) + "\n")
    let omitted = reply.answer.omitted
    if omitted.isEmpty { return }
    let each = omitted.prefix(Self.omissionsNamedMax).map {
      "\($0.key)\($0.player.map { " of player \($0)" } ?? "") (\($0.because.rawValue))"
    }
    let more = omitted.count - each.count
    console.screen.note("left out: \(omitted.count): \(each.joined(separator: ", "))\(more > 0 ? ", and \(more) more" : "")")
  }
}
