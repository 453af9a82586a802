// Adds arguments that a user need not type: the environment's game and player, a game's only placement, and the dashes before a negative
// number.

import ArgumentParser
import GameConfAPI
import GameConfCore

/// The game and the player that `GAMECONF_GAME` and `GAMECONF_PLAYER` name, for commands that are typed without them.
struct EnvironmentDefaults: Equatable {
  var game: String?
  var player: String?

  /// The defaults in the environment of the process, or of a test.
  static var present: EnvironmentDefaults {
    let read = { (name: String) -> String? in Console.variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    return EnvironmentDefaults(game: read("GAMECONF_GAME"), player: read("GAMECONF_PLAYER"))
  }
}

enum ArgumentFill {
  /// Returns the command line with the arguments that the user did not type.
  /// - Throws: If the words name no command, or if a placement must be named.
  static func filled(_ arguments: [String], _ defaults: EnvironmentDefaults) async throws(CtlFailure) -> [String] {
    let named = NamedCommand(arguments)
    if let fault = named.fault(in: arguments) { throw fault }
    let rest = arguments.dropFirst(named.count)
    let typed = rest.prefix { $0 != "--" }
    let wantsHelp = typed.contains { ["--help", "-h", "--version"].contains($0) || $0.hasPrefix("--experimental") }
    guard named.command.configuration.subcommands.isEmpty, named.count > 0, !wantsHelp, !(named.command is any VerbatimCommand.Type) else {
      return arguments
    }
    let takesPlacement = named.command is any PlacementCommand.Type
    let takesWord = named.command is any WordCommand.Type
    let option = CommandShape.playerOption
    guard
      defaults != EnvironmentDefaults() || takesPlacement || takesWord
        || typed.contains(where: { ParsedCommandLine.isNegative($0) || $0 == option || $0.hasPrefix(option + "=") })
    else { return arguments }
    let shape = CommandShape(of: named.command)
    var line = ParsedCommandLine(rest, shape)
    let player = shape.namesPlayerByOption ? line.take(option) : nil
    let given = player == nil ? 0 : 1
    let destroying = named.command as? any DestructiveCommand.Type
    let destroys = destroying?.destroys(line.words) ?? false
    if destroys, let destroying, destroying.omitsWords(line.words, of: shape.requiredCount - given) { throw unnamed(shape) }
    if !destroys, !(named.command is any EntryCommand.Type), let game = defaults.game { try await fill(game: game, &line, shape, given) }
    if let player, let place = shape.playerPlace {
      guard line.words.count >= place else { throw CommandLineFault.missing("game", before: player, in: arguments) }
      line.words.insert(player, at: place)
    }
    if takesPlacement { try await fillPlacement(&line, shape, defaults) }
    if player == nil, !destroys, await omitsPlayer(line, shape, defaults) {
      if let player = defaults.player {
        line.words.insert(player, at: 1)
      } else if takesWord, line.words.count >= shape.requiredCount {
        throw CommandLineFault.missing("player", before: line.words[1], in: arguments)
      }
    }
    return arguments.prefix(named.count) + line.arguments
  }

  /// Returns the failure of a destructive command whose arguments are not all typed. Such a command takes no argument from the environment.
  private static func unnamed(_ shape: CommandShape) -> CtlFailure {
    let names = shape.positionals.filter { !$0.isOptional }.map(\.name).joined(separator: " and the ")
    return .usage("name the \(names): a command that deletes ignores the environment")
  }

  /// Inserts the environment's game unless the command line names a game.
  /// - Parameter given: The number of words that the option `--player` replaces: 1 if it is typed, otherwise 0.
  private static func fill(
    game: String, _ line: inout ParsedCommandLine, _ shape: CommandShape, _ given: Int
  ) async throws(CtlFailure) {
    guard shape.positionals.first?.name == "game", line.words.count < (shape.countMax ?? .max) - given else { return }
    if let first = line.words.first {
      let served = try? await console(line).daemon.ask(Calls.games).answer.games.map(\.game)
      // If no daemon answers, only the number of words shows whether the game is missing.
      guard let served else {
        if line.words.count < shape.requiredCount - given { line.words.insert(game, at: 0) }
        return
      }
      if served.contains(first) { return }
    }
    line.words.insert(game, at: 0)
  }

  /// True if the command line does not name the player. Either a word is missing, or the word in the player's position is a value of the
  /// optional argument after the player.
  private static func omitsPlayer(_ line: ParsedCommandLine, _ shape: CommandShape, _ defaults: EnvironmentDefaults) async -> Bool {
    guard shape.positionals.dropFirst().first?.name == "player", let game = line.words.first else { return false }
    if line.words.count < shape.requiredCount { return true }
    guard line.words.count >= 2, line.words.count < shape.countMax ?? .max, let next = shape.positionals.dropFirst(2).first, next.isOptional
    else { return false }
    switch next.completion {
    case .words(let words): return words.contains(line.words[1])
    case .ids(let ids):
      guard defaults.player != nil, let catalog = try? await console(line).daemon.ask(Calls.catalog, ["game": game]).answer else {
        return false
      }
      return Completer.offers(ids, catalog, key: nil).contains { $0.word == line.words[1] }
    case .nothing, .files: return false
    }
  }

  /// Inserts the game's only placement if one word is missing and that word is not the player.
  private static func fillPlacement(
    _ line: inout ParsedCommandLine, _ shape: CommandShape, _ defaults: EnvironmentDefaults
  ) async throws(CtlFailure) {
    let missing = shape.requiredCount - line.words.count
    guard let game = line.words.first, missing == 1 || (missing == 2 && defaults.player != nil) else { return }
    guard let placements = try? await console(line).daemon.ask(Calls.catalog, ["game": game]).answer.part("placements") else { return }
    let ids = placements.compactMap { $0["id"]?.stringValue }
    if missing == 1, defaults.player != nil, line.words.indices.contains(1), ids.contains(line.words[1]) { return }
    guard ids.count == 1 else {
      if ids.isEmpty { return }
      throw .usage("\(game) has \(ids.count) placements; name one: \(ids.joined(separator: ", "))")
    }
    line.words.insert(ids[0], at: missing == 1 ? min(2, line.words.count) : 1)
  }

  /// Returns a console for the daemon that the command line itself would use.
  private static func console(_ line: ParsedCommandLine) -> Console {
    var options = ConnectionOptions()
    (options.socket, options.json, options.long) = (line.values["--socket"], false, false)
    options.timeout = line.values["--timeout"].flatMap(Double.init).flatMap { $0 > 0 && $0 <= 86_400 ? $0 : nil }
    return options.console()
  }
}
