// gameconfctl flags

import ArgumentParser
import GameConfAPI
import GameConfCore

struct FlagsGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flags", abstract: "Switch features on and off.",
    subcommands: [FlagsList.self, FlagsOn.self, FlagsOff.self, FlagsReset.self], aliases: ["flag"])
}

/// The arguments that name a game and one of its feature flags.
struct FeatureFlagOptions: ParsableArguments {
  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The flag.", completion: .flags) var flag: String
  @Argument(help: "More flags.", completion: .flags) var more: [String] = []
  @Option(help: ArgumentHelp("For this player only.", valueName: "id"), completion: .players)
  var player: String?
  @OptionGroup var span: WindowOptions

  func setFlags(_ isOn: Bool, _ change: ChangeOptions, _ console: Console) async throws(CtlFailure) {
    let edit = OverrideOrder(
      console: console, game: game, player: player, change: change, isSwitch: true)
    var wanted: [OverrideOrder.Assignment] = []
    for flag in [flag] + more {
      if wanted.contains(where: { $0.key == flag }) { continue }
      let before = try await edit.console.daemon.flag(game, flag, player: player)
      wanted.append(OverrideOrder.Assignment(key: before.key, value: .bool(isOn), before: before))
    }
    try await edit.set(wanted, window: try await span.window(by: edit.console.daemon))
  }
}

extension DaemonClient {
  /// Reads the value of a feature flag.
  /// - Throws: A refusal if the key is not that of a flag.
  func flag(_ game: String, _ key: String, player: String?) async throws(CtlFailure) -> ValueAnswer {
    var caller = CallerOptions.nobody
    caller.player = player
    let (answer, _) = try await config(game, caller, keys: key)
    guard case .full(let values) = answer.values, let value = values.first(where: { $0.key == key }) else {
      // If a single key is requested, the daemon refuses an unknown one with a message. Among several keys it does not.
      let known = try await ask(Calls.value, ["game": game, "key": key]).answer
      return known.key == key ? known : try await flag(game, known.key, player: player)
    }
    guard value.declaration?.flag != nil, value.type == ParameterType.boolean.rawValue else {
      let names = try await flags(game, player: player).flags.map(\.key)
      throw .refused([
        "“\(key)” is not a flag of \(game); “gameconfctl config set \(game) \(key) VALUE” sets it.\(NearestNames.hint(for: key, among: names))"
      ])
    }
    return value
  }

  func flags(_ game: String, player: String?) async throws(CtlFailure) -> (flags: [ValueAnswer], game: ConfigAnswer) {
    var caller = CallerOptions.nobody
    caller.player = player
    let (answer, _) = try await config(game, caller)
    guard case .full(let values) = answer.values else { return ([], answer) }
    return (values.filter { $0.declaration?.flag != nil }, answer)
  }
}
