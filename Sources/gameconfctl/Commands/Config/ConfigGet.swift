// gameconfctl config get

import ArgumentParser
import GameConfAPI
import GameConfCore

struct ConfigGet: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Print one value, without anything else.",
    discussion: """
      The value alone goes to standard output. Standard error says if it is overridden, and until when.

      With --raw it is JSON in the form that is stored, with every language of its texts: “config set GAME KEY @-” takes it back unchanged.
      """)

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The key.", completion: .keys) var key: String
  @Flag(help: "Print JSON with every language, as “config set” takes it.") var raw = false
  @OptionGroup var caller: CallerOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if raw, caller.locale != nil { throw ValidationError("--raw prints every language; leave --locale out.") }
  }

  func run(on console: Console) async throws {
    var caller = caller
    if raw { caller.locale = "*" }
    let reply = try await console.daemon.value(game, key, caller)
    let answer = reply.answer
    let overridden = console.isJSON ? nil : await console.overridden(answer, in: game, caller)
    console.show(reply.value) {
      let isTerminal = console.screen.isTerminal
      let shown = raw ? ValueStyle.json(answer.value, isTerminal: isTerminal) : ValueStyle.bare(answer.value, isTerminal: isTerminal)
      console.screen.show(bare: shown + "\n")
      if let overridden { console.screen.note(overridden) }
      for layer in answer.degraded { console.screen.note("gameconfctl: \(layer) could not be read") }
    }
  }
}

extension Console {
  /// Returns a sentence that says that a value is overridden and when the override's window ends; nil if the value is not overridden.
  func overridden(_ answer: ValueAnswer, in game: String, _ caller: CallerOptions) async -> Sentence? {
    guard answer.isOverridden else { return nil }
    // Only admins and testers may read the explanation. For other users the sentence lacks the end of the window.
    let applied = try? await daemon.explanation(game, answer.key, caller).answer.layers.first(where: \.isApplied)
    let until: Sentence = applied?.window.map { " until \(time: $0.until)" } ?? ""
    return "\(answer.key) is overridden\(until) (\(answer.source))"
  }
}

extension DaemonClient {
  /// Reads one value: with the call `evaluateValue` if the caller has attributes, otherwise with the call `value`.
  func value(_ game: String, _ key: String, _ caller: CallerOptions) async throws(CtlFailure) -> DaemonReply<ValueAnswer> {
    let variables = ["game": game, "key": key]
    if let request = try caller.request() { return try await ask(Calls.evaluateValue, variables, body: request) }
    return try await ask(Calls.value, variables, query: caller.query)
  }

  /// Reads the layers of a value: with the call `evaluateExplain` if the caller has attributes, otherwise with the call `explain`.
  func explanation(_ game: String, _ key: String, _ caller: CallerOptions) async throws(CtlFailure) -> DaemonReply<ExplainAnswer> {
    let variables = ["game": game, "key": key]
    if let request = try caller.request() { return try await ask(Calls.evaluateExplain, variables, body: request) }
    return try await ask(Calls.explain, variables, query: caller.query)
  }
}
