// gameconfctl player export

import ArgumentParser
import GameConfAPI
import GameConfCore

struct PlayerExport: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Print a player's stored rows and overrides as JSON, for player import.",
    discussion: "Works also for a player whom the daemon cannot read, as a copy before player forget. For admins only: nothing is masked.")

  @OptionGroup var whom: PlayerOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let reply = try await console.daemon.ask(
      whom.isOnlyStored ? Calls.storedRows : Calls.playerRows, whom.variables, query: whom.storedQuery)
    let overrides = try await console.daemon.ask(Calls.exportOverrides, ["game": whom.game], query: [("player", whom.player)])
    var exported = reply.value.objectValue ?? ObjectValue()
    exported["overrides"] = overrides.value
    console.screen.write(SafeText.json(.object(exported), pretty: true) + "\n")
  }
}
