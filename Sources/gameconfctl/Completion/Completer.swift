// Finds the candidates that a shell offers at Tab: commands, options, and ids that the running daemon knows.

import ArgumentParser
import GameConfAPI
import GameConfCore
import Glibc

struct CompletionCandidate: Equatable {
  var word: String
  var about = ""
}

struct Completer {
  /// The maximum number of candidates; a longer list does not help.
  static let offersMax = 100
  /// The timeout of a completion in milliseconds, so that typing is not delayed. With the start and the end of the program, a completion
  /// takes less than 150 ms. `GAMECONF_COMPLETION_MS` may set a longer timeout for a distant socket.
  static var patienceMilliseconds: Int {
    let text = getenv("GAMECONF_COMPLETION_MS").map { String(cString: $0) }
    return text.flatMap { Int($0) }.map { min(max(1, $0), 60_000) } ?? 100
  }

  var console: Console
  var defaults: EnvironmentDefaults

  enum CompletionResult: Equatable {
    case offers([CompletionCandidate])
    /// The shell itself completes file names.
    case files
  }

  /// Returns the candidates for the word that is being typed.
  /// - Parameters:
  ///   - before: The words before that word.
  ///   - beginning: The typed beginning of that word.
  func complete(_ before: [String], _ beginning: String) async -> CompletionResult {
    let named = NamedCommand(before)
    if named.unknown != nil { return .offers([]) }
    let parts = named.command.configuration.subcommands
    if !parts.isEmpty { return .offers(Self.fitting(Self.commands(parts, beginning), beginning)) }
    let shape = CommandShape(of: named.command)
    let line = ParsedCommandLine(before.dropFirst(named.count), shape)
    if line.passedOn != nil { return .files }
    if let open = line.openOption, let option = shape.option(open) {
      return await answer([option.completion], filled(line.words, shape, named.command), beginning)
    }
    if let equals = beginning.firstIndex(of: "="), let option = shape.option(String(beginning[..<equals])), !before.contains("--") {
      let typed = beginning[...equals]
      let words = await filled(line.words, shape, named.command)
      guard case .offers(let offers) = await answer([option.completion], words, String(beginning.dropFirst(typed.count))) else {
        return .files
      }
      return .offers(offers.map { CompletionCandidate(word: typed + $0.word, about: $0.about) })
    }
    if beginning.hasPrefix("-"), !before.contains("--") {
      let unused = shape.options.filter { option in option.isRepeating || !option.names.contains { line.options.contains($0) } }
      let offers = unused.compactMap { option in
        option.names.first { $0.hasPrefix("--") }.map { CompletionCandidate(word: $0, about: option.help) }
      }
      return .offers(Self.fitting(offers + [CompletionCandidate(word: "--help", about: "Show help information.")], beginning))
    }
    let words = await filled(line.words, shape, named.command)
    return await answer(sources(line, words, shape, beginning), words, beginning)
  }

  /// Returns the words with the environment's game in front, unless the first word is a game that the daemon serves.
  private func filled(_ words: [String], _ shape: CommandShape, _ command: any ParsableCommand.Type) async -> [String] {
    let destroys = (command as? any DestructiveCommand.Type)?.destroys(words) ?? false
    guard let game = defaults.game, !destroys, shape.positionals.first?.name == "game" else { return words }
    guard let first = words.first else { return [game] }
    let served = try? await console.daemon.ask(Calls.games).answer.games.map(\.game)
    return served?.contains(first) == true ? words : [game] + words
  }

  /// Returns the sources of candidates for the next word. If the environment supplies the game or the player, the word may be that argument
  /// or the one after it, so the sources of both are returned.
  private func sources(_ line: ParsedCommandLine, _ words: [String], _ shape: CommandShape, _ beginning: String) -> [CompletionSource] {
    let (typed, options) = (line.words, line.options)
    // A player that the option `--player` names takes no position among the words.
    let isPlayerGiven =
      shape.namesPlayerByOption && options.contains { $0 == CommandShape.playerOption || $0.hasPrefix(CommandShape.playerOption + "=") }
    let count = words.count + (isPlayerGiven && words.count >= shape.playerPlace ?? .max ? 1 : 0)
    var places = [count]
    // The environment names the game, but the user may be typing another game as the first word.
    if typed.isEmpty, words.count == 1, !beginning.isEmpty { places.insert(0, at: 0) }
    if defaults.player != nil, words.count == 1, shape.positionals.dropFirst().first?.name == "player" { places.append(2) }
    return places.compactMap { place in
      if let last = shape.positionals.last, !last.isPassedOn, last.isRepeating, place >= shape.positionals.count { return last.completion }
      guard shape.positionals.indices.contains(place), !shape.positionals[place].isPassedOn else { return nil }
      return shape.positionals[place].completion
    }
  }

