// Arguments that need not be typed, completion, and the report of a mistyped command.

import GameConfAPI
import GameConfCore
import GameConfTransport
import Testing

@testable import gameconfctl

private enum DaemonResponses {
  static let games = Response.json(
    GamesAnswer(games: [GameSummary(game: "dots", title: "Dots", revision: 1), GameSummary(game: "darts", title: "Darts", revision: 1)]))

  private static let parameters: Value = [
    ["key": "arc_base", "type": "double", "default": 2.5, "section": "A", "description": "Seconds."],
    ["key": "arc_on", "type": "boolean", "default": true, "section": "A", "flag": "release", "player_setting": true],
    ["key": "mood", "type": "string", "default": "calm", "section": "A", "enum": ["calm", "wild"]],
    ["key": "bad key", "type": "string", "default": "", "section": "A"],
  ]
  private static let placements: Value = [["id": "game_over", "format": "interstitial", "event": "game_over"]]
  private static let products: Value = [["id": "premium", "grants": ["ad_free", "Pro"], "name": ["en": "Premium"]]]

  static func catalog(_ placements: Value = placements) -> Response {
    let members: [(String, Value)] = [
      ("game", "dots"), ("parameters", parameters), ("placements", placements), ("products", products),
      ("events", [["event": "game_over"]]),
      ("modes", ["classic"]), ("themes", [["id": "neon"]]), ("gates", [["id": "extra"]]),
    ]
    return .json(CatalogAnswer(document: ObjectValue(members)))
  }

  static let players = PlayersList(
    game: "dots",
    players: ["p1", "p2", "p 3"].map { PlayerSummary(player: $0, playerRevision: 1, lifetimeScore: 0, gamesPlayed: 0, visits: 0) })

  static func daemon() -> RecordedDaemon {
    let ad = AdChangeAnswer(playerRevision: 3, ad: PlayerSample.ad)
    return RecordedDaemon([
      "GET /v1/games": games, "GET /v1/games/dots/catalog": catalog(), "GET /v1/games/dots/players?limit=100": .json(players),
      "GET /v1/games/dots/players?limit=100&after=p": .json(players), "GET /v1/games/dots/config/arc_base": .json(Sample.value("arc_base")),
      "GET /v1/games/darts/config/arc_base": .json(Sample.value("arc_base", 9.0)),
      "PUT /v1/games/dots/overrides/arc_base": .json(Sample.override("arc_base", -1.0)),
      "GET /v1/games/dots/players/p1?history=0": .json(PlayerSample.page),
      "POST /v1/games/dots/players/p1/ads/game_over/reset": .json(ad), "POST /v1/games/dots/players/p2/ads/game_over/reset": .json(ad),
    ])
  }
}

@Suite("Optional arguments")
struct TypingLessTests {
  @Test(
    "GAMECONF_GAME replaces a game that was not typed, but a first word that names a served game is the game",
    arguments: [
      (["config", "get", "arc_base"], "2.5\n"), (["config", "get", "dots", "arc_base"], "2.5\n"),
      (["config", "get", "darts", "arc_base"], "9.0\n"), (["config", "get", "arc_base", "--json"], "{"),
    ] as [([String], String)])
  func game(arguments: [String], out: String) async {
    let outcome = await run(arguments, admin: DaemonResponses.daemon(), environment: ["GAMECONF_GAME": "dots"])
    #expect(outcome.status == 0, "\(outcome.err)")
    #expect(outcome.out.hasPrefix(out))
  }

  @Test("without GAMECONF_GAME no game is guessed, and with it a command line that has all its words is unchanged")
  func nothingGuessed() async {
    #expect(await run("config", "get", "arc_base", admin: DaemonResponses.daemon()).status == 2)
    let daemon = DaemonResponses.daemon()
    let wrong = await run("config", "get", "dotz", "arc_base", admin: daemon, environment: ["GAMECONF_GAME": "dots"])
    #expect(wrong.status == 5)
    #expect(daemon.calls.last == "GET /v1/games/dotz/config/arc_base")
  }

