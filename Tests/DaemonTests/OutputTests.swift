// The programs' output: it arrives complete or its failure is reported, and a reader's end stops programs that wait.

import ArgumentParser
import GameConfCore
import Glibc
import Testing

@testable import gameconfctl

@Suite("The output of the programs", .serialized)
struct OutputTests {
  /// Command lines that print, with a daemon or without one.
  private static let reading = [
    "games", "status", "status --all", "health", "version", "config list adventure", "config get wheresthedot arcade_mode_enabled",
    "config explain wheresthedot arcade_mode_enabled", "config export wheresthedot", "config changes wheresthedot",
    "flags list wheresthedot",
    "themes list wheresthedot", "player list wheresthedot", "player show wheresthedot p", "player export wheresthedot p",
    "catalog show adventure --json", "catalog schema", "catalog codegen c wheresthedot", "audit list wheresthedot",
    "iap products kidsdoku2", "iap status kidsdoku2 p", "leaderboard list wheresthedot", "ads status wheresthedot p game_over",
    "events export wheresthedot", "manual config", "--help", "--version", "--generate-completion-script bash",
  ]
  /// Command lines that change something and report it, also when repeated.
  private static let changing = [
    "player settings wheresthedot p sound_enabled false", "config set wheresthedot arcade_difficulty_step 15 --player p",
    "iap premium wheresthedot p on",
  ]

  /// Runs command lines in a shell, in which variables have the paths of the programs.
  private func shell(_ script: String, _ daemon: RunningDaemon? = nil) throws -> ChildProcess.Ending {
    var environment = ["CTL": Built.control, "GAMECONFD": Built.daemon, "FETCH": Built.fetch]
    if let daemon { (environment["GAMECONF_SOCKET"], environment["GAMECONF_ADMIN_SOCKET"]) = (daemon.gamesSocket, daemon.adminSocket) }
    return try ChildProcess("/usr/bin/env", ["bash", "--norc", "--noprofile", "-c", script], environment: environment).waitForEnd()
  }

  /// Expects that each command line ends with exit status 1 and one sentence.
  private func expectRefused(_ lines: [String], _ output: String, saying words: String, by program: String, _ daemon: RunningDaemon? = nil)
    throws
  {
    let script = lines.map { "\($0) \(output); echo \"status $?\" >&2" }.joined(separator: "\n")
    let errors = try shell(script, daemon).errors
    let parts = errors.split(separator: "status ", omittingEmptySubsequences: false)
    try #require(parts.count == lines.count + 1, "\(errors)")
    for (at, line) in lines.enumerated() {
      let (said, status) = (parts[at], parts[at + 1].prefix { $0 != "\n" })
      let isSaid = said.contains("standard output: \(words)") && (said.contains("{") || said.contains(program + ": "))
      #expect(status == "1" && isSaid, "\(line) \(output): \(status) \(said)")
    }
  }

  @Test("every command exits with 1 and a sentence if its standard output is full or closed")
  func commands() throws {
    let daemon = try RunningDaemon()
    #expect(try TestPlayer(daemon: daemon, player: "p").event().status == 200)
    #expect(try daemon.put("arcade_difficulty_step", 14, game: "wheresthedot").status == 201)
    for line in Self.reading where Face.serve(["gameconfctl " + line]) {
      #expect(try !shell("\"$CTL\" " + line, daemon).output.isEmpty, "\(line)")
    }
    let lines = (Self.reading + Self.changing).filter { Face.serve(["gameconfctl " + $0]) }.map { "\"$CTL\" " + $0 }
    try expectRefused(lines, ">/dev/full", saying: "No space left on device", by: "gameconfctl", daemon)
    try expectRefused(lines, ">&-", saying: "Bad file descriptor", by: "gameconfctl", daemon)
    #expect(try daemon.read("arcade_difficulty_step", game: "wheresthedot", player: "p")["value"] == 15, "the change was made")
    let json = try shell("\"$CTL\" games --json >/dev/full", daemon)
    #expect(json.status == 1 && json.errors.contains("\"code\":\"FILE\""), "\(json.errors)")
  }

  @Test("help, the daemon and gameconf-fetch exit with 1 and a sentence if their standard output is full or closed")
  func help() throws {
    var paths: [[String]] = []
    func walk(_ command: any ParsableCommand.Type, _ path: [String]) {
      guard command.configuration.shouldDisplay else { return }
      paths.append(path)
      for each in command.configuration.subcommands { walk(each, path + [each.configuration.commandName ?? ""]) }
    }
    walk(GameConfCtl.self, [])
    #expect(paths.count > 100)
    try expectRefused(
      paths.map { "\"$CTL\" \($0.joined(separator: " ")) --help" }, ">/dev/full", saying: "No space left on device", by: "gameconfctl")
    let folder = try TemporaryFolder()
    let check = "\"$GAMECONFD\" --check --defaults \(Built.tree)/Defaults --state-dir \(folder.path) --runtime-dir \(folder.path)"
    for (output, words) in [(">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")] {
      try expectRefused(["\"$GAMECONFD\" --help", "\"$GAMECONFD\" --version", check], output, saying: words, by: "gameconfd")
      try expectRefused(["\"$FETCH\" --help", "\"$FETCH\" --version"], output, saying: words, by: "gameconf-fetch")
    }
  }

  @Test("a non-blocking pipe receives all output, however late it is read")
  func nonBlocking() throws {
    let daemon = try RunningDaemon()
    let environment = ["GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket]
    for words in [["catalog", "show", "adventure", "--json"], ["catalog", "schema"], ["config", "list", "adventure"]] {
      let whole = try daemon.control(words)
      let child = try ChildProcess(Built.control, words, environment: environment, isNonBlocking: true)
      child.waitForOutput()
      let slow = child.waitForEnd()
      #expect(slow.status == 0 && slow.output == whole.output && slow.output.utf8.count > 4_096, "\(words): \(slow.output.utf8.count)")
    }
  }

  @Test(
    "a waiting command ends silently by SIGPIPE when its reader is gone, also without new output",
    arguments: [
      "config watch wheresthedot", "audit follow wheresthedot", "events follow wheresthedot", "player show wheresthedot p --follow",
      "status --follow",
    ])
  func followers(line: String) throws {
    let daemon = try RunningDaemon()
    #expect(try daemon.put("arcade_difficulty_step", 15, game: "wheresthedot").status == 201)
    for reader in ["true", "head -c 1 >/dev/null"] {
      // The reader `head` ends after the first byte that it reads. Without a further change, these commands print no byte.
      if reader != "true", line.hasPrefix("config") || line.hasPrefix("events") { continue }
      let ended = try shell("{ timeout 60 \"$CTL\" \(line); echo \"status $?\" >&2; } | \(reader)", daemon)
      #expect(ended.errors == "status 141\n", "\(line) | \(reader): \(ended.errors)")
    }
  }
}
