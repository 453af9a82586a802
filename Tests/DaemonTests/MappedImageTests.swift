// Games that map the image file of their values, with the real daemon: overrides, kills, stops, and games without an image file.
import GameConfClient
import GameConfCore
import Glibc
import Testing

@Suite("Games that map an image file with their values")
struct MappedImageTests {
  private static let key = "arcade_time_limit_base"

  private func until(_ game: Game, _ condition: (Game) -> Bool) -> Bool {
    for _ in 0..<600 {
      if condition(game) { return true }
      game.wait(milliseconds: 50)
    }
    return condition(game)
  }

  /// Waits until a file exists, or no longer exists. Returns false after a minute.
  private func until(_ path: String, isThere: Bool) -> Bool {
    for _ in 0..<6_000 {
      if (access(path, F_OK) == 0) == isThere { return true }
      var none = pollfd()
      poll(&none, 0, 10)
    }
    return false
  }

  private func page(_ daemon: RunningDaemon, _ game: String = "wheresthedot") -> String {
    daemon.folder.path + "/run/images/\(game)/control.1"
  }

  @Test("a game that reads for no player reads from the mapped file, over kills and stops, and never sees older values again")
  func life() throws {
    let daemon = try RunningDaemon()
    try #require(until(page(daemon), isThere: true))
    // The game has no socket, so all its values come from the file.
    let game = try Game("wheresthedot", socket: "/nowhere", images: daemon.folder.path + "/run/images")
    #expect(until(game) { $0.status.state == .live } && game[Self.key, default: 0.5] == 2.5)
    #expect(try daemon.control("config", "set", "wheresthedot", Self.key, "3.5", "--reason", "test").status == 0)
    #expect(until(game) { $0[Self.key, default: 0.5] == 3.5 } && game.source(of: Self.key) == .gameOverride)
    var revision = game.status.revision
    for round in 0..<3 {
      try daemon.restart(killing: true)
      #expect(game[Self.key, default: 0.5] == 3.5 + Double(round))
      #expect(try daemon.control("config", "set", "wheresthedot", Self.key, "\(4.5 + Double(round))", "--reason", "test").status == 0)
      #expect(until(game) { $0.status.state == .live && $0[Self.key, default: 0.5] == 4.5 + Double(round) })
      #expect(game.status.revision > revision)
      revision = game.status.revision
    }
    daemon.stop()
    #expect(until(game) { $0.status.state == .cached } && game[Self.key, default: 0.5] == 6.5)
    try daemon.start()
    #expect(until(game) { $0.status.state == .live } && game[Self.key, default: 0.5] == 6.5 && game.status.revision >= revision)
  }

  @Test("a game of a daemon with images off reads over the socket, and no image folder exists")
  func socketAndBack() throws {
    let daemon = try RunningDaemon(arguments: ["--images", "off"])
    let game = try Game("wheresthedot", socket: daemon.gamesSocket)
    #expect(until(game) { $0.status.state == .live } && game[Self.key, default: 0.5] == 2.5)
    #expect(access(daemon.folder.path + "/run/images", F_OK) != 0)
    let status = try daemon.read(at: "/v1/status", admin: true)
    #expect(status["settings"]?["images"] == .string("off"))
  }

  @Test("a daemon with a restricted games socket withdraws image files that were published before")
  func narrowed() throws {
    let folder = try TemporaryFolder()
    do {
      let open = try RunningDaemon(folder: folder)
      #expect(until(page(open), isThere: true))
      #expect(until(page(open, "kidsdoku2"), isThere: true))
      open.process.signal(SIGKILL)
      _ = open.process.waitForEnd()
    }
    let game = try Game("wheresthedot", socket: "/nowhere", images: folder.path + "/run/images")
    try folder.write("clients:\n  - uid: \(geteuid())\n    games: [wheresthedot]\n", to: "narrow.yaml")
    let narrowed = try RunningDaemon(folder: folder, arguments: ["--config", folder.path + "/narrow.yaml"])
    #expect(until(page(narrowed), isThere: false) && until(page(narrowed, "kidsdoku2"), isThere: false))
    #expect(until(game) { $0.status.state != .live })
  }

  @Test("an image folder that cannot be written is reported in status and log, and the daemon serves values")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    try folder.write("no folder", to: "in-the-way")
    let daemon = try RunningDaemon(folder: folder, arguments: ["--images", folder.path + "/in-the-way"])
    func warnings() throws -> [String] {
      let degraded = try daemon.read(at: "/v1/status", admin: true)["degraded"]?.listValue ?? []
      return degraded.filter { $0["code"] == "images" }.compactMap { $0["detail"]?.stringValue }.filter { $0.contains("in-the-way") }
    }
    var found: [String] = []
    for _ in 0..<6_000 where found.isEmpty { found = try warnings() }
    #expect(found.count == 1, "\(found)")
    #expect(try daemon.read(at: "/v1/games/wheresthedot/config")["values"] != nil)
    #expect(unlink(folder.path + "/in-the-way") == 0)
    #expect(until(folder.path + "/in-the-way/wheresthedot/control.1", isThere: true))
    for _ in 0..<6_000 where !found.isEmpty { found = try warnings() }
    #expect(found.isEmpty)
  }

  @Test("the image file of a forgotten game is withdrawn")
  func forgotten() throws {
    func catalog(_ game: String, depth: Int) -> String {
      """
      gameconf: 1
      game: \(game)
      title: A game
      locales: [en]
      parameters:
        depth: {type: integer, default: \(depth), section: A, description: How deep.}

      """
    }
    let daemon = try RunningDaemon(catalogs: ["cave.yaml": catalog("cave", depth: 3), "reef.yaml": catalog("reef", depth: 4)])
    try #require(until(page(daemon, "cave"), isThere: true))
    let game = try Game("cave", socket: "/nowhere", images: daemon.folder.path + "/run/images")
    #expect(until(game) { $0.status.state == .live } && game["depth", default: Int64(0)] == 3)
    #expect(unlink(daemon.folder.path + "/games/cave.yaml") == 0)
    #expect(try daemon.control("catalog", "forget", "cave", "--yes", "--reason", "sold").status == 0)
    #expect(until(page(daemon, "cave"), isThere: false) && until(page(daemon, "reef"), isThere: true))
    #expect(until(game) { $0.status.state == .cached } && game["depth", default: Int64(0)] == 3)
  }
}