  @Test(
    "GAMECONF_PLAYER replaces a player that was not typed, and a game's only placement need not be typed",
    arguments: [
      (["ads", "reset"], "p1"), (["ads", "reset", "dots"], "p1"), (["ads", "reset", "p2"], "p2"), (["ads", "reset", "dots", "p2"], "p2"),
      (["ads", "reset", "dots", "p2", "game_over"], "p2"), (["ads", "reset", "dots", "game_over"], "p1"),
      (["ads", "reset", "game_over"], "p1"),
    ])
  func player(arguments: [String], player: String) async {
    let daemon = DaemonResponses.daemon()
    let outcome = await run(arguments, admin: daemon, environment: ["GAMECONF_GAME": "dots", "GAMECONF_PLAYER": "p1"])
    #expect(outcome.status == 0, "\(outcome.err)")
    #expect(daemon.changes.map(\.call) == ["POST /v1/games/dots/players/\(player)/ads/game_over/reset"])
  }

  @Test("GAMECONF_PLAYER does not turn a change for the game into one for the player")
  func optionalPlayer() async {
    let daemon = DaemonResponses.daemon()
    _ = await run("config", "set", "arc_base", "-1", admin: daemon, environment: ["GAMECONF_GAME": "dots", "GAMECONF_PLAYER": "p1"])
    #expect(daemon.changes.map(\.call) == ["PUT /v1/games/dots/overrides/arc_base"])
    #expect(daemon.changes.last?.body == ["value": -1.0])
  }

  @Test("the placement must be typed if the game has several")
  func placements() async {
    let daemon = RecordedDaemon(["GET /v1/games/dots/catalog": DaemonResponses.catalog([["id": "a"], ["id": "b"]])])
    let outcome = await run("ads", "reset", "dots", "p1", admin: daemon)
    #expect(outcome.status == 2)
    #expect(outcome.err.contains("name one: a, b"))
    #expect(daemon.changes.isEmpty)
  }

  @Test(
    "a destructive command takes neither game nor player from the environment",
    arguments: [
      ["config", "clear", "--yes"], ["player", "forget", "--yes"], ["iap", "clear", "--yes"], ["flags", "reset", "--yes"],
      ["player", "reset", "--yes"], ["player", "reset", "dots", "--yes"], ["catalog", "forget", "--yes"],
      ["iap", "clock", "reset", "--yes"],
      ["iap", "clock", "advance", "P2M", "--yes"],
    ])
  func destroying(arguments: [String]) async {
    let daemon = DaemonResponses.daemon()
    #expect(await run(arguments, admin: daemon, environment: ["GAMECONF_GAME": "dots", "GAMECONF_PLAYER": "p1"]).status == 2)
    #expect(daemon.calls.isEmpty)
  }

  @Test("a game's clock is shown with the environment's game, and moved only if the game is named")
  func clock() async {
    let clock = ClockAnswer(game: "dots", now: Instant(seconds: 5), host: Instant(seconds: 5), rate: 1)
    let daemon = RecordedDaemon([
      "GET /v1/games": DaemonResponses.games, "GET /v1/games/dots/clock": .json(clock), "PUT /v1/games/dots/clock": .json(clock),
    ])
    #expect(await run("iap", "clock", admin: daemon, environment: ["GAMECONF_GAME": "dots"]).status == 0)
    let moved = await run("iap", "clock", "dots", "advance", "P1D", "--yes", admin: daemon, environment: ["GAMECONF_GAME": "dots"])
    #expect(moved.status == 0 && daemon.changes.map(\.call) == ["PUT /v1/games/dots/clock"], "\(moved)")
  }

