// An operator's work: games, catalogs, the audit log, and the daemon's settings.

import GameConfCore
import Glibc
import Testing

@Suite("What an operator does")
struct OperatorTests {
  private static func cave(_ depth: Int, more: String = "") -> String {
    """
    gameconf: 1
    game: cave
    title: Cave
    locales: [en]
    parameters:
      depth: {type: integer, default: \(depth), section: A, description: How deep.}
      token: {type: string, default: "hunter-\(depth)", secret: true, section: A, description: Nobody's.}
    \(more)
    """
  }
  private static let hut = """
    gameconf: 1
    game: hut
    title: Hut
    locales: [en]
    parameters:
      rooms: {type: integer, default: 1, section: A, description: Rooms.}
    """

  private func daemon(arguments: [String] = []) throws -> RunningDaemon {
    try RunningDaemon(catalogs: ["cave.yaml": Self.cave(1), "hut.yaml": Self.hut], arguments: arguments)
  }

  @Test("an empty text is a valid value, and removing a player's score from a leaderboard is audited")
  func smallPromises() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let set = try daemon.control("config", "set", "mine", "title", "")
    #expect(set.status == 0 && set.output.contains("title") && set.output.count > 20, "\(set)")
    #expect(try daemon.read("title")["value"] == "")

    let shipped = try RunningDaemon()
    for player in ["anna", "ben"] {
      let scored = try TestPlayer(daemon: shipped, player: player).event(score: 55)
      #expect(scored.status == 200, "\(scored.text)")
    }
    func rows() throws -> [Value?] {
      try shipped.read(at: "/v1/games/wheresthedot/leaderboards/classic", admin: true)["rows"]?.listValue?.map { $0["player"] } ?? []
    }
    #expect(try Set(rows()) == ["anna", "ben"])
    let tried = try shipped.control("leaderboard", "remove", "wheresthedot", "classic", "anna", "--dry-run")
    #expect(try tried.status == 0 && rows().count == 2, "\(tried)")
    let removed = try shipped.control("leaderboard", "remove", "wheresthedot", "classic", "anna")
    #expect(removed.status == 0 && removed.output.contains("1 score of anna is removed from classic"), "\(removed)")
    #expect(try rows() == ["ben"])
    let again = try shipped.control("leaderboard", "remove", "wheresthedot", "classic", "anna")
    #expect(again.status == 0 && again.output.contains("nothing was removed: anna has no score on classic"), "\(again)")
    let line = try shipped.read(at: "/v1/games/wheresthedot/audit?limit=1", admin: true)["entries"]?.listValue?.first
    #expect(line?["player"] == "anna", "\(line ?? .null)")
  }

  private func reload(_ daemon: RunningDaemon, reason: String? = nil) throws -> RawConnection.Answer {
    try daemon.ask("POST", "/v1/reload", body: reason.map { ["reason": .string($0)] }, admin: true)
  }

  private func depth(_ daemon: RunningDaemon) throws -> Value? { try daemon.ask("GET", "/v1/games/cave/config/depth").json["value"] }

  private func lines(_ daemon: RunningDaemon, _ query: String = "", of game: String? = "cave") throws -> [Value] {
    let path = game.map { "/v1/games/\($0)/audit" } ?? "/v1/audit"
    return try daemon.ask("GET", path + query, admin: true).json["entries"]?.listValue ?? []
  }

  @Test("a game without a catalog file can be forgotten by name, after which health is ready, also after a restart")
  func forget() throws {
    let daemon = try daemon()
    #expect(try daemon.ask("PUT", "/v1/games/hut/overrides/rooms", body: ["value": 3], admin: true).status == 201)
    let there = try daemon.ask("DELETE", "/v1/games/hut", admin: true)
    #expect(there.status == 409 && there.code == "FILE_EXISTS" && there.text.contains("hut.yaml"))
    unlink(daemon.folder.path + "/games/hut.yaml")
    #expect(try reload(daemon).status == 200)
    #expect(try daemon.ask("GET", "/health/ready?strict").status == 503)
    let tried = try daemon.ask("DELETE", "/v1/games/hut?dry_run=true", admin: true)
    #expect(tried.status == 200 && tried.json["known"] == true && tried.json["overrides"] == 1)
    #expect(try daemon.ask("GET", "/v1/games/hut/config").status == 200, "a dry run changes nothing")
    let gone = try daemon.control("catalog", "forget", "hut", "--yes", "--reason", "sold")
    #expect(gone.status == 0 && gone.output.contains("hut is forgotten"), "\(gone)")
    #expect(try daemon.ask("GET", "/v1/games/hut/config").code == "UNKNOWN_GAME")
    #expect(try daemon.ask("GET", "/health/ready?strict").status == 200)
    #expect(try daemon.control("reload").status == 0)
    let line = try #require(try lines(daemon, "?game=hut&limit=1", of: nil).first)
    #expect(line["action"] == "catalog.forget" && line["reason"] == "sold")
    try daemon.restart()
    #expect(try daemon.ask("GET", "/health/ready?strict").status == 200)
    #expect(try daemon.ask("DELETE", "/v1/games/hut", admin: true).status == 204, "also when nothing was there")
    #expect(try daemon.ask("DELETE", "/v1/games/hut?dry_run=true", admin: true).json["known"] == false)
    // A new catalog with the same name brings the overrides back.
    try daemon.folder.write(Self.hut, to: "games/hut.yaml")
    #expect(try reload(daemon).status == 200)
    #expect(try daemon.ask("GET", "/v1/games/hut/config/rooms").json["value"] == 3)
  }

  @Test("the audit line of an accepted catalog has author, reason, and changed fields, and no secret")
  func accepted() throws {
    let daemon = try daemon()
    try daemon.folder.write(Self.cave(7), to: "games/cave.yaml")
    #expect(try reload(daemon, reason: "deeper").status == 200)
    let line = try #require(try lines(daemon, "?limit=1").first)
    #expect(line["action"] == "catalog.accept" && line["reason"] == "deeper")
    #expect(line["author"]?["uid"] == .integer(Int64(getuid())))
    #expect(line["before"]?["depth"] == ["default": 1] && line["after"]?["depth"] == ["default": 7])
    #expect(line["detail"]?["keys"] == ["depth", "token"] && line["detail"]?["files"] == ["cave.yaml"])
    #expect(line["detail"]?["catalog"] == 2 && line["detail"]?["former"] == 1)
    #expect(!JSONWriter.text(line).contains("hunter"))
    let first = try #require(try lines(daemon).last)
    #expect(first["author"]?["name"] == "gameconfd" && first["detail"]?["cause"] == "start")
  }

  @Test(
    "a revert of a catalog restores the former one; the catalog's file is read again only when it has changed, over a restart too"
  )
  func revert() throws {
    let daemon = try daemon()
    for depth in [2, 3] {
      try daemon.folder.write(Self.cave(depth), to: "games/cave.yaml")
      #expect(try reload(daemon).status == 200)
    }
    let second = try #require(try lines(daemon, "?limit=1").first?["id"]?.integerValue)
    let path = "/v1/games/cave/audit/\(second)/revert"
    #expect(try daemon.ask("POST", path + "?dry_run=true", body: ["reason": "no"], admin: true).status == 200)
    #expect(try depth(daemon) == 3)
    let back = try daemon.ask("POST", path, body: ["reason": "too deep"], headers: ["Idempotency-Key": "r1"], admin: true)
    #expect(back.status == 200, "\(back.text)")
    #expect(back.json["entry"]?["action"] == "catalog.revert" && back.json["entry"]?["detail"]?["catalog"] == 4)
    #expect(back.json["entry"]?["before"]?["depth"] == ["default": 3] && back.json["entry"]?["after"]?["depth"] == ["default": 2])
    let again = try daemon.ask("POST", path, body: ["reason": "too deep"], headers: ["Idempotency-Key": "r1"], admin: true)
    #expect(again.text == back.text && again.headers["gameconf-repeated"] == "true")
    #expect(try depth(daemon) == 2)
    #expect(try daemon.ask("POST", path, admin: true).code == "ALREADY_REVERTED")
    func drifts() throws -> Bool {
      let degraded = try daemon.ask("GET", "/v1/status", admin: true).json["games"]?.listValue?.first?["degraded"]?.listValue ?? []
      return degraded.contains { $0["what"] == "drift" }
    }
    #expect(try drifts())
    #expect(try reload(daemon).json["games"]?.listValue?.first?["outcome"] == "degraded")
    #expect(try depth(daemon) == 2)
    try daemon.restart(killing: true)
    let (held, isDrift) = (try depth(daemon), try drifts())
    #expect(held == 2 && isDrift)
    try daemon.folder.write(Self.cave(4), to: "games/cave.yaml")
    #expect(try reload(daemon).status == 200)
    let (taken, stillDrifts) = (try depth(daemon), try drifts())
    #expect(taken == 4 && !stillDrifts)
    // A catalog file that was reverted is accepted again after it was rewritten.
    try daemon.folder.write(Self.cave(3), to: "games/cave.yaml")
    #expect(try reload(daemon).status == 200)
    #expect(try depth(daemon) == 3)
    // The first acceptance of a catalog has no earlier one to restore. The second has later changes, so its revert needs `force`.
    let first = try #require(try lines(daemon).last?["id"]?.integerValue)
    #expect(try daemon.ask("POST", "/v1/games/cave/audit/\(first)/revert", admin: true).code == "NOT_REVERTIBLE")
    #expect(try daemon.ask("POST", "/v1/games/cave/audit/\(second)/revert?force=true", admin: true).status == 200)
    #expect(try depth(daemon) == 2)
  }

  @Test("a reverted catalog can be restored by reverting the revert")
  func revertOfRevert() throws {
    let daemon = try daemon()
    try daemon.folder.write(Self.cave(9), to: "games/cave.yaml")
    #expect(try reload(daemon).status == 200)
    for expected in [1, 9] as [Value] {
      let newest = try #require(try lines(daemon, "?limit=1").first?["id"]?.integerValue)
      #expect(try daemon.ask("POST", "/v1/games/cave/audit/\(newest)/revert", admin: true).status == 200)
      #expect(try depth(daemon) == expected)
    }
    #expect(try daemon.ask("GET", "/health/ready?strict").status == 200)
  }

  @Test("a drop-in is named in explanations, the catalog, status and the audit log")
  func dropIns() throws {
    let daemon = try daemon()
    mkdir(daemon.folder.path + "/games/cave.d", 0o755)
    try daemon.folder.write("parameters: {depth: {default: 5}}", to: "games/cave.d/10-local.yaml")
    #expect(try reload(daemon).status == 200)
    let layers = try daemon.ask("GET", "/v1/games/cave/config/depth/explain", admin: true).json["layers"]?.listValue ?? []
    let layer = try #require(layers.last)
    #expect(layer["drop_ins"] == ["cave.d/10-local.yaml: default"] && layer["value"] == 5)
    #expect(layer["why"]?.stringValue?.contains("cave.d/10-local.yaml") == true)
    let other = try daemon.ask("GET", "/v1/games/cave/config/token/explain", admin: true).json["layers"]?.listValue?.last
    #expect(other?["drop_ins"] == nil)
    let catalog = try daemon.ask("GET", "/v1/games/cave/catalog").json
    #expect(catalog["drop_ins"] == [["file": "cave.d/10-local.yaml", "parameters": ["depth": ["default"]]]])
    let shown = try daemon.control("catalog", "show", "cave")
    #expect(shown.output.contains("drop-in\tcave.d/10-local.yaml\tdepth (default)\n"), "\(shown.output)")
    #expect(try daemon.ask("GET", "/v1/status", admin: true).json["games"]?.listValue?.first?["drop_ins"] == ["cave.d/10-local.yaml"])
    #expect(try lines(daemon, "?limit=1").first?["detail"]?["files"] == ["cave.yaml", "cave.d/10-local.yaml"])
    let changes = try daemon.ask("GET", "/v1/games/cave/changes", admin: true).json["changes"]?.listValue ?? []
    #expect(changes.map { $0["what"] } == ["drop_in"] && changes.first?["key"] == "depth")
    try daemon.restart()
    #expect(try daemon.ask("GET", "/v1/status", admin: true).json["games"]?.listValue?.first?["drop_ins"] == ["cave.d/10-local.yaml"])
  }

  @Test(
    "gameconfd --check reports the faults that a start would find, and fails if the start would fail",
    arguments: ["folder", "socket", "state", "unmade", "newer", "good"])
  func check(what: String) throws {
    let folder = try TemporaryFolder()
    mkdir(folder.path + "/games", 0o755)
    mkdir(folder.path + "/run", 0o755)
    mkdir(folder.path + "/state", 0o755)
    try folder.write(Self.hut, to: "games/hut.yaml")
    try folder.write("clients: [{uid: 0, games: [hutt]}]\n", to: "settings.yaml")
    var (defaults, words) = (folder.path + "/games", "")
    var state = folder.path + "/state"
    switch what {
    case "folder":
      defaults = folder.path + "/nosuch"
      words = "nosuch"
    case "socket":
      try folder.write("x", to: "run/games.sock")
      words = "not a socket"
    case "state":
      rmdir(folder.path + "/state")
      try folder.write("x", to: "state")
      words = "is not a folder"
    case "unmade":
      // Even root cannot create a folder in /proc.
      state = "/proc/nosuch/state"
      words = "cannot be made in /proc"
    case "newer":
      var header = [UInt8](repeating: 0, count: 4096)
      header.replaceSubrange(68..<72, with: [0x67, 0x63, 0x66, 0x64])
      header[63] = 200
      let file = open(folder.path + "/state/gameconfd.db", O_WRONLY | O_CREAT, 0o640)
      _ = header.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      close(file)
      words = "newer gameconfd"
    default: rmdir(state)
    }
    let arguments = [
      "--check", "--defaults", defaults, "--runtime-dir", folder.path + "/run", "--state-dir", state, "--config",
      folder.path + "/settings.yaml",
    ]
    let ending = try ChildProcess(Built.daemon, arguments).waitForEnd()
    #expect(ending.status == (what == "good" ? 0 : 1), "\(what): \(ending)")
    #expect(ending.errors.contains(words), "\(ending.errors)")
    if what == "good" {
      #expect(access(state, F_OK) != 0, "what a check makes to try it is gone")
      #expect(ending.output.contains("hut: good, 1 key\n"))
      #expect(ending.errors.contains("clients: there is no game hutt. Did you mean “hut”?\n"))
    }
    if what == "folder" {
      let start = try ChildProcess(Built.daemon, Array(arguments.dropFirst())).waitForEnd()
      #expect(start.status == 1 && start.errors.contains("nosuch"), "a start with nothing to serve fails as well")
    }
  }

  @Test("a start without the folder of catalogs serves the accepted catalogs")
  func folderGone() throws {
    let daemon = try daemon()
    daemon.stop()
    rename(daemon.folder.path + "/games", daemon.folder.path + "/elsewhere")
    try daemon.start()
    #expect(try depth(daemon) == 1)
  }

  @Test("the audit log can be read across games, by author, key and time")
  func audit() throws {
    let daemon = try daemon(arguments: ["--clock", "2026-11-21T12:00:00Z"])
    #expect(try daemon.ask("PUT", "/v1/games/hut/overrides/rooms", body: ["value": 3], admin: true).status == 201)
    #expect(try daemon.ask("PUT", "/v1/games/cave/overrides/depth", body: ["value": 4], admin: true).status == 201)
    let all = try lines(daemon, of: nil)
    #expect(Set(all.compactMap { $0["game"]?.stringValue }) == ["cave", "hut"])
    #expect(all.map { $0["id"]?.integerValue ?? 0 } == all.map { $0["id"]?.integerValue ?? 0 }.sorted(by: >))
    #expect(try lines(daemon, "?key=rooms", of: nil).map { $0["game"] } == ["hut"])
    #expect(try lines(daemon, "?author=\(getuid())&game=cave&key=depth", of: nil).count == 1)
    #expect(try lines(daemon, "?author=nobody-such", of: nil).isEmpty)
    #expect(try lines(daemon, "?since=2026-11-21T12:00:00Z&key=depth", of: nil).count == 1)
    #expect(try lines(daemon, "?until=2026-11-21T12:00:00Z", of: nil).isEmpty)
    #expect(try daemon.ask("GET", "/v1/audit?since=yesterday", admin: true).code == "MALFORMED_QUERY_PARAMETER")
    let table = try daemon.control("audit", "list", "--key", "rooms")
    #expect(table.status == 0 && table.output.contains("\thut\t") || table.output.contains("hut"), "\(table)")
    // The audit line of a catalog concerns each key that the catalog changes, and so does the line of its revert.
    #expect(try lines(daemon, "?key=depth", of: nil).map { $0["action"] } == ["override.set"])
    try daemon.folder.write(Self.cave(9), to: "games/cave.yaml")
    #expect(try reload(daemon).status == 200)
    let accepted = try #require(try lines(daemon, "?key=depth&limit=1", of: nil).first)
    #expect(accepted["action"] == "catalog.accept" && accepted["game"] == "cave")
    let id = try #require(accepted["id"]?.integerValue)
    #expect(try daemon.control("audit", "revert", "\(id)").status == 0)
    let about = ["catalog.revert", "catalog.accept", "override.set"] as [Value?]
    #expect(try lines(daemon, "?key=depth").map { $0["action"] } == about)
    #expect(try lines(daemon, "?key=rooms", of: nil).map { $0["action"] } == ["override.set"])
    let listed = try daemon.control("audit", "list", "--key", "depth").output
    #expect(listed.split(separator: "\n").count == 3 && listed.contains("catalog.revert\tdepth,token\t"), "\(listed)")
    let page = try daemon.ask("GET", "/v1/audit?limit=1", admin: true).json
    #expect(page["next_before"] == page["entries"]?.listValue?.first?["id"])
  }

  @Test("the audit log across games never shows a secret's value, also of a forgotten game")
  func auditHides() throws {
    let daemon = try daemon()
    #expect(try daemon.ask("PUT", "/v1/games/cave/overrides/token", body: ["value": "hunter-x"], admin: true).status == 201)
    #expect(try !daemon.ask("GET", "/v1/audit", admin: true).text.contains("hunter"))
    unlink(daemon.folder.path + "/games/cave.yaml")
    #expect(try reload(daemon).status == 200)
    #expect(try daemon.ask("DELETE", "/v1/games/cave", admin: true).status == 204)
    let text = try daemon.ask("GET", "/v1/audit?key=token", admin: true).text
    #expect(text.contains("override.set") && !text.contains("hunter"))
  }

  @Test("root and the daemon's user may read on a restricted games socket, and readiness accepts the query strict as a boolean or alone")
  func narrowed() throws {
    let folder = try TemporaryFolder()
    try folder.write("clients: [{uid: 54321, games: [cave]}]\n", to: "settings.yaml")
    let daemon = try RunningDaemon(
      catalogs: ["cave.yaml": Self.cave(1)], folder: folder, arguments: ["--config", folder.path + "/settings.yaml"])
    for query in ["", "?strict", "?strict=true", "?strict=1", "?strict=false", "?strict=0"] {
      #expect(try daemon.ask("GET", "/health/ready" + query).status == 200, "\(query)")
    }
    #expect(try daemon.ask("GET", "/health/ready?strict=maybe").status == 400)
    #expect(try daemon.ask("GET", "/v1/games/cave/config/depth").json["value"] == 1)
    guard let user = try OtherUser(uid: 54_322, in: folder) else { return }
    chmod(folder.path, 0o755)
    let refused = try user.run("/usr/bin/curl", ["-s", "--unix-socket", daemon.gamesSocket, "http://localhost/health/ready"])
    #expect(refused.output.contains("NOT_PERMITTED"))
  }

  @Test("a restore of a backup is in the journal once, with its author and reason")
  func restoreInJournal() throws {
    let daemon = try daemon()
    let file = daemon.folder.path + "/taken.db"
    #expect(try daemon.control("store", "backup", file).status == 0)
    #expect(try daemon.control("store", "restore", "--yes", "--reason", "drill", file).status == 0)
    let lines = daemon.stop().errors.split(separator: "\n").filter { $0.contains("a backup was restored") }
    #expect(lines.count == 1 && lines.first?.contains(": drill") == true, "\(lines)")
  }

  @Test("metrics include memory, descriptors, events, ads, purchases and batches")
  func metrics() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    for _ in 0..<3 { _ = try player.event() }
    _ = try player.event("no_such_event")
    _ = try player.event(id: "g1")
    _ = try player.event(id: "g1")
    _ = try daemon.ask("POST", player.path + "/purchases", body: ["product": "removeads"])
    _ = try daemon.ask("POST", player.path + "/purchases?dry_run=true", body: ["product": "premium"])
    let text = try daemon.ask("GET", "/metrics", admin: true).text
    func value(_ name: String) -> Double? {
      text.split(separator: "\n").first { $0.hasPrefix(name + " ") }.flatMap { Double($0.split(separator: " ").last ?? "") }
    }
    #expect(value("gameconf_events_total{outcome=\"recorded\"}") == 4)
    #expect(value("gameconf_events_total{outcome=\"repeated\"}") == 1)
    #expect(value("gameconf_events_total{outcome=\"refused\"}") == 1)
    #expect(value("gameconf_ad_decisions_total{outcome=\"show\"}") == 1)
    #expect(value("gameconf_ad_decisions_total{outcome=\"NOT_DUE\"}") == 3)
    #expect(value("gameconf_purchases_total{outcome=\"success\"}") == 1)
    #expect((value("process_resident_memory_bytes") ?? 0) > 1_048_576)
    #expect((value("process_open_fds") ?? 0) > 3 && (value("process_max_fds") ?? 0) > 3)
    #expect((value("gameconf_store_batch_turns_count") ?? 0) > 0)
  }
}
