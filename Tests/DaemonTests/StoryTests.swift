// Stories of the simulated store, run with gameconfctl: each prints the output in its file, also when it is run again.

import Glibc
import Testing

/// Runs the console blocks of `Tests/Fixtures/Stories/*.md`, each file with a new daemon whose clock is frozen.
@Suite("Stories of the simulated store", .serialized)
struct StoryTests {
  static let names = ["ask-to-buy", "gate", "premium", "refusals", "subscription"]

  @Test("each story prints the output in its file, with transaction ids, in two runs with new state", arguments: names)
  func prints(name: String) throws {
    let story = try CommandStory(named: name)
    let first = try story.output()
    for (command, lines) in zip(story.commands, first) {
      #expect(lines == command.shown, "\(name).md:\(command.line): $ \(command.text)")
    }
    #expect(try story.output() == first)
  }

  @Test("every file of stories is run")
  func complete() throws {
    var found: [String] = []
    let folder = try #require(opendir(CommandStory.folder))
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let file = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if file.hasSuffix(".md") { found.append(String(file.dropLast(3))) }
    }
    #expect(found.sorted() == Self.names)
  }

  @Test("moving the clock a year in a hundred steps gives the same purchase history as in one step")
  func hundredSteps() throws {
    let (atOnce, inSteps) = (try Self.subscribed(), try Self.subscribed())
    _ = try atOnce.control("iap", "clock", "kidsdoku2", "set", "2025-01-31T10:00:00Z", "--yes")
    for _ in 0..<100 {
      let answer = try inSteps.ask("PUT", "/v1/games/kidsdoku2/clock", body: ["advance": "87h50m24s"], admin: true)
      try #require(answer.status == 200)
      // Reads between the steps must not change the result.
      _ = try inSteps.ask("GET", "/v1/games/kidsdoku2/players/p/entitlements")
    }
    for arguments in [["iap", "status"], ["iap", "history"], ["iap", "history", "--transactions"]] {
      let words = arguments.prefix(2) + ["kidsdoku2", "p"] + arguments.dropFirst(2)
      let (one, other) = (try atOnce.control(Array(words)), try inSteps.control(Array(words)))
      #expect(one.output == other.output)
      #expect(one.output.contains("2025-02-28T10:00:00Z") || arguments == ["iap", "history"])
    }
    #expect(try inSteps.control("iap", "history", "kidsdoku2", "p").output.split(separator: "\n").count == 13)
  }

  private static func subscribed() throws -> RunningDaemon {
    let daemon = try RunningDaemon(arguments: ["--clock", "2024-01-31T10:00:00Z"])
    try #require(try daemon.control("iap", "buy", "kidsdoku2", "p", "monthly_sub_2").status == 0)
    return daemon
  }
}

/// A file of commands with their output.
struct CommandStory {
  static let folder = Built.tree + "/Tests/Fixtures/Stories"
  private static let mark = "<!-- clock: "

  let commands: [ConsoleBlock.Command]
  private let clock: String

  init(named name: String) throws {
    let text = String(decoding: try #require(TemporaryFolder.read("\(Self.folder)/\(name).md")), as: UTF8.self)
    commands = ConsoleBlock.all(in: text).flatMap(\.commands)
    let first = try #require(text.split(separator: "\n").first)
    try #require(first.hasPrefix(Self.mark) && first.hasSuffix(" -->"))
    clock = String(first.dropFirst(Self.mark.count).dropLast(4))
  }

  /// Returns the output of the commands with a new daemon. An exit status other than 0 is the last line.
  func output() throws -> [[String]] {
    let daemon = try RunningDaemon(arguments: ["--clock", clock])
    let programs = daemon.folder.path + "/bin"
    mkdir(programs, 0o755)
    try #require(symlink(Built.control, programs + "/gameconfctl") == 0)
    let shell = TerminalShell(
      columns: 120,
      environment: [
        "PATH": programs + ":/usr/bin:/bin", "GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket,
        "LC_ALL": "C.UTF-8", "TERM": "dumb", "TZ": "UTC",
      ])
    return try shell.run(commands.map { $0.text + " || echo \"exit status $?\"" })
  }
}