  @Test("an audit entry is found by its id alone, whatever game the environment names")
  func entries() async {
    let entry = AuditEntry(
      id: 7, at: Instant(seconds: 0), author: Sample.author, action: "override.set", game: "darts", key: "arc_base", after: 2.5, revision: 9
    )
    let own = AuditEntry(id: 9, at: Instant(seconds: 0), author: Sample.author, action: "store.restore")
    let daemon = RecordedDaemon([
      "GET /v1/games": DaemonResponses.games, "GET /v1/audit?before=8&limit=1": .json(AuditList(entries: [entry], nextBefore: 7)),
      "GET /v1/audit?before=10&limit=1": .json(AuditList(entries: [own], nextBefore: 9)),
      "GET /v1/audit?before=13&limit=1": .json(AuditList(entries: [own], nextBefore: 9)),
      "GET /v1/audit?before=2&limit=1": .json(AuditList(entries: [], nextBefore: nil)),
      "GET /v1/games/darts/audit/7": .json(entry),
      "POST /v1/games/darts/audit/7/revert": .json(RevertAnswer(revision: 10, entry: entry)),
    ])
    func audit(_ words: String...) async -> RunResult {
      await run(["audit"] + words, admin: daemon, environment: ["GAMECONF_GAME": "dots"])
    }
    let shown = await audit("show", "7")
    let named = await audit("show", "darts", "7")
    #expect(shown.status == 0 && shown.out.contains("game\tdarts\n") && shown == named, "\(shown)")
    #expect(await audit("show", "7", "--json") == audit("show", "darts", "7", "--json"))
    #expect(await audit("show", "9").out.contains("store.restore"))
    for unknown in ["12", "1", "0", "-3"] {
      let outcome = await audit("show", unknown)
      #expect(outcome.status == 5 && outcome.err.contains("no line \(unknown)"), "\(outcome)")
    }
    for wrong in [["show"], ["show", "dots"], ["revert"], ["show", "dots", "x"], ["show", "7", "8", "9"]] {
      #expect(await run(["audit"] + wrong, admin: daemon).status == 2, "\(wrong)")
    }
    #expect(daemon.changes.isEmpty)
    #expect(await audit("revert", "9").err.contains("belongs to no game"))
    #expect(await audit("revert", "7").status == 0)
    #expect(daemon.changes.map(\.call) == ["POST /v1/games/darts/audit/7/revert"])
  }

  @Test("a typed negative number is a value and not an option, also after an option")
  func negative() async {
    let daemon = DaemonResponses.daemon()
    #expect(await run("config", "set", "dots", "arc_base", "-1", "--reason", "r", admin: daemon).status == 0)
    #expect(daemon.changes.last?.body == ["value": -1.0, "reason": "r"])
    _ = await run("player", "score", "dots", "p1", "--lifetime", "-5", admin: daemon)
    #expect(daemon.changes.last?.body == ["lifetime_score": -5])
  }

  @Test(
    "words after -- are passed on to a command unchanged, whatever they look like and whatever the environment names",
    arguments: [
      ["echo", "-1", "a"], ["echo", "--json"], ["sh", "-c", "echo --help", "--", "-5"], ["--reason"], ["echo", "--player", "-.5", "dots"],
    ])
  func passedOn(command: [String]) async throws {
    let environments: [[String: String]] = [
      [:], ["GAMECONF_GAME": "dots"], ["GAMECONF_PLAYER": "p1"], ["GAMECONF_GAME": "dots", "GAMECONF_PLAYER": "p1"],
    ]
    for environment in environments {
      let defaults = EnvironmentDefaults(game: environment["GAMECONF_GAME"], player: environment["GAMECONF_PLAYER"])
      for options in [[], ["--reason", "r"], ["--timeout", "-1"]] {
        let typed = ["scenario", "run"] + options + ["file.yaml", "--"] + command
        let filled = try await ArgumentFill.filled(typed, defaults)
        #expect(filled.suffix(command.count + 2) == ["file.yaml", "--"] + command)
        if options.last == "-1" { continue }
        let run = try #require(GameConfCtl.parseAsRoot(filled) as? ScenarioRun)
        #expect(run.file == "file.yaml" && run.command == command)
      }
    }
  }

