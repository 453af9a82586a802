// Terminal output: every command of the README and every list on narrow terminals, and completion in a real bash.

import Glibc
import Testing

@Suite("Output on a terminal")
struct TerminalTests {
  /// Changes that fill every list with entries.
  private static let changes = [
    "config set wheresthedot arcade_time_limit_base 3.5 --reason 'too hard for most of those who tried it on a train' --for 2h",
    "config set wheresthedot arcade_time_limit_base 4", "config set wheresthedot arcade_time_limit_base 4.5 --player p1",
    "flags off wheresthedot arcade_mode_enabled --player p1", "config set wheresthedot theme_forest_milestone 60 --from +1d --for 1d",
    "ads event wheresthedot p1 game_over --mode classic --score 55", "player settings wheresthedot p1 selected_theme neon",
    "iap buy wheresthedot p1 premium", "iap buy kidsdoku2 ben monthly_sub_2", "iap clock kidsdoku2 advance P2M --yes",
    "player clock kidsdoku2 ben advance P1D",
    "iap behaviour kidsdoku2 ben fail purchase --error not_allowed --times 3",
    "config set kidsdoku2 quest_name_3x3 '{\"en\": \"漢字 👩‍👩‍👧\"}' --player 'p 漢字 👩‍👩‍👧'",
    "config set wheresthedot sound_enabled no --player \"$(printf 'evil\\u202e1 x')\" --reason \"$(printf 'a\\033[31mb')\"",
    "ads event wheresthedot \"$(printf 'zwei\\u2028 \\u202eZeilen 🧩')\" game_over --mode classic --score 50", "play open wheresthedot p1",
    "config set wheresthedot sound_enabled off --player 'p 漢字 👩‍👩‍👧' --reason '漢字 👩‍👩‍👧 🧩'", "template push wheresthedot $HOME/template.yaml",
    "scenario run $HOME/scenario.yaml -- gameconfctl scenario list",
    "scenario run $HOME/scenario.yaml -- gameconfctl config changes wheresthedot --players",
    "scenario run $HOME/scenario.yaml -- sh -c 'gameconfctl player show wheresthedot ${GAMECONF_PLAYER_PREFIX}one'",
    "scenario run $HOME/scenario.yaml -- sh -c 'gameconfctl scenario end $GAMECONF_SCENARIO --dry-run'",
  ]

  private static let template = "gameconf_template: 1\nvalues: {arcade_difficulty_step: 7}\n"
  private static let scenario =
    "scenario: 1\ngames:\n  wheresthedot:\n    overrides: {arcade_difficulty_step: 9}\n    players: {one: {purchases: [{product: premium}]}}\n"

  private static let lists = [
    "games", "status", "status --all", "health", "config list wheresthedot", "config list kidsdoku2", "config list kidsdoku2 --player ben",
    "config list wheresthedot --overrides --all-players", "config list kidsdoku2 --overrides --all-players",
    "config explain wheresthedot arcade_time_limit_base --player p1", "config explain wheresthedot arcade_time_limit_base",
    "config simulate wheresthedot arcade_time_limit_base --players 10", "flags list wheresthedot", "flags list adventure",
    "themes list wheresthedot", "themes list wheresthedot --player p1", "themes milestone wheresthedot", "player list wheresthedot",
    "player list kidsdoku2", "player show wheresthedot p1 --all --history 20", "player show kidsdoku2 ben --history 20",
    "player settings wheresthedot p1", "player overrides wheresthedot p1", "player score wheresthedot p1", "iap products kidsdoku2",
    "iap products wheresthedot", "iap status kidsdoku2 ben", "iap status wheresthedot p1", "iap history kidsdoku2 ben",
    "iap history kidsdoku2 ben --transactions", "iap behaviour kidsdoku2 ben", "ads status wheresthedot p1",
    "gate check kidsdoku2 ben premium_puzzles number=1..9", "template versions wheresthedot",
    "template diff wheresthedot $HOME/template.yaml", "catalog show wheresthedot",
    "config changes wheresthedot", "config changes wheresthedot --players", "config changes kidsdoku2", "config changes dartsscore",
    "play list wheresthedot p1", "play show wheresthedot p1 $(gameconfctl play list wheresthedot p1 | cut -f1)",
    "leaderboard show wheresthedot classic --player p1", "leaderboard show wheresthedot classic --player nobody",
    "scenario check $HOME/scenario.yaml", "scenario list", "iap clock kidsdoku2", "player clock kidsdoku2 ben",
    "iap clock kidsdoku2 reset --dry-run",
    "player reset kidsdoku2 ben --dry-run", "catalog forget kidsdoku --dry-run", "themes milestone wheresthedot ocean",
    "audit list", "audit list wheresthedot --since 1h --key arcade_time_limit_base", "events",
    "catalog show kidsdoku2", "audit list wheresthedot", "audit list kidsdoku2", "audit show wheresthedot 7", "store copies", "store check",
    "config get wheresthedot arcade_time_limit_base --player p1", "config set wheresthedot arcade_time_limit_base 99",
    "player show wheresthedot nobody", "config confg", "config get wheresthedot arcade_time_limit_bas",
  ]

