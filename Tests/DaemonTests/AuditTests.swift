// The audit log over the socket: its lines, and reverting them.

import GameConfCore
import Glibc
import Testing

@Suite("The audit log of a running daemon", .serialized)
struct AuditTests {
  private func revert(_ daemon: RunningDaemon, _ id: Int64, _ query: String = "") throws -> RawConnection.Answer {
    try daemon.ask("POST", "/v1/games/mine/audit/\(id)/revert\(query)", admin: true)
  }

  private func newest(_ daemon: RunningDaemon) throws -> Int64 {
    try #require(daemon.audit(game: "mine", "limit=1").first?["id"]?.integerValue)
  }

  @Test("each change has one audit line with author, time, old and new value, reason and revision")
  func lines() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    _ = try daemon.put("speed", 3.0)
    let set = try daemon.put("speed", 3.5, [("reason", "too slow")])
    let line = try #require(daemon.audit().first)
    #expect(line["author"]?["uid"] == .integer(Int64(getuid())))
    #expect(line["author"]?["pid"] == .integer(Int64(getpid())))
    #expect(line["before"] == 3.0 && line["after"] == 3.5)
    #expect(line["reason"] == "too slow")
    #expect(line["revision"] == set.json["revision"])
    _ = try daemon.remove("speed", query: "?reason=enough")
    let removal = try #require(daemon.audit().first)
    #expect(removal["before"] == 3.5 && removal["reason"] == "enough")
    _ = try daemon.put("speed", 3.0, player: "p1")
    #expect(try daemon.audit("player=p1").count == 1)
    #expect(try daemon.audit("key=speed").count == 4)
    #expect(try daemon.audit("author=gameconfd").count == 1)
    #expect(try daemon.audit("limit=2").count == 2)
    let listed = try daemon.control("audit", "list", "mine")
    #expect(listed.output.contains("too slow"))
    let id = try newest(daemon)
    let shown = try daemon.control("audit", "show", "mine", "\(id)")
    #expect(shown.output.contains("p1"))
    // The id of a line is unique across games.
    #expect(try daemon.control("audit", "show", "\(id)").output == shown.output)
    let wire = try daemon.control("audit", "show", "mine", "\(id)", "--json")
    #expect(try daemon.control("audit", "show", "\(id)", "--json").output == wire.output)
    #expect(try daemon.control("audit", "show", "999").status == 5)
    try daemon.restart()
    #expect(try daemon.audit("key=speed").count == 4)
  }

  @Test("the changes of one session are undone together, and an override that a reset removed is restored from the audit log")
  func session() throws {
    let folder = try TemporaryFolder()
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog], folder: folder)
    func control(_ session: String, _ words: String...) throws -> ChildProcess.Ending {
      try ChildProcess(
        Built.control, words, environment: ["GAMECONF_ADMIN_SOCKET": daemon.adminSocket, "GAMECONF_SESSION": session]
      ).waitForEnd()
    }
    #expect(try control("one", "config", "set", "mine", "speed=3", "lives=4").status == 0)
    #expect(try control("two", "config", "set", "mine", "speed", "3.5", "--player", "p1").status == 0)
    #expect(try control("one", "player", "score", "mine", "p1", "--lifetime", "3").status == 0)
    #expect(try daemon.audit("session=one").count == 3 && daemon.audit("session=two").count == 1)
    let dry = try control("three", "audit", "revert", "--session", "one", "--dry-run")
    #expect(dry.status == 0 && dry.errors.contains("gameconfctl player score"), "\(dry.errors)")
    #expect(try daemon.read("lives")["value"] == 4)
    let before = try #require(try daemon.read("lives")["revision"]?.integerValue)
    let undone = try control("three", "audit", "revert", "--session", "one")
    #expect(undone.output.split(separator: "\n").count == 2, "\(undone)")
    #expect(try daemon.read("lives")["value"] != 4 && daemon.read("speed")["value"] != 3)
    #expect(try daemon.read("speed", player: "p1")["value"] == 3.5)
    #expect(try daemon.read("lives")["revision"]?.integerValue ?? 0 > before)
    #expect(try control("three", "audit", "revert", "--session", "one").output == "nothing to revert\n")
    let reset = try control("three", "player", "reset", "mine", "p1", "--yes")
    #expect(reset.output.contains("overrides 1"), "\(reset)")
    #expect(try daemon.read("speed", player: "p1")["value"] != 3.5)
    let removal = try #require(daemon.audit("player=p1").first { $0["action"] == "override.remove" })
    #expect(removal["key"] == "speed" && removal["before"] == 3.5 && removal["session"] == "three")
    #expect(try control("three", "audit", "revert", "\(removal["id"]?.integerValue ?? 0)").status == 0)
    #expect(try daemon.read("speed", player: "p1")["value"] == 3.5)
  }

  @Test("a player's copy, also by way of a file, has the same scores, history, settings, purchases, clock and overrides")
  func handover() throws {
    let folder = try TemporaryFolder()
    let daemon = try RunningDaemon(folder: folder)
    let game = "wheresthedot"
    for words in [
      ["player", "score", game, "anna", "--lifetime", "200", "--best", "arcade=9"], ["iap", "premium", game, "anna", "on"],
      ["config", "set", game, "arcade_difficulty_step=7", "arcade_time_limit_base=3", "--player", "anna"],
      ["player", "clock", game, "anna", "advance", "P3D"],
      ["ads", "event", game, "anna", "game_over", "--mode", "classic", "--score", "5", "--reason", "timeUp"],
    ] {
      let done = try daemon.control(words)
      #expect(done.status == 0, "\(words): \(done.errors)")
    }
    func page(_ player: String) throws -> Value {
      let page = try daemon.ask("GET", "/v1/games/\(game)/players/\(player)?history=50").json
      var compared = page.objectValue ?? ObjectValue()
      for member in ["player", "player_revision", "revision", "at", "now"] { compared[member] = nil }
      return .object(compared)
    }
    let anna = try page("anna")
    let copied = try daemon.control("player", "copy", game, "anna", "ben")
    #expect(copied.status == 0 && copied.output.contains("transactions 1") && copied.output.contains("2 overrides"), "\(copied)")
    #expect(try page("ben") == anna)
    let exported = try daemon.control("player", "export", game, "anna")
    try folder.write(exported.output, to: "anna.json")
    #expect(try daemon.control("player", "import", game, "cleo", folder.path + "/anna.json").status == 0)
    #expect(try page("cleo") == anna)
    #expect(try daemon.read("arcade_difficulty_step", game: game, player: "cleo")["value"] == 7)
    // A player with overrides and no other state can be copied too.
    #expect(try daemon.control("config", "set", game, "arcade_difficulty_step", "9", "--player", "dora").status == 0)
    let bare = try daemon.control("player", "copy", game, "dora", "emil")
    #expect(bare.status == 0 && bare.output.contains("1 override"), "\(bare)")
    #expect(try daemon.read("arcade_difficulty_step", game: game, player: "emil")["value"] == 9)
    // Replacing a known player needs a confirmation, and an unknown player cannot be copied.
    #expect(try daemon.control("player", "import", game, "cleo", folder.path + "/anna.json").status == 2)
    #expect(try daemon.control("player", "copy", game, "nobody", "ben", "--yes").status == 5)
    #expect(try page("ben") == anna)
    let refused = try daemon.ask(
      "POST", "/v1/games/\(game)/players/ben/copy",
      body: ["rows": ["players": [["game": .string(game), "state": "{\"v\":99}"]]]], admin: true)
    #expect(refused.status == 400 && refused.pointer == "/rows/players/0/state", "\(refused.text)")
    #expect(try page("ben") == anna)
  }

  @Test("a revert restores the previous value; a second revert is refused unless forced")
  func revert() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    _ = try daemon.put("speed", 3.0)
    _ = try daemon.put("speed", 3.5)
    let line = try newest(daemon)
    let taken = try daemon.control("audit", "revert", "\(line)", "--reason", "back")
    #expect(taken.status == 0, "\(taken.errors)")
    #expect(try daemon.read("speed")["value"] == 3.0)
    let own = try #require(daemon.audit().first)
    #expect(own["action"] == "override.revert" && own["reverts"] == .integer(line) && own["reason"] == "back")
    let second = try revert(daemon, line)
    #expect(second.status == 409 && second.code == "ALREADY_REVERTED")
    #expect(second.json["reverted_by"] == own["id"])
    #expect(try daemon.control("audit", "revert", "mine", "\(line)").status == 6)
    _ = try daemon.put("speed", 1.5)
    #expect(try revert(daemon, line, "?force=true").status == 200)
    #expect(try daemon.read("speed")["value"] == 3.0)
    // A revert can be reverted.
    #expect(try revert(daemon, try newest(daemon)).status == 200)
    #expect(try daemon.read("speed")["value"] == 1.5)
  }

  @Test("the daemon's log has one line for a change, and one for its revert")
  func logged() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    _ = try daemon.put("speed", 3.0)
    #expect(try revert(daemon, try newest(daemon)).status == 200)
    let ending = daemon.stop()
    let logLines = (ending.errors + ending.output).split(separator: "\n").filter { $0.contains("key=speed") }
    #expect(logLines.count == 2)
    #expect(logLines.first?.contains("override.set") == true && logLines.last?.contains("override.revert") == true)
  }

  @Test("a change is not reverted after a later change unless forced")
  func changedSince() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    _ = try daemon.put("speed", 3.0)
    let line = try newest(daemon)
    _ = try daemon.put("speed", 3.5)
    let late = try revert(daemon, line)
    #expect(late.status == 409 && late.code == "CHANGED_SINCE")
    #expect(try daemon.read("speed")["value"] == 3.5)
    #expect(try revert(daemon, line, "?force=true").status == 200)
    #expect(try daemon.read("speed")["value"] == 2.0)
  }

  @Test("the refusal of a revert gives the reason")
  func notRevertible() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let accepted = try newest(daemon)
    #expect(try revert(daemon, accepted).code == "NOT_REVERTIBLE")
    #expect(try revert(daemon, accepted).status == 422)
    #expect(try revert(daemon, 99).status == 404)
    #expect(try daemon.ask("POST", "/v1/games/mine/audit/x/revert", admin: true).status == 404)
    #expect(try revert(daemon, accepted, "?force=perhaps").status == 400)
    // A value that the catalog no longer allows cannot be restored.
    _ = try daemon.put("speed", 3.5)
    _ = try daemon.remove("speed")
    let removal = try newest(daemon)
    try daemon.folder.write(Mine.text(speedMost: "3"), to: "games/mine.yaml")
    _ = try daemon.ask("POST", "/v1/reload", admin: true)
    let refused = try revert(daemon, removal)
    #expect(refused.status == 422 && refused.code == "OUT_OF_RANGE")
  }

  @Test("gameconfctl audit follow prints new audit lines immediately")
  func follow() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let following = try ChildProcess(
      "/bin/sh", ["-c", "exec \"$0\" audit follow mine >&2", Built.control],
      environment: ["GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket])
    // Lines from before the connection may be missing, so changes are made until one is shown.
    var count: Int64 = 1
    var isShown = false
    while !isShown, count < 100 {
      count += 1
      _ = try daemon.put("lives", .integer(count), [("reason", "seen")])
      isShown = following.waitForLine(containing: "seen", timeoutSeconds: 1) != nil
    }
    #expect(isShown)
  }

  @Test("an override that a new catalog refuses is quarantined: stored, listed and not served until released")
  func quarantine() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    _ = try daemon.put("speed", 3.5)
    try daemon.folder.write(Mine.text(speedMost: "3"), to: "games/mine.yaml")
    _ = try daemon.ask("POST", "/v1/reload", admin: true)
    #expect(try daemon.read("speed")["value"] == 2.0)
    #expect(try daemon.overrides().first?["quarantined"]?.stringValue?.contains("3.5") == true)
    #expect(try daemon.audit().contains { $0["action"] == "override.quarantine" })
    let refused = try daemon.ask("POST", RunningDaemon.path("speed") + "/release", admin: true)
    #expect(refused.status == 422)
    try daemon.restart()
    #expect(try daemon.read("speed")["value"] == 2.0)
    try daemon.folder.write(Mine.catalog, to: "games/mine.yaml")
    _ = try daemon.ask("POST", "/v1/reload", admin: true)
    #expect(try daemon.read("speed")["value"] == 2.0)
    let released = try daemon.control("config", "release", "mine", "speed")
    #expect(released.status == 0, "\(released.errors)")
    #expect(try daemon.read("speed")["value"] == 3.5)
    #expect(try daemon.ask("POST", RunningDaemon.path("speed") + "/release", admin: true).code == "NOT_QUARANTINED")
  }
}
