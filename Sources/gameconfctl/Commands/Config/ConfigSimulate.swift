// gameconfctl config simulate

import ArgumentParser
import GameConfAPI
import GameConfCore

struct ConfigSimulate: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Show the distribution of a key's values over many players.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The key.", completion: .keys) var key: String
  @Option(help: ArgumentHelp("The number of players.", valueName: "number"))
  var players: Int64 = 10_000
  @Option(help: ArgumentHelp("The prefix of the players' ids; a number follows.", valueName: "text"))
  var prefix = "player-"
  @Option(help: ArgumentHelp("With these attributes, as a JSON object or @FILE.", valueName: "json"))
  var context: String?
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    var console = console
    var attributes = ObjectValue()
    if let context {
      guard case .object(let object) = try ValueText.json(context) else { throw CtlFailure.usage("--context must be a JSON object") }
      attributes = object
    }
    console.daemon.waiting?.what = "simulating \(players) players"
    let reply = try await console.daemon.ask(
      Calls.simulate, ["game": game, "key": key], body: SimulateRequest(players: players, prefix: prefix, context: attributes))
    console.show(reply.value) {
      console.screen.show(Self.table(reply.answer, isTerminal: console.screen.isTerminal))
    }
    if reply.answer.players < players {
      console.screen.note(
        "gameconfctl: only \(reply.answer.players) players were simulated, within the daemon's time limit for one simulation")
    }
  }

  /// The width of a full bar in columns. A table never cuts a column that is so narrow.
  static let barColumns = 20

  /// Returns a bar for a share of the players, drawn to an eighth of a column. It is empty only for a share of 0.
  private static func bar(_ part: Double) -> String {
    let eighths = Int((part * Double(barColumns * 8)).rounded(.up))
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + rest[eighths % 8]
  }

  /// Returns the simulated distribution as a table, on a terminal with a bar for each share.
  static func table(_ answer: SimulateAnswer, isTerminal: Bool) -> Table {
    let part = { (share: SimulatedShare) in answer.players > 0 ? Double(share.players) / Double(answer.players) : 0 }
    return Table(answer.shares, whenEmpty: "no players") {
      Column("value", .value) { $0.value }
      Column("variant") { $0.variant }
      Column("source", .aside) { $0.source }
      Column("reason", .aside) { $0.reason }
      Column("players") { $0.players }
      Column("percent") { share in
        let hundredths = Int((part(share) * 10_000).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
      }
      if isTerminal { Column("") { bar(part($0)) } }
    }
  }
}
