// gameconfctl config list

import ArgumentParser
import GameConfAPI
import GameConfCore

struct ConfigList: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List every value of a game by section, with its source.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("Only these keys, separated by commas.", valueName: "keys"))
  var keys: String?
  @Flag(help: "Only overridden values.")
  var overridden = false
  @Flag(help: "List the overrides: by whom, when, why, for how long.")
  var overrides = false
  @Flag(help: "With --overrides: include those of players.")
  var allPlayers = false
  @OptionGroup var caller: CallerOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if allPlayers, !overrides { throw ValidationError("--all-players needs --overrides.") }
  }

  func run(on console: Console) async throws {
    if overrides {
      let query = allPlayers ? [("players", "all")] : []
      let reply = try await console.daemon.ask(Calls.overrides, ["game": game], query: query)
      return console.show(reply.value) { console.screen.show(OverrideListing.of(reply.answer.overrides)) }
    }
    let (answer, value) = try await console.daemon.config(game, caller, keys: keys)
    console.show(value) {
      console.screen.show(Self.table(answer, onlyOverridden: overridden))
      for layer in answer.degraded { console.screen.note("gameconfctl: \(layer) could not be read") }
    }
  }

  static func table(_ answer: ConfigAnswer, onlyOverridden: Bool) -> Table {
    var shown: [ValueAnswer] = []
    if case .full(let values) = answer.values {
      // The sections are in the order in which they first appear in the response, and the values of one section are together.
      var sections: [String] = []
      for section in values.map(section(of:)) where !sections.contains(section) { sections.append(section) }
      shown = sections.flatMap { section in
        values.filter { self.section(of: $0) == section && (!onlyOverridden || $0.isOverridden) }
      }
    }
    return Table(
      shown, whenEmpty: onlyOverridden ? "nothing is overridden" : "no keys", markMeaning: "overridden", section: section(of:),
      isMarked: { $0.isOverridden }
    ) {
      Column("key") { $0.key }
      Column("value", .value) { $0.isMasked ? "(secret)" : ValueStyle.cell($0.value) }
      Column("unit") { $0.declaration?.unit ?? "" }
      Column("source") { $0.source }
      Column("description", .extra) { $0.declaration?.description ?? "" }
    }
  }

  private static func section(of value: ValueAnswer) -> String { value.declaration?.section ?? "" }
}

extension DaemonClient {
  /// Reads all values of a game, or the named ones, with their declarations.
  func config(_ game: String, _ caller: CallerOptions, keys: String? = nil) async throws(CtlFailure) -> (ConfigAnswer, Value) {
    var wanted = keys.map { $0.split(separator: ",").map { String($0) } }
    if let words = wanted { wanted = await self.keys(words, in: game) }
    let reply: DaemonReply<ConfigAnswer>
    if let request = try caller.request(keys: wanted) {
      reply = try await ask(Calls.evaluateConfig, ["game": game], query: [("detail", "full")], body: request)
    } else {
      let query = caller.query + (wanted.map { [("keys", $0.joined(separator: ","))] } ?? []) + [("detail", "full")]
      reply = try await ask(Calls.config, ["game": game], query: query)
    }
    do throws(Fault) {
      return (try ConfigAnswer(fullWire: reply.value), reply.value)
    } catch {
      throw .unexpected(error, path: reply.path)
    }
  }
}
