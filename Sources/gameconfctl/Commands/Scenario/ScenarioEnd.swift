// gameconfctl scenario end

import ArgumentParser
import GameConfAPI

struct ScenarioEnd: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "end", abstract: "End a scenario before its lease is over: its values and its players are removed.",
    discussion: """
      gameconfctl lists what is removed, and asks first. A scenario of scenario run ends with its command; this is for one whose runner is gone. The \
      runner's command is not stopped.
      """)

  @Argument(help: "The scenario's id, as scenario list shows it.", completion: .scenarios) var id: String
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let found = try await console.daemon.ask(Calls.scenario, ["scenario": id])
    let name: Sentence = "scenario \(found.answer.scenario.name)"
    let what = Self.words(found.answer)
    if change.dryRun {
      let reply = try await console.daemon.send(Calls.endScenario, ["scenario": id], change: change)
      return console.show(reply.value) { console.report("\(name) would be taken back: \(what)") }
    }
    let author = found.answer.scenario.author.label
    try console.screen.confirm("Take back \(name), which \(author) began: \(what)?", isAgreed: change.agreement.yes)
    _ = try await console.daemon.send(Calls.endScenario, ["scenario": id], change: change)
    console.show(found.value) { console.screen.say("\(name) is taken back: \(what)") }
  }

  /// Returns words about the values and players that end with the scenario.
  private static func words(_ scenario: ScenarioAnswer) -> Sentence {
    let count = scenario.holds.count
    let values: Sentence = count == 0 ? "" : "\(count, "value") and "
    return "\(values)its players in \(scenario.games.joined(separator: ", ")) go"
  }
}
