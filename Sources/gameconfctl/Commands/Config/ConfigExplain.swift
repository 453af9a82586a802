// gameconfctl config explain

import ArgumentParser
import GameConfAPI
import GameConfCore

struct ConfigExplain: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show every layer of a key in order: its value, why it was applied or not, by whom it was set and when.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The key.", completion: .keys) var key: String
  @OptionGroup var caller: CallerOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let reply = try await console.daemon.explanation(game, key, caller)
    console.show(reply.value) {
      if console.screen.isTerminal { console.screen.say(Self.heading(reply.answer) + "\n") }
      console.screen.show(Self.table(reply.answer, showsReads: !console.screen.isTerminal))
      if console.screen.isTerminal {
        let rules = (Self.reads(reply.answer) + Self.rules(reply.answer)).text(console.screen.style)
        if !rules.isEmpty { console.screen.write(DisplayWidth.paragraphs(rules, to: console.screen.width)) }
      }
    }
  }

  static func heading(_ answer: ExplainAnswer) -> Sentence {
    let value = answer.answer
    let shown = value.isMasked ? "(secret)" : ValueStyle.cell(value.value)
    let why = [value.source, value.reason, value.variant.map { "variant \($0)" }, "revision \(value.revision)"].compactMap { $0 }
    var text: Sentence =
      "\(answer.game) \(value.key) = \(shown)  (\(why.joined(separator: ", ")))"
    if let change = value.nextChangeAt { text += "\nmay change at \(time: change)" }
    if value.isTimeDependent { text += "\nmay change at any time: a rule reads the clock" }
    return text
  }

  static func table(_ answer: ExplainAnswer, showsReads: Bool = false) -> Table {
    Table(answer.layers, markMeaning: "gave the value", isMarked: { $0.isApplied }) {
      Column("layer") { layer in layer.layer + (layer.window?.id.map { " (\($0))" } ?? "") }
      Column("value", .value) { $0.value }
      Column("outcome", .state) { $0.isApplied ? "applied" : "not applied" }
      Column("why", .sentence) { $0.why }
      Column("until", .when) { $0.window?.until }
      Column("author", .aside) { $0.author?.label }
      Column("at", .when, .aside) { $0.at }
      Column("reason", .aside) { $0.reason }
      if showsReads, answer.layers.contains(where: { $0.read != nil }) { Column("requests", .sentence) { $0.read?.words } }
    }
  }

  /// Returns a line for each override in force that says when games have read it.
  static func reads(_ answer: ExplainAnswer) -> Sentence {
    let reads = answer.layers.compactMap { layer -> Sentence? in layer.read.map { "\(layer.layer): \($0.words)" } }
    return reads.isEmpty ? "" : "\n" + reads.joined(separator: "\n") + "\n"
  }

  /// Returns the rules of each layer with their outcomes, below the layer's name.
  static func rules(_ answer: ExplainAnswer) -> Sentence {
    var text: Sentence = ""
    for layer in answer.layers {
      if let rules = layer.rules {
        text += "\nrules of \(layer.layer)\n" + RuleText.rules(rules.listValue ?? [rules])
      }
      if let targeting = layer.targeting {
        text += "\ntargeting of \(layer.layer)\n" + RuleText.targeting(targeting)
      }
    }
    return text
  }
}