  @Test("no output line is wider than the terminal, and no word is broken, at 40, 80 and 120 columns", arguments: [80, 120, 40])
  func narrow(columns: Int) throws {
    let daemon = try RunningDaemon()
    let shell = try DocumentationTests.shell(using: daemon, author: "", columns: columns)
    try daemon.folder.write(Self.template, to: "template.yaml")
    try daemon.folder.write(Self.scenario, to: "scenario.yaml")
    // The output on a very wide terminal has all words unbroken, for comparison.
    let wide = try DocumentationTests.shell(using: daemon, author: "", columns: 400)
    let readme = ConsoleBlock.all(in: String(decoding: try #require(TemporaryFolder.read(Built.tree + "/README.md")), as: UTF8.self))
    let shown = readme.filter { $0.name == nil }.flatMap(\.commands).map(\.text).filter { $0.hasPrefix("gameconfctl ") }
    let changes = Self.changes.map { "gameconfctl " + $0 }
    for (command, lines) in zip(changes + shown, try shell.run(changes + shown)) { check(command, lines, columns) }
    let lists = Self.lists.map { "gameconfctl " + $0 }
    let narrowed = try shell.run(lists)
    let whole = try wide.run(lists)
    try #require(narrowed.count == lists.count && whole.count == lists.count)
    for (at, command) in lists.enumerated() {
      check(command, narrowed[at], columns)
      if columns >= 80 { checkWords(command, narrowed[at], of: whole[at]) }
    }
  }

  private func check(_ command: String, _ lines: [String], _ columns: Int) {
    #expect(!lines.isEmpty, "\(command)")
    for line in lines {
      #expect(Self.width(line) <= columns, "\(command): \(line)")
      #expect(!line.unicodeScalars.contains { $0.value == 0x202E || $0.value == 0x1B }, "\(command): \(line)")
    }
  }

  /// Checks that every word on the narrow terminal is on the wide one, except words that mark something as cut or omitted.
  private func checkWords(_ command: String, _ lines: [String], of whole: [String]) {
    var known = Set(whole.flatMap(Self.words))
    known.formUnion(whole.flatMap { Self.words($0.lowercased()) })
    // JSON cannot be broken at spaces, and the separator after a time may be on its own.
    for word in lines.filter({ !$0.hasPrefix("--long shows") }).flatMap(Self.words)
    where !word.hasSuffix("…") && !word.contains(where: { "\"{}".contains($0) }) && word != ";" {
      let bare = word.trimming { ":;,".contains($0) }
      let isBar = word.allSatisfy { "█░▏▎▍▌▋▊▉".contains($0) }
      #expect(
        isBar || known.contains(word) || known.contains(bare) || known.contains { $0.trimming { ":;,".contains($0) } == bare },
        "\(command): “\(word)”")
    }
  }

  private static func words(_ line: String) -> [String] {
    // Relative times may differ between the two runs, so they are removed. A line break between a day and its time leaves both as words.
    let still = line.replacing(
      /just now|now|(in )?\d+ (s|min|h|d)( \d+ min)?( ago)?|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{3})?Z)?/, with: "")
    return still.split(separator: " ").map(String.init)
  }

  /// Returns the width in columns of a text, for the characters in this file.
  private static func width(_ line: String) -> Int {
    line.reduce(0) { sum, character in
      let first = character.unicodeScalars.first
      let isWide = first.map { $0.properties.isEmojiPresentation || (0x4E00...0x9FFF).contains($0.value) } ?? false
      return sum + (isWide ? 2 : 1)
    }
  }
}

