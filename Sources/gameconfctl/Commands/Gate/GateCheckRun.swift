// gameconfctl gate check

import ArgumentParser
import GameConfAPI
import GameConfCore

struct GateCheckRun: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check if a gate is locked for a player, for one set of arguments or for many.",
    discussion: """
      Arguments are written name=value and read by the type that the gate declares. For an integer, 1..27 means each from 1 to 27, in one \
      call.
      """)

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "The gate.", completion: .gates) var gate: String
  @Argument(help: "Arguments, such as number=4 or number=1..27.") var args: [String] = []
  @Option(help: ArgumentHelp("With these attributes, as a JSON object or @FILE.", valueName: "json"))
  var context: String?
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let catalog = try await console.daemon.ask(Calls.catalog, ["game": whom.game]).answer
    var attributes = ObjectValue()
    if let context {
      guard case .object(let object) = try ValueText.json(context) else {
        throw CtlFailure.usage("--context must be a JSON object such as '{\"platform\": \"ios\"}'")
      }
      attributes = object
    }
    // If the catalog lacks the gate, the types of its arguments are unknown; the daemon then refuses the call.
    let types = catalog.element(gate, of: "gates")?["args"]?.objectValue ?? ObjectValue()
    let sets = try GateArguments.sets(args, types: types)
    let checks = sets.map { GateCheck(args: $0, context: attributes) }
    let reply = try await console.daemon.ask(
      Calls.checkGate, ["game": whom.game, "player": whom.player, "gate": gate],
      body: checks.count == 1 ? GateRequest(checks[0]) : GateRequest(checks))
    console.show(reply.value) { console.screen.show(Self.table(sets, reply.answer.verdicts)) }
  }

  static func table(_ sets: [ObjectValue], _ verdicts: [GateVerdict]) -> Table {
    Table(zip(sets, verdicts)) {
      for name in sets.first?.names ?? [] { Column(name) { $0.0[name] } }
      Column("gate") { $0.1.isLocked ? "locked" : "open" }
      Column("reason") { $0.1.reason }
      Column("unlocks with") { $0.1.unlocksWith.isEmpty ? nil : $0.1.unlocksWith.joined(separator: ", ") }
    }
  }
}