  private func answer(_ sources: [CompletionSource], _ words: [String], _ beginning: String) async -> CompletionResult {
    var offers: [CompletionCandidate] = []
    for source in sources {
      switch source {
      case .nothing: break
      case .files: return .files
      case .words(let words): offers += words.map { CompletionCandidate(word: $0) }
      case .ids(let ids): offers += (try? await self.ids(ids, words, beginning)) ?? []
      }
    }
    return .offers(Self.fitting(offers, beginning))
  }

  private func ids(_ ids: CompletionSource.IDKind, _ words: [String], _ beginning: String) async throws(CtlFailure) -> [CompletionCandidate]
  {
    if ids == .games {
      return try await console.daemon.ask(Calls.games).answer.games.map { CompletionCandidate(word: $0.game, about: $0.title) }
    }
    if ids == .scenarios {
      return try await console.daemon.ask(Calls.scenarios).answer.scenarios.map {
        CompletionCandidate(word: $0.scenario.id, about: $0.scenario.title ?? $0.games.joined(separator: ", "))
      }
    }
    guard let game = words.first else { return [] }
    if ids == .players {
      // The daemon lists players' ids in order, beginning after the id in the query. So ids that begin with the typed text come first.
      var query = [("limit", String(Self.offersMax))]
      if !beginning.isEmpty { query.append(("after", beginning)) }
      return try await console.daemon.ask(Calls.players, ["game": game], query: query).answer.players.map {
        CompletionCandidate(word: $0.player)
      }
    }
    let catalog = try await console.daemon.ask(Calls.catalog, ["game": game]).answer
    return Self.offers(ids, catalog, key: words.dropFirst().last)
  }

  static func offers(_ ids: CompletionSource.IDKind, _ catalog: CatalogAnswer, key: String?) -> [CompletionCandidate] {
    let parameters = catalog.part("parameters")
    let keys = { (admits: (Value) -> Bool) in
      parameters.filter(admits).map { CompletionCandidate(word: $0["key"]?.stringValue ?? "", about: $0["description"]?.stringValue ?? "") }
    }
    let named = { (part: String) in
      catalog.part(part).map { CompletionCandidate(word: $0["id"]?.stringValue ?? "", about: CatalogPage.title($0)) }
    }
    let granted = { () -> [CompletionCandidate] in
      let all = catalog.part("products").flatMap { $0["grants"]?.listValue ?? [] }.compactMap(\.stringValue)
      return Set(all).sorted().map { CompletionCandidate(word: $0) }
    }
    switch ids {
    case .games, .players, .scenarios: return []
    case .keys: return keys { _ in true }
    case .flags: return keys { $0["flag"] != nil }
    case .settings: return keys { $0["player_setting"] == true }
    case .themes, .products, .placements, .gates: return named(ids.rawValue)
    case .entitlements: return granted()
    case .transactions: return named("products") + granted()
    case .events: return catalog.part("events").map { CompletionCandidate(word: $0["event"]?.stringValue ?? "") }
    case .modes: return catalog.part("modes").map { CompletionCandidate(word: $0.stringValue ?? "") }
    case .values:
      guard let parameter = parameters.first(where: { $0["key"]?.stringValue == key }) else { return [] }
      if parameter["type"] == "boolean" { return [CompletionCandidate(word: "true"), CompletionCandidate(word: "false")] }
      if parameter["one_of"]?["themes"] != nil { return named("themes") }
      return (parameter["enum"]?.listValue ?? []).map { CompletionCandidate(word: ValueStyle.cell($0)) }
    }
  }

  /// Returns commands by their names. An alias is a candidate only if its beginning has been typed.
  private static func commands(_ parts: [any ParsableCommand.Type], _ beginning: String) -> [CompletionCandidate] {
    parts.filter { $0.configuration.shouldDisplay }.compactMap { part in
      let name = part.names.first { $0.hasPrefix(beginning) }
      return name.map { CompletionCandidate(word: $0, about: part.configuration.abstract) }
    }
  }

  /// Returns those candidates that begin with the typed text and consist of plain characters, each once.
  static func fitting(_ offers: [CompletionCandidate], _ beginning: String) -> [CompletionCandidate] {
    var seen: Set<String> = []
    let fitting = offers.filter { $0.word.hasPrefix(beginning) && isPlain($0.word) && seen.insert($0.word).inserted }
    return Array(fitting.prefix(offersMax))
  }

  /// True if every shell reads the word as it is, without quotes.
  static func isPlain(_ word: String) -> Bool {
    !word.isEmpty
      && word.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"): true
        default: false
        }
      }
  }
}
