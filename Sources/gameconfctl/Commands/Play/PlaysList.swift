// gameconfctl play list

import ArgumentParser
import GameConfAPI

struct PlaysList: DaemonCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List a player's plays, the newest first.")

  @OptionGroup var whom: PlayerOptions
  @Option(help: ArgumentHelp("The maximum number.", valueName: "number"))
  var limit = 50
  @Option(help: ArgumentHelp("Only plays opened before this one.", valueName: "id"))
  var before: String?
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard limit >= 1, limit <= 500 else { throw ValidationError("--limit must be from 1 to 500") }
  }

  func run(on console: Console) async throws {
    let query = [("limit", String(limit))] + (before.map { [("before", $0)] } ?? [])
    let reply = try await console.daemon.ask(Calls.plays, whom.variables, query: query)
    console.show(reply.value) {
      console.screen.show(Self.table(reply.answer))
      if console.screen.isTerminal, let next = reply.answer.nextBefore {
        console.screen.say("\nolder ones: --before \(next)")
      }
    }
  }

  static func table(_ list: PlayList) -> Table {
    Table(list.plays, whenEmpty: "no plays") {
      Column("play") { $0.play }
      Column("state", .state) { $0.isOpen ? "open" : "closed" }
      Column("opened", .date) { $0.openedAt }
      Column("closed", .date) { $0.closedAt }
      Column("revision") { $0.revision }
      Column("keys") { $0.keys }
      Column("bytes") { $0.bytes }
    }
  }
}
