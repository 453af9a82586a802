// gameconfctl config changes

import ArgumentParser
import GameConfAPI

struct ConfigChanges: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "List everything that is changed for a game: overrides, clock, template, drop-ins; by whom, when, why, until when.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Flag(help: "The overrides of players too.") var players = false
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let desk = connection.desk()
    let reply = try await desk.daemon.ask(Calls.changes, ["game": game], query: players ? [("players", "all")] : [])
    desk.show(reply.value, asJSON: connection.json) {
      desk.screen.show(ChangesTable.of(reply.answer.changes, showsPlayers: players, whenEmpty: "nothing is changed for the game"))
      let count = reply.answer.playerOverrides
      if count > 0, !players, desk.screen.isTerminal {
        desk.screen.note("and \(count) \(count == 1 ? "override" : "overrides") of players: --players")
      }
    }
  }
}

enum ChangesTable {
  static func of(_ changes: [ChangedThing], showsPlayers: Bool = false, whenEmpty: String) -> Table {
    var table = Table(["what", "key"] + (showsPlayers ? ["player"] : []) + ["value", "by", "at", "until", "why"], whenEmpty: whenEmpty)
    for change in changes {
      var value = change.value.map(ValueLook.cell) ?? "-"
      if !change.isInForce { value += " (not in force)" }
      if let detail = change.detail { value += value == "-" ? "" : ", " + detail }
      if change.value == nil, let detail = change.detail { value = detail }
      table.add(
        [change.what, change.key ?? "-"] + (showsPlayers ? [change.player ?? "-"] : []) + [
          value, change.author?.label ?? "-", change.at?.text ?? "-", change.until?.text ?? "-", change.reason ?? "-",
        ])
    }
    return table
  }
}
