// gameconfctl flags reset

import ArgumentParser
import GameConfAPI

struct FlagsReset: ChangeCommand, DestructiveCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Remove the overrides of the named flags, or of every flag of the game.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The flags; every overridden flag if left out.", completion: .flags) var flags: [String] = []
  @Option(help: ArgumentHelp("For this player only.", valueName: "id"), completion: .players)
  var player: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  /// True if all flags are reset, because that is not easily undone. The reset of single flags is easily undone.
  static func destroys(_ words: [String]) -> Bool { words.isEmpty }

  func run(on console: Console) async throws {
    let edit = OverrideOrder(console: console, game: game, player: player, change: change, isSwitch: true)
    if !flags.isEmpty {
      for flag in flags { _ = try await console.daemon.flag(game, flag, player: player) }
      for flag in flags { try await edit.reset(flag, window: nil) }
      return
    }
    let keys = try await overriddenFlags(console)
    if keys.isEmpty { return console.screen.note("no flag is overridden") }
    if !change.dryRun {
      try console.screen.confirm(
        "Remove the overrides of \(keys.joined(separator: ", "))?", isAgreed: change.agreement.yes)
    }
    for key in keys { try await edit.reset(key, window: nil) }
  }

  /// Returns the flags that are overridden for the game or the player, also by a window that is still in the future.
  private func overriddenFlags(_ console: Console) async throws(CtlFailure) -> [String] {
    let flags = Set(try await console.daemon.flags(game, player: player).flags.map(\.key))
    let overrides = try await console.daemon.ask(
      Calls.overrides, ["game": game], query: player.map { [("player", $0)] } ?? [])
    return Set(overrides.answer.overrides.map(\.key).filter(flags.contains)).sorted()
  }
}