  @Test(
    "if the player is missing, the word in its place is named in the error; GAMECONF_PLAYER is inserted before that word",
    arguments: [
      ["iap", "premium", "dots", "on"], ["player", "clock", "dots", "advance", "P1D"], ["iap", "behaviour", "dots", "fail", "restore"],
    ])
  func shifted(arguments: [String]) async throws {
    let outcome = await run(arguments, admin: DaemonResponses.daemon())
    #expect(outcome.status == 2 && outcome.err.contains("the player is missing before “\(arguments[3])”"), "\(outcome)")
    let filled = try await Console.$current.withValue(
      Console(
        daemon: DaemonClient(socketClients: [.init(kind: .admin, path: "/run/a", transport: DaemonResponses.daemon())]),
        screen: Console.screen)
    ) { try await ArgumentFill.filled(arguments, EnvironmentDefaults(game: nil, player: "p1")) }
    #expect(filled == Array(arguments.prefix(3)) + ["p1"] + arguments.dropFirst(3))
  }

  @Test(
    "the option --player replaces the word for the player in every command that has one, in any position",
    arguments: [
      ["iap", "buy", "dots", "--player", "p2", "premium"], ["iap", "buy", "--player=p2", "dots", "premium"],
      ["ads", "event", "dots", "game_over", "--player", "p2", "--mode", "classic"], ["player", "show", "dots", "--player=p2"],
      ["iap", "premium", "dots", "on", "--player", "p2"], ["player", "forget", "dots", "--player", "p2", "--yes"],
      ["ads", "reset", "dots", "--player", "p2"], ["player", "settings", "dots", "--player", "p2", "arc_on", "on"],
    ])
  func playerByOption(arguments: [String]) async throws {
    let words = arguments.filter { !$0.hasPrefix("--player") && $0 != "p2" }
    var expected = words
    expected.insert("p2", at: 3)
    // With the environment's game, the game need not be typed. The environment's player differs from the one of `--player`.
    for defaults in [EnvironmentDefaults(), EnvironmentDefaults(game: "dots", player: "p1")] {
      let daemon = DaemonClient(socketClients: [.init(kind: .admin, path: "/run/a", transport: DaemonResponses.daemon())])
      try await Console.$current.withValue(Console(daemon: daemon, screen: Console.screen)) {
        var filled = try await ArgumentFill.filled(arguments, defaults)
        if arguments[1] == "reset" { filled.removeAll { $0 == "game_over" } }
        // Options may precede the words; the player's position among the words counts.
        #expect(Set(filled) == Set(expected) && filled.filter(expected[2...3].contains) == ["dots", "p2"], "\(filled)")
        if arguments[0] == "player", arguments[1] == "forget" { return }
        guard defaults.game != nil else { return }
        var short = try await ArgumentFill.filled(arguments.filter { $0 != "dots" }, defaults)
        if arguments[1] == "reset" { short.removeAll { $0 == "game_over" } }
        #expect(Set(short) == Set(expected), "\(short)")
      }
    }
  }

  @Test("a player that is typed twice, or without a game, is a usage error")
  func playerTwice() async {
    let twice = await run("iap", "buy", "dots", "p1", "premium", "--player", "p2", admin: DaemonResponses.daemon())
    #expect(twice.status == 2 && twice.err.contains("one word too many"), "\(twice)")
    let alone = await run("iap", "status", "--player", "p2", admin: DaemonResponses.daemon())
    #expect(alone.status == 2 && alone.err.contains("the game is missing before “p2”"), "\(alone)")
    #expect(await run("config", "list", "dots", "--palyer", "p2").err.contains("Did you mean “--player”?"))
  }

