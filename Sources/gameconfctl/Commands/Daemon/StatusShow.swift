// gameconfctl status

import ArgumentParser
import GameConfAPI
import GameConfCore

struct StatusShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "status", abstract: "Show the daemon's state on one page.")

  @Flag(help: "Show every limit and setting too.")
  var all = false
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let desk = connection.desk()
    let reply = try await desk.daemon.ask(Endpoints.status, as: StatusAnswer.self)
    desk.show(reply.value, asJSON: connection.json) {
      desk.screen.write(StatusPage(reply.answer, showsAll: all).text(isTerminal: desk.screen.isTerminal, width: desk.screen.width))
    }
  }
}

/// The parts of a status, each a table; in a pipe every line begins with its part's name.
struct StatusPage {
  var parts: [(name: String, table: Table)] = []

  init(_ status: StatusAnswer, showsAll: Bool) {
    var daemon = Table(["what", "value"])
    daemon.add(["version", status.version])
    daemon.add(["pid", String(status.pid)])
    daemon.add(["started", status.startedAt.text])
    daemon.add(["clock", status.clock.now.text + (status.clock.isFrozen ? " (frozen)" : "")])
    if let store = status.store {
      daemon.add(["store", store.state + (store.detail.map { ": \($0)" } ?? "")])
      if let age = store.lastGoodAgeSeconds { daemon.add(["last-good.json", "\(age) s old"]) }
      if let putAside = store.putAside { daemon.add(["put aside", putAside]) }
    }
    parts.append(("daemon", daemon))

    var games = Table(["game", "title", "revision", "keys", "overrides", "players'", "quarantined", "state"], whenEmpty: "no games")
    var switches = Table(["game", "kill switch", "value", "source"], markMeaning: "overridden")
    var degraded: [Degradation] = []
    for game in status.games {
      games.add([
        game.game, game.title, String(game.revision), String(game.keys), String(game.overrides), String(game.playerOverrides),
        String(game.quarantined), game.degraded.isEmpty ? "ok" : "degraded",
      ])
      for each in game.killSwitches {
        switches.add([game.game, each.key, each.isOn ? "on" : "off", each.source], isMarked: each.source.hasPrefix("override."))
      }
      degraded += game.degraded.map { each in
        Degradation(game: each.game ?? game.game, what: each.what, since: each.since, detail: each.detail)
      }
    }
    parts.append(("games", games))
    if !degraded.isEmpty { parts.append(("degraded", DegradationTable.of(degraded))) }
    if !switches.rows.isEmpty { parts.append(("kill switches", switches)) }

    var sockets = Table(["socket", "path", "bound by", "connections", "open to"], whenEmpty: "no sockets")
    for socket in status.sockets {
      sockets.add([
        socket.kind, socket.path, socket.origin, String(socket.connections), socket.isOpen ? "everyone" : "those named",
      ])
    }
    parts.append(("sockets", sockets))
    if showsAll {
      parts.append(("limits", Self.table(status.limits)))
      parts.append(("settings", Self.table(status.settings)))
    }
    if !status.warnings.isEmpty {
      var warnings = Table(["warning"])
      for warning in status.warnings { warnings.add([warning]) }
      parts.append(("warnings", warnings))
    }
  }

  func text(isTerminal: Bool, width: Int) -> String {
    if isTerminal {
      return parts.map { $0.table.text(isTerminal: true, width: width) }.joined(separator: "\n")
    }
    return parts.map { part in
      var table = part.table
      table.rows = table.rows.map { Table.Row(section: part.name, cells: $0.cells) }
      return table.text(isTerminal: false, width: width)
    }.joined()
  }

  private static func table(_ members: ObjectValue) -> Table {
    var table = Table(["name", "value"])
    for member in members.members { table.add([member.name, ValueLook.cell(member.value)]) }
    return table
  }
}
