// gameconfctl config get

import ArgumentParser
import GameConfAPI
import GameConfCore

struct ConfigGet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Print one value, without anything else.",
    discussion: "The value alone goes to standard output. Standard error says if it is overridden.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The key.", completion: .keys) var key: String
  @OptionGroup var caller: CallerOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let desk = connection.desk()
    let reply = try await desk.daemon.value(game, key, caller)
    let answer = reply.answer
    desk.show(reply.value, asJSON: connection.json) {
      desk.screen.write(ValueLook.bare(answer.value, isTerminal: desk.screen.isTerminal) + "\n")
      if answer.isOverridden { desk.screen.note("\(SafeText.escaped(answer.key)) is overridden (\(SafeText.escaped(answer.source)))") }
      for layer in answer.degraded { desk.screen.note("gameconfctl: \(SafeText.escaped(layer)) could not be read") }
    }
  }
}

extension Daemon {
  /// One value, by the plain call or by the one that takes attributes.
  func value(_ game: String, _ key: String, _ caller: CallerOptions) async throws(CtlFailure) -> Reply<ValueAnswer> {
    let variables = ["game": game, "key": key]
    if let request = try caller.request() { return try await ask(Calls.evaluateValue, variables, body: request) }
    return try await ask(Calls.value, variables, query: caller.query)
  }
}
