// The arguments that need not be typed: the game and the player of the environment, the only placement, the dashes before a negative number.

import ArgumentParser
import GameConfAPI
import GameConfCore

/// A command that destroys what cannot be brought back: it takes nothing from the environment.
protocol DestructiveCommand: ParsableCommand {
  /// True if it destroys when these words follow it.
  static func destroys(_ words: [String]) -> Bool
  /// True if words that have to be named are left out.
  /// - Parameter count: how many it cannot do without.
  static func lacks(_ words: [String], of count: Int) -> Bool
}

extension DestructiveCommand {
  static func destroys(_ words: [String]) -> Bool { true }
  static func lacks(_ words: [String], of count: Int) -> Bool { words.count < count }
}

/// The defaults of the environment.
struct Defaults: Equatable {
  var game: String?
  var player: String?

  /// That of the console of a test, else the process's.
  static var present: Defaults {
    let read = { (name: String) -> String? in Console.variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    return Defaults(game: read("GAMECONF_GAME"), player: read("GAMECONF_PLAYER"))
  }
}

enum ArgumentFill {
  /// The arguments as the parser shall have them.
  /// - Throws: for words that name no command, and for a placement that has to be named.
  static func filled(_ arguments: [String], _ defaults: Defaults) async throws(CtlFailure) -> [String] {
    let named = NamedCommand(arguments)
    if let fault = named.fault(in: arguments) { throw fault }
    let rest = arguments.dropFirst(named.count)
    let typed = rest.prefix { $0 != "--" }
    let isAsking = typed.contains { ["--help", "-h", "--version"].contains($0) || $0.hasPrefix("--experimental") }
    guard named.command.configuration.subcommands.isEmpty, named.count > 0, !isAsking, !(named.command is CompletePrint.Type) else {
      return arguments
    }
    let takesPlacement = named.command is any PlacementCommand.Type
    let takesWord = named.command is any WordCommand.Type
    guard defaults != Defaults() || takesPlacement || takesWord || typed.contains(where: ParsedCommandLine.isNegative) else {
      return arguments
    }
    let shape = CommandShape(of: named.command)
    var line = ParsedCommandLine(rest, shape)
    let destroying = named.command as? any DestructiveCommand.Type
    let destroys = destroying?.destroys(line.words) ?? false
    if destroys, let destroying, destroying.lacks(line.words, of: shape.requiredCount) { throw unnamed(shape) }
    if !destroys, !(named.command is any EntryCommand.Type), let game = defaults.game { try await fill(game: game, &line, shape) }
    if takesPlacement { try await fillPlacement(&line, shape, defaults) }
    if !destroys, await lacksPlayer(line, shape, defaults) {
      if let player = defaults.player {
        line.words.insert(player, at: 1)
      } else if takesWord, line.words.count >= shape.requiredCount {
        throw LineFault.missing("player", before: line.words[1], in: arguments)
      }
    }
    return arguments.prefix(named.count) + line.arguments
  }

  /// The failure of a command that destroys and is not named in full, whatever the environment says.
  private static func unnamed(_ shape: CommandShape) -> CtlFailure {
    let names = shape.positionals.filter { !$0.isOptional }.map(\.name).joined(separator: " and the ")
    return .usage("name the \(names): a command that deletes ignores the environment")
  }

  private static func fill(game: String, _ line: inout ParsedCommandLine, _ shape: CommandShape) async throws(CtlFailure) {
    guard shape.positionals.first?.name == "game", line.words.count < shape.countMax ?? .max else { return }
    if let first = line.words.first {
      let served = try? await console(line).daemon.ask(Calls.games).answer.games.map(\.game)
      // Without a daemon only the number of words can show it.
      guard let served else {
        if line.words.count < shape.requiredCount { line.words.insert(game, at: 0) }
        return
      }
      if served.contains(first) { return }
    }
    line.words.insert(game, at: 0)
  }

  /// True if the player is left out: a word is missing, or the one in the player's place is what the optional word behind the player takes.
  private static func lacksPlayer(_ line: ParsedCommandLine, _ shape: CommandShape, _ defaults: Defaults) async -> Bool {
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

  /// Names the game's only placement where one word is missing, unless that is the player.
  private static func fillPlacement(
    _ line: inout ParsedCommandLine, _ shape: CommandShape, _ defaults: Defaults
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

  /// The daemon that the line itself would ask.
  private static func console(_ line: ParsedCommandLine) -> Console {
    var options = ConnectionOptions()
    (options.socket, options.json, options.long) = (line.values["--socket"], false, false)
    options.timeout = line.values["--timeout"].flatMap(Double.init).flatMap { $0 > 0 && $0 <= 86_400 ? $0 : nil }
    return options.console()
  }
}

/// A command about a placement, which need not be named where the game has only one.
protocol PlacementCommand: ParsableCommand {}

extension AdsReset: PlacementCommand {}
extension AdsForce: PlacementCommand {}
extension AdsReport: PlacementCommand {}

/// A command whose optional word behind the player is one of a few, so that a player who is left out is noticed.
protocol WordCommand: ParsableCommand {}

extension IapPremium: WordCommand {}
extension IapBehaviour: WordCommand {}
extension PlayerClockMove: WordCommand {}

/// A command about a line of the audit log, which is one of any game where none is named.
protocol EntryCommand: ParsableCommand {}

extension AuditShow: EntryCommand {}
extension AuditRevert: EntryCommand {}

extension ConfigClear: DestructiveCommand {}
extension ConfigImport: DestructiveCommand {}
extension PlayerForget: DestructiveCommand {}
extension PlayerCopy: DestructiveCommand {}
extension PlayerImport: DestructiveCommand {}
extension PlayerReset: DestructiveCommand {}
extension CatalogForget: DestructiveCommand {}
extension IapClock: DestructiveCommand {
  /// It moves for every player, and only a reset takes it back.
  static func destroys(_ words: [String]) -> Bool { words.contains { Move(rawValue: $0) != nil } }
  /// No game is called as the moves are.
  static func lacks(_ words: [String], of count: Int) -> Bool { words.first.flatMap(Move.init) != nil }
}
extension IapClear: DestructiveCommand {}
extension FlagsReset: DestructiveCommand {
  /// One flag is brought back as fast as it went; all of them are not.
  static func destroys(_ words: [String]) -> Bool { words.isEmpty }
}
