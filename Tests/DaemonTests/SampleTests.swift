// The programs in guides, with faulty daemons: a game always gets a value.

import Glibc
import Testing

/// Runs each program with daemons that are down, empty, refusing, out of disk space, or whose answers are truncated or not JSON.
@Suite("The programs that the guides print")
struct SampleTests {
  /// A faulty daemon; without a rule it is not running.
  struct FaultyDaemon: Sendable {
    let name: String
    let rule: UnhelpfulDaemon.Rule?
  }

  private static let troubles: [FaultyDaemon] = {
    let refusals = [400, 403, 404, 409, 422, 429, 500, 503, 507].map { status in
      FaultyDaemon(name: "answers \(status)") { _, _ in problem(status) }
    }
    let bodies = ["null", "[]", "7", "\"text\"", "{}", "<html></html>", "{\"values\": {\"arcade_time"].map { body in
      FaultyDaemon(name: "answers \(body)") { _, _ in UnhelpfulDaemon.answer(200, body) }
    }
    let values = UnhelpfulDaemon.answer(200, "{\"game\":\"wheresthedot\",\"revision\":1,\"values\":{\"arcade_time_limit_base\":2.5}}")
    return refusals + bodies + [
      FaultyDaemon(name: "is away", rule: nil),
      FaultyDaemon(name: "has a full disk") { method, _ in method == "GET" ? values : problem(507) },
      FaultyDaemon(name: "closes its connections") { _, _ in "" },
      FaultyDaemon(name: "cuts its answers") { _, _ in String(values.dropLast(20)) },
      FaultyDaemon(name: "cuts the head of its answers") { _, _ in "HTTP/1.1 200 O" },
      FaultyDaemon(name: "speaks something else") { _, _ in "220 mail.example ESMTP\r\n" },
    ]
  }()

  private static func problem(_ status: Int) -> String {
    UnhelpfulDaemon.answer(
      status, "{\"type\":\"urn:gameconf:problem:x\",\"title\":\"X\",\"status\":\(status),\"code\":\"X\",\"detail\":\"No.\"}",
      type: "application/problem+json", fields: "Retry-After: 1\r\n")
  }

  private static let guides = Built.tree + "/Sources/gameconfd/Documentation.docc/Guides/"

  /// The tested programs: a guide, the file in it, and the command that runs it. A command that ends in `.built` needs a compiler.
  private static let programs: [(guide: String, file: String, command: [String])] = [
    ("FirstIntegration.md", "game.py", ["/usr/bin/env", "python3", "-W", "error", "game.py"]),
    ("LinkingTheLibrary.md", "once.py", ["/usr/bin/env", "python3", "-W", "error", "once.py"]),
    ("LinkingTheLibrary.md", "game.c", ["./game.c.built"]),
    ("LinkingTheLibrary.md", "Game.swift", ["./Game.swift.built"]),
  ]

  /// Code blocks of guides that are only parts of programs, or that need a working daemon, such as a scenario's test.
  private static let others = [
    "FirebaseEmulator.md": ["python", "html"], "LinkingTheLibrary.md": ["c++"], "Scenarios.md": ["test_shop.py"],
    "YourEngine.md": ["csharp"], "RevenueCat.md": ["swift", "csharp", "js"],
    "FromAMac.md": ["swift"], "LinkingTheLibrary.md plain.py": ["once.py uses it"],
    "FromAMac.md values.swift": ["asks through the bridge; its guide runs it with a daemon and without"],
  ]

  @Test("the programs in guides get a value and exit cleanly with any faulty daemon", arguments: programs.map(\.file))
  func values(file: String) throws {
    let program = try #require(Self.programs.first { $0.file == file })
    let text = String(decoding: try #require(TemporaryFolder.read(Self.guides + program.guide)), as: UTF8.self)
    let built = try TemporaryFolder()
    for block in FileBlock.all(in: text) { try built.write(block.text, to: block.name) }
    guard try Self.build(file, in: built) else { return }

    // All programs run simultaneously, so that the total time is that of the longest wait.
    let running = try Self.troubles.enumerated().map { at, storeError in
      let folder = "\(built.path)/\(at)"
      try built.write("", to: "\(at)/save/made")
      let socket = folder + "/s"
      let daemon = try storeError.rule.map { try UnhelpfulDaemon(at: socket, $0) }
      let words = program.command.map { $0.hasPrefix("./") ? built.path + $0.dropFirst() : $0 == file ? "\(built.path)/\(file)" : $0 }
      let child = try ChildProcess(
        "/usr/bin/env", ["-C", folder] + words, environment: ["GAMECONF_SOCKET": socket, "PYTHONDONTWRITEBYTECODE": "1"])
      return (storeError, daemon, child)
    }
    for (storeError, daemon, child) in running {
      let ending = withExtendedLifetime(daemon) { child.waitForEnd() }
      #expect(ending.status == 0 && ending.errors.isEmpty, "\(file), where the daemon \(storeError.name): \(ending)")
      #expect(ending.output.contains("seconds for a dot: 2.5\n"), "\(file), where the daemon \(storeError.name): \(ending.output)")
    }
  }

  @Test("every program in a guide is tested or in the list of exceptions")
  func all() throws {
    let languages: Set<Substring> = ["python", "c", "c++", "swift", "html", "js", "javascript", "lua", "csharp", "bash"]
    for guide in TemporaryFolder.names(in: Self.guides).sorted() {
      let text = String(decoding: try #require(TemporaryFolder.read(Self.guides + guide)), as: UTF8.self)
      var above: Substring = ""
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        defer { above = line }
        guard line.hasPrefix("```"), languages.contains(line.dropFirst(3)) else { continue }
        let file = above.hasPrefix("<!-- file: ") ? String(above.dropFirst(11).dropLast(4)) : String(line.dropFirst(3))
        let isRun = Self.programs.contains { $0.guide == guide && $0.file == file }
        let isKnown = Self.others[guide, default: []].contains(file) || Self.others["\(guide) \(file)"] != nil
        #expect(isRun || isKnown, "\(guide): the block \(file) is run where all is not well, or named here")
      }
    }
  }

  /// Builds a program with the tested library, if necessary; false without a compiler.
  private static func build(_ file: String, in folder: TemporaryFolder) throws -> Bool {
    let objects = { (module: String) in
      TemporaryFolder.names(in: Built.folder + "/\(module).build").filter { $0.hasSuffix(".o") }.map {
        Built.folder + "/\(module).build/" + $0
      }
    }
    let include = "-I" + Built.tree + "/Sources/CGameConf/include"
    let arguments: [String]
    switch file.split(separator: ".").last {
    case "c": arguments = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", include] + objects("CGameConf")
    case "swift":
      arguments =
        [
          "swiftc", "-warnings-as-errors", "-I", Built.folder + "/Modules", include,
          "-Xcc", "-fmodule-map-file=" + Built.folder + "/CGameConf.build/module.modulemap",
        ] + objects("GameConfClient") + objects("CGameConf")
    default: return true
    }
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    guard path.split(separator: ":").contains(where: { access("\($0)/\(arguments[0])", X_OK) == 0 }) else {
      print("SKIPPED: \(file) was not built, since there is no \(arguments[0])")
      return false
    }
    let ending = try ChildProcess(
      "/usr/bin/env", arguments + ["\(folder.path)/\(file)", "-o", "\(folder.path)/\(file).built"]
    ).waitForEnd()
    try #require(ending.status == 0, "\(file) is not built: \(ending.errors)")
    return true
  }
}
