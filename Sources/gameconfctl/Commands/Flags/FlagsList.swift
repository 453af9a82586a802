// gameconfctl flags list

import ArgumentParser
import GameConfAPI
import GameConfCore

struct FlagsList: DaemonCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List the feature flags of a game.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("The flags for this player.", valueName: "id"), completion: .players)
  var player: String?
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let (flags, answer) = try await console.daemon.flags(game, player: player)
    let value = ConfigAnswer(game: answer.game, revision: answer.revision, values: .full(flags), degraded: answer.degraded).wire
    console.show(value) { console.screen.show(Self.table(flags)) }
  }

  static func table(_ flags: [ValueAnswer]) -> Table {
    Table(flags, whenEmpty: "no flags", markMeaning: "overridden", isMarked: { $0.isOverridden }) {
      Column("flag") { $0.key }
      Column("value") { flag in flag.value.boolValue.map { $0 ? "on" : "off" } ?? ValueStyle.cell(flag.value) }
      Column("kind") { $0.declaration?.flag }
      Column("source") { $0.source }
      Column("description", .extra) { $0.declaration?.description ?? "" }
    }
  }
}