  @Test("the environment's player is inserted before a word that the catalog declares as the key of a setting")
  func shiftedSetting() async {
    let daemon = DaemonResponses.daemon()
    _ = await run("player", "settings", "arc_on", "on", admin: daemon, environment: ["GAMECONF_GAME": "dots", "GAMECONF_PLAYER": "p1"])
    #expect(daemon.changes.map(\.call) == ["PUT /v1/games/dots/players/p1/settings/arc_on"])
  }

  @Test(
    "command groups and commands have aliases such as flag for flags",
    arguments: [["flag", "list", "g"], ["flags", "list", "g"], ["theme", "list", "g"], ["templates", "versions", "g"]])
  func aliases(arguments: [String]) async {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/config?detail=full": .json(Sample.config),
      "GET /v1/games/g/themes": .json(ThemeList(game: "g", revision: 7, themes: [])),
      "GET /v1/games/g/template/versions?limit=50": .json(TemplateVersionsAnswer()),
    ])
    #expect(await run(arguments, admin: daemon).status == 0)
  }

  @Test(
    "a mistyped command is refused with a similar one, or else with all commands",
    arguments: [
      (["confg", "list", "g"], "“confg” is not a command of gameconfctl. Did you mean “config”?"),
      (["config", "lst", "g"], "“lst” is not a command of gameconfctl config. Did you mean “list”?"),
      (["flgs"], "Did you mean “flags”?"), (["gate", "zzz"], "There is only check."),
      (["flags", "toggle"], "There are list, on, off, reset."),
    ] as [([String], String)])
  func mistyped(arguments: [String], words: String) async {
    let outcome = await run(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.err.contains(words), "\(outcome.err)")
  }
}

@Suite("Completion at Tab")
struct CompletionTests {
  private func words(_ line: String..., environment: [String: String] = [:], daemon: RecordedDaemon = DaemonResponses.daemon()) async
    -> [String]
  {
    let outcome = await run(["complete", String(line.count), "--"] + line, admin: daemon, environment: environment)
    return outcome.out.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
  }

  @Test("completion offers command groups, commands and options as the program declares them")
  func commands() async {
    #expect(await words("conf") == ["config"])
    #expect(await words("flag") == ["flags"])
    #expect(await words("config", "re") == ["reset", "release"])
    #expect(await words("config", "un") == ["unset"])
    #expect(await words("config", "set", "dots", "arc_base", "3", "--un") == ["--until"])
    #expect(await words("config", "set", "dots", "arc_base", "3", "--until", "+1h", "--un") == [])
    #expect(await words("nonsense", "x") == [])
  }

  @Test("completion offers ids that the daemon knows, from games and keys to players and modes")
  func ids() async {
    #expect(await words("config", "get", "d") == ["dots", "darts"])
    #expect(await words("config", "set", "dots", "arc") == ["arc_base", "arc_on"])
    #expect(await words("flags", "on", "dots", "") == ["arc_on"])
    #expect(await words("themes", "milestone", "dots", "") == ["neon"])
    #expect(await words("iap", "buy", "dots", "p1", "") == ["premium"])
    #expect(await words("iap", "grant", "dots", "p1", "") == ["Pro", "ad_free"])
    #expect(await words("ads", "status", "dots", "p1", "") == ["game_over"])
    #expect(await words("ads", "event", "dots", "p1", "") == ["game_over"])
    #expect(await words("ads", "event", "dots", "p1", "game_over", "--mode", "") == ["classic"])
    #expect(await words("gate", "check", "dots", "p1", "") == ["extra"])
    #expect(await words("player", "settings", "dots", "p1", "") == ["arc_on"])
    #expect(await words("player", "show", "dots", "p") == ["p1", "p2"])
    #expect(await words("config", "get", "dots", "arc_base", "--player", "") == ["p1", "p2"])
  }

