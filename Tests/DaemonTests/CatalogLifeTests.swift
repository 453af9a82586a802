// A game whose catalog is changed, broken or removed, while the daemon runs and while it is stopped.

import GameConfCore
import Glibc
import TestSupport
import Testing

@testable import gameconfd

@Suite("A catalog's life", .serialized)
struct CatalogLifeTests {
  private func catalog(speed: String = "2.0", extra: String = "") -> String {
    """
    gameconf: 1
    game: mine
    title: Mine
    locales: [en]
    parameters:
      speed: {type: double, default: \(speed), range: {min: 1, max: 4}, section: Play, description: How fast it goes.}
    \(extra)
    """
  }

  private func speed(_ daemon: RunningDaemon) throws -> Value? { try daemon.ask("GET", "/v1/games/mine/config/speed").json["value"] }

  private func degraded(_ daemon: RunningDaemon) throws -> [Value] {
    let games = try daemon.ask("GET", "/v1/status", admin: true).json["games"]?.listValue ?? []
    return games.first { $0["game"] == "mine" }?["degraded"]?.listValue ?? []
  }

  @Test("a changed catalog is in force when the reload answers, with a higher revision")
  func changed() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": catalog()])
    let before = try daemon.ask("GET", "/v1/games/mine/config/speed")
    try daemon.folder.write(catalog(speed: "3.5"), to: "games/mine.yaml")
    let reload = try daemon.ask("POST", "/v1/reload", admin: true)
    #expect(reload.status == 200)
    #expect(reload.json["games"]?.listValue?.first?["outcome"] == "changed")
    let after = try daemon.ask("GET", "/v1/games/mine/config/speed")
    #expect(after.json["value"] == 3.5)
    let revisions = [before, after].compactMap { $0.headers["gameconf-revision"].flatMap(Int.init) }
    #expect(revisions.count == 2 && revisions[0] < revisions[1])
    try daemon.restart()
    #expect(try daemon.ask("GET", "/v1/games/mine/config/speed").headers["gameconf-revision"] == after.headers["gameconf-revision"])
  }

  @Test("a new game with a refused catalog is in every list and in the answers to its calls, with the reason")
  func neverServed() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": catalog()])
    let file = daemon.folder.path + "/games/other.yaml"
    try daemon.folder.write(
      "gameconf: 1\ngame: other\ntitle: Other\nlocales: [en]\nparameters: {a: {type: integer, default: x}}\n", to: "games/other.yaml")
    _ = try daemon.ask("POST", "/v1/reload", admin: true)
    for (call, isAdmin) in [("/v1/games", false), ("/v1/status", true)] {
      let unserved = try #require(try daemon.ask("GET", call, admin: isAdmin).json["unserved"]?.listValue?.first)
      #expect(unserved["game"] == "other" && unserved["faulty_file"] == .string(file), "\(unserved)")
      #expect(unserved["details"]?.listValue?.first?.stringValue?.hasPrefix(file + ":5:") == true, "\(unserved)")
    }
    let refused = try daemon.ask("GET", "/v1/games/other/config")
    #expect(refused.status == 404 && refused.code == "UNKNOWN_GAME")
    #expect(refused.text.contains("“other” is not served, because its catalog is refused: \(file):5:"), "\(refused.text)")
    #expect(refused.text.contains("“gameconfctl catalog validate \(file)” lists every fault."), "\(refused.text)")
    #expect(try daemon.ask("GET", "/v1/games/others/config").text.contains("There is no game “others”."))
    try daemon.folder.write(catalog().replacing("mine", with: "other"), to: "games/other.yaml")
    _ = try daemon.ask("POST", "/v1/reload", admin: true)
    #expect(try daemon.ask("GET", "/v1/games").json["unserved"] == nil && daemon.ask("GET", "/v1/games/other/config").status == 200)
  }

  @Test("a refused catalog leaves the last accepted one in force, also after a restart, and status has the reason")
  func spoiled() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": catalog(speed: "3.0")])
    try daemon.folder.write(catalog(speed: "9.0"), to: "games/mine.yaml")
    let reload = try daemon.ask("POST", "/v1/reload", admin: true)
    #expect(reload.text.contains("mine.yaml:6:"))
    #expect(try speed(daemon) == 3.0)
    #expect(try degraded(daemon).first?["detail"]?.stringValue?.contains("mine.yaml:6:") == true)
    try daemon.restart()
    #expect(try speed(daemon) == 3.0)
    #expect(try degraded(daemon).isEmpty == false)
    try daemon.folder.write(catalog(speed: "3.25"), to: "games/mine.yaml")
    _ = try daemon.ask("POST", "/v1/reload", admin: true)
    #expect(try speed(daemon) == 3.25)
    #expect(try degraded(daemon).isEmpty)
  }

  @Test("a removed catalog leaves the last accepted one in force, also after a restart")
  func vanished() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": catalog()])
    unlink(daemon.folder.path + "/games/mine.yaml")
    _ = try daemon.ask("POST", "/v1/reload", admin: true)
    #expect(try speed(daemon) == 2.0)
    #expect(try degraded(daemon).first?["what"] == "catalog_missing")
    try daemon.restart()
    #expect(try speed(daemon) == 2.0)
    #expect(try daemon.ask("GET", "/health/ready?strict=true").status == 503)
    #expect(try daemon.ask("GET", "/health/ready").status == 200)
  }

  @Test("a drop-in changes a default and its range, also after a new version of the catalog")
  func dropIn() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": catalog()])
    mkdir(daemon.folder.path + "/games/mine.d", 0o755)
    try daemon.folder.write("parameters:\n  speed: {default: 8.0, range: {min: 1, max: 10}}\n", to: "games/mine.d/10-fast.yaml")
    _ = try daemon.ask("POST", "/v1/reload", admin: true)
    #expect(try speed(daemon) == 8.0)
    try daemon.folder.write(catalog(speed: "3.0", extra: "x-version: 2"), to: "games/mine.yaml")
    _ = try daemon.ask("POST", "/v1/reload", admin: true)
    #expect(try speed(daemon) == 8.0)
  }

  @Test("SIGHUP reloads the catalogs as the HTTP call for a reload does")
  func hangUp() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": catalog()])
    try daemon.folder.write(catalog(speed: "3.5"), to: "games/mine.yaml")
    daemon.process.signal(SIGHUP)
    _ = try #require(daemon.process.waitForLine(containing: "reloaded"))
    #expect(try speed(daemon) == 3.5)
  }

  @Test("faults of a catalog are logged once, and again only after they have changed")
  func loggedOnce() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": catalog()])
    func logged(after text: String) throws -> String {
      try daemon.folder.write(text, to: "games/mine.yaml")
      daemon.process.signal(SIGHUP)
      return try #require(daemon.process.waitForLine(containing: "(SIGHUP)")).joined(separator: "\n")
    }
    #expect(try logged(after: catalog(speed: "9.0")).contains("mine.yaml:6:"))
    let again = try logged(after: catalog(speed: "9.0"))
    #expect(again.contains("reload refused (SIGHUP): mine"))
    #expect(!again.contains("mine.yaml"), "\(again)")
    #expect(try logged(after: catalog(speed: "8.0")).contains("mine.yaml:6:"))
    #expect(try logged(after: catalog()).contains("over: A game's new catalog is refused"))
    #expect(try !logged(after: catalog()).contains("over: A game's new catalog is refused"))
    #expect(try logged(after: catalog(speed: "8.0")).contains("mine.yaml:6:"))
  }

  @Test("--watch reads a catalog only after its writer has closed it, even if its folder has 2 000 other files")
  func halfWritten() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": catalog()], arguments: ["--watch"])
    for number in 0..<2_000 { try daemon.folder.write("", to: "games/unrelated-\(number).txt") }
    let path = daemon.folder.path + "/games/mine.yaml"
    let file = open(path, O_WRONLY | O_TRUNC)
    let half = Array(catalog(speed: "3.0").utf8)
    #expect(write(file, half, half.count) == half.count)
    #expect(FolderFiles.isBeingWritten(path))
    // Only waiting can show that the open file is not read.
    if TestLength.isLong { #expect(try !daemon.waits(seconds: 2) { try speed(daemon) == 3.0 }, "what is open for writing is not taken") }
    #expect(ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0)
    let whole = Array(catalog(speed: "4.0").utf8)
    #expect(write(file, whole, whole.count) == whole.count)
    close(file)
    #expect(!FolderFiles.isBeingWritten(path))
    #expect(try daemon.waits(seconds: 60) { try speed(daemon) == 4.0 })
    // A rename over the file, and a new file.
    try daemon.folder.write(catalog(speed: "2.5"), to: "games/mine.yaml.new")
    rename(path + ".new", path)
    #expect(try daemon.waits(seconds: 60) { try speed(daemon) == 2.5 })
  }

  @Test("--check warns of a group in clients that the host does not have")
  func absentGroup() throws {
    let folder = try TemporaryFolder()
    try folder.write("clients:\n  - {group: no-such-players, games: [dartsscore]}\n  - {uid: 0, games: [dartsscore]}\n", to: "d.yaml")
    let check = try ChildProcess(
      Built.daemon, ["--check", "--config", folder.path + "/d.yaml", "--defaults", Built.tree + "/Defaults"]
    ).waitForEnd()
    #expect(check.status == 0, "\(check.errors)")
    let warnings = check.errors.split(separator: "\n").filter { $0.hasPrefix("warning: clients") }
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("no-such-players") == true)
  }

  @Test("an unknown GAMECONFD_ variable is reported in the log, in status and by --check, with the nearest name")
  func unknownVariables() throws {
    let environment = ["GAMECONFD_LOG_LEVLE": "debug", "GAMECONFD_WATCH": "1", "GAMECONFD_LOOPS": "1"]
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": catalog()], environment: environment)
    let misspelt = "GAMECONFD_LOG_LEVLE in the environment is not a setting; did you mean GAMECONFD_LOG_LEVEL?"
    #expect(daemon.startLines.contains { $0.contains("warning") && $0.contains(misspelt) })
    let warnings = try daemon.ask("GET", "/v1/status", admin: true).json["warnings"]?.listValue?.compactMap(\.stringValue) ?? []
    #expect(warnings.contains(misspelt))
    #expect(warnings.filter { $0.hasPrefix("GAMECONFD_") }.count == 2, "\(warnings)")
    let check = try ChildProcess(
      Built.daemon, ["--check", "--defaults", daemon.folder.path + "/games"], environment: environment
    ).waitForEnd()
    #expect(check.status == 0 && check.errors.contains("warning: \(misspelt)"), "\(check.errors)")
  }

  @Test("a second daemon with the same state directory or sockets reports that and exits")
  func second() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": catalog()])
    let games = daemon.folder.path + "/games"
    let sameState = try ChildProcess(
      Built.daemon,
      ["--defaults", games, "--runtime-dir", daemon.folder.path + "/run2", "--state-dir", daemon.folder.path + "/state"])
    let first = sameState.waitForEnd()
    #expect(first.status != 0)
    #expect(first.errors.contains(daemon.folder.path + "/state"))
    let sameSockets = try ChildProcess(
      Built.daemon,
      ["--defaults", games, "--runtime-dir", daemon.folder.path + "/run", "--state-dir", daemon.folder.path + "/state2"])
    let other = sameSockets.waitForEnd()
    #expect(other.status != 0)
    #expect(other.errors.contains("games.sock"))
    #expect(try speed(daemon) == 2.0)
  }

  @Test("--check reports every fault of the catalogs and changes nothing")
  func check() throws {
    let folder = try TemporaryFolder()
    try folder.write(catalog(speed: "9.0"), to: "games/mine.yaml")
    let bad = try ChildProcess(Built.daemon, ["--check", "--defaults", folder.path + "/games"]).waitForEnd()
    #expect(bad.status == 1)
    #expect(bad.errors.contains("mine.yaml:6:"))
    let good = try ChildProcess(Built.daemon, ["--check", "--defaults", Built.tree + "/Defaults"]).waitForEnd()
    #expect(good.status == 0, "\(good.errors)")
    let wrong = try ChildProcess(Built.daemon, ["--loops", "many", "--defualts", "x"]).waitForEnd()
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("--defaults"))
  }
}