extension String {
  fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> String {
    String(drop(while: isTrimmed).reversed().drop(while: isTrimmed).reversed())
  }
}

@Suite("Shell completion in a real bash")
struct CompletionInBashTests {
  private func shell(_ daemon: RunningDaemon, patience: String? = "30000") throws -> TerminalShell {
    var shell = try DocumentationTests.shell(using: daemon, author: "")
    shell.environment["PS1"] = "ready> "
    // A long timeout, because the machine may be busy.
    shell.environment["GAMECONF_COMPLETION_MS"] = patience
    return shell
  }

  private static let script = "source <(gameconfctl --generate-completion-script bash)\n"

  @Test("Tab in bash lists the matching keys, and completes a unique one")
  func keys() throws {
    let daemon = try RunningDaemon()
    let shown = try shell(daemon).type([
      ("ready> ", Self.script), ("ready> ", "gameconfctl config set wheresthedot arc\t\t\t"),
      ("arcade_time_limit_per_level", "\u{15}gameconfctl config get wheresthedot daily_s\t\n"), ("daily_seed", "echo it is over\n"),
      ("it is over\r\n", ""),
    ])
    for key in ["arcade_cover_min", "arcade_mode_enabled", "arcade_radius_base", "arcade_time_limit_base"] {
      #expect(shown.contains(key), "\(shown)")
    }
    #expect(!shown.contains("theme_forest_milestone"), "\(shown)")
  }

  @Test("Tab in bash offers commands, games, players, values and options")
  func others() throws {
    let daemon = try RunningDaemon()
    _ = try daemon.control("ads", "event", "wheresthedot", "player-one", "game_over", "--mode", "classic", "--score", "5")
    let shown = try shell(daemon).type([
      ("ready> ", Self.script), ("ready> ", "gameconfctl playe\tsh\twher\tplay\t\n"), ("player-one in wheresthedot", "\n"),
      ("ready> ", "\u{15}gameconfctl config set wheresthedot sound_enabled f\t --dry\t\n"), ("sound_enabled is overridden with false", ""),
    ])
    #expect(shown.contains("without --dry-run"))
  }

  @Test("Tab in bash completes an id with a colon, and a value after an option's equals sign")
  func parts() throws {
    let daemon = try RunningDaemon()
    _ = try daemon.control("ads", "event", "wheresthedot", "team:red", "game_over", "--mode", "classic", "--score", "5")
    let shown = try shell(daemon).type([
      ("ready> ", Self.script), ("ready> ", "gameconfctl player show wheresthedot team:r\t\n"), ("team:red in wheresthedot", "\n"),
      ("ready> ", "\u{15}gameconfctl config get wheresthedot sound_enabled --player=tea\t\n"), ("true\r\n", "echo it is over\n"),
      ("it is over\r\n", ""),
    ])
    #expect(shown.contains("show wheresthedot team:red"), "\(shown)")
    #expect(shown.contains("--player=team:red") && !shown.contains("team:team"), "\(shown)")
  }

  @Test("Tab in bash offers nothing, without delay, if the daemon is down or does not answer")
  func silent() throws {
    let daemon = try RunningDaemon()
    let shell = try shell(daemon, patience: nil)
    daemon.process.signal(SIGSTOP)
    defer { daemon.process.signal(SIGCONT) }
    let stopped = try shell.type([
      ("ready> ", Self.script), ("ready> ", "gameconfctl config set wheresthedot arc\t\t\u{15}echo went on\n"),
      ("went on\r\n", ""),
    ])
    #expect(!stopped.contains("arcade_"), "\(stopped)")
    daemon.process.signal(SIGCONT)
    daemon.stop()
    let down = try shell.type([
      ("ready> ", Self.script), ("ready> ", "gameconfctl config set wheresthedot arc\t\t\u{15}echo went on\n"), ("went on\r\n", ""),
    ])
    #expect(!down.contains("arcade_") && !down.contains("no gameconfd answers"), "\(down)")
  }
}