  @Test("completion offers players after --player and --player=, and after a player the words for the next argument")
  func equals() async {
    #expect(await words("config", "get", "dots", "arc_base", "--player=p") == ["--player=p1", "--player=p2"])
    #expect(await words("iap", "buy", "dots", "--player=p") == ["--player=p1", "--player=p2"])
    #expect(await words("iap", "buy", "dots", "--pl") == ["--player"])
    #expect(await words("iap", "buy", "dots", "--player", "") == ["p1", "p2"])
    #expect(await words("iap", "buy", "dots", "--player=p1", "") == ["premium"])
    #expect(await words("config", "get", "dots", "arc_base", "--nothing=p") == [])
  }

  @Test("completion offers the values that a key declares, and the fixed words that a command declares")
  func values() async {
    #expect(await words("config", "set", "dots", "mood", "") == ["calm", "wild"])
    #expect(await words("config", "set", "dots", "arc_on", "f") == ["false"])
    #expect(await words("iap", "premium", "dots", "p1", "") == ["on", "off"])
    #expect(await words("ads", "report", "dots", "p1", "game_over", "d", "no") == ["no_fill"])
    #expect(await words("template", "push", "dots", "") == [""])
  }

  @Test("if the environment names game and player, completion offers words for both possible positions")
  func defaults() async {
    let environment = ["GAMECONF_GAME": "dots", "GAMECONF_PLAYER": "p1"]
    #expect(await words("config", "set", "arc", environment: environment) == ["arc_base", "arc_on"])
    #expect(await words("config", "get", "d", environment: environment) == ["dots", "darts"])
    #expect(await words("flags", "off", "", environment: environment) == ["arc_on"])
    #expect(await words("iap", "buy", "p", environment: environment) == ["p1", "p2", "premium"])
    #expect(await words("iap", "clear", "", environment: environment) == ["dots", "darts"])
  }

  @Test("completion offers at most a hundred words, and no word that a shell would split")
  func plain() {
    let many = (0..<300).map { CompletionCandidate(word: "k\($0)") }
    #expect(Completer.fitting(many, "k").count == Completer.offersMax)
    let odd = ["a b", "a;rm", "$(x)", "a\u{202E}b", "ä", "a*", "", "a\n", "ok-1.2_x", "a:b:c"].map { CompletionCandidate(word: $0) }
    #expect(Completer.fitting(odd, "").map(\.word) == ["ok-1.2_x", "a:b:c"])
  }

  @Test("without a daemon completion offers and prints nothing")
  func noDaemon() async {
    let daemon = RecordedDaemon(failure: .noSocket(path: "/run/a"))
    let outcome = await run("complete", "4", "--", "config", "get", "dots", "ar", admin: daemon)
    #expect(outcome == RunResult(status: 0, out: "", err: ""))
    for rubbish in [["complete"], ["complete", "x", "--"], ["complete", "0", "--"], ["complete", "99", "--", "config"]] {
      #expect(await run(rubbish, admin: daemon).status == 0)
    }
  }

  @Test("completion offers the scenarios in force for scenario end, and takes less than 150 ms")
  func scenarios() async {
    let bare = WireScenario(
      id: "0123456789ab", title: "nightly", prefix: "scn-0123456789ab-", author: Sample.author, startedAt: Instant(seconds: 0),
      leaseUntil: Instant(seconds: 60), leaseSeconds: 60, endsAt: Instant(seconds: 86_400))
    let list = ScenarioList(scenarios: [ScenarioAnswer(scenario: bare, games: ["dots"], holds: [])])
    #expect(await words("scenario", "end", "0", daemon: RecordedDaemon(["GET /v1/scenarios": .json(list)])) == ["0123456789ab"])
    #expect(await words("scenario", "e") == ["end"])
    // The rest of the 150 ms is for the start and the end of the program.
    #expect(Completer.patienceMilliseconds <= 100)
  }

  @Test("each supported shell has a completion script that calls the program", arguments: CompletionScript.allCases)
  func scripts(shell: CompletionScript) async {
    let outcome = await run("--generate-completion-script", shell.rawValue)
    #expect(outcome.status == 0)
    #expect(outcome.out.contains(" complete ") && outcome.out.contains("gameconfctl"))
  }
}
