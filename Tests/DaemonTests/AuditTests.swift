// The audit log over the socket: who did what, and taking it back.

import GameConfCore
import Glibc
import Testing

@Suite("What was done is known and can be taken back", .serialized)
struct AuditTests {
  private func revert(_ daemon: RunningDaemon, _ id: Int64, _ query: String = "") throws -> RawConnection.Answer {
    try daemon.ask("POST", "/v1/games/mine/audit/\(id)/revert\(query)", admin: true)
  }

  private func newest(_ daemon: RunningDaemon) throws -> Int64 {
    try #require(daemon.audit(game: "mine", "limit=1").first?["id"]?.integerValue)
  }

  @Test("each change has one line: who, when, from what to what, why, at which revision")
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
    // A line's id is its own across games.
    #expect(try daemon.control("audit", "show", "\(id)").output == shown.output)
    let wire = try daemon.control("audit", "show", "mine", "\(id)", "--json")
    #expect(try daemon.control("audit", "show", "\(id)", "--json").output == wire.output)
    #expect(try daemon.control("audit", "show", "999").status == 5)
    try daemon.restart()
    #expect(try daemon.audit("key=speed").count == 4)
  }

  @Test("what one session changed goes back together; a player's reset names whose overrides go, and they can be brought back")
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

  @Test("a player is copied and handed over in a file, with scores, history, settings, purchases, clock and overrides, and reads the same")
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
    // A player may have overrides and nothing else.
    #expect(try daemon.control("config", "set", game, "arcade_difficulty_step", "9", "--player", "dora").status == 0)
    let bare = try daemon.control("player", "copy", game, "dora", "emil")
    #expect(bare.status == 0 && bare.output.contains("1 override"), "\(bare)")
    #expect(try daemon.read("arcade_difficulty_step", game: game, player: "emil")["value"] == 9)
    // What is known is asked about first, and nobody is made of nothing.
    #expect(try daemon.control("player", "import", game, "cleo", folder.path + "/anna.json").status == 2)
    #expect(try daemon.control("player", "copy", game, "nobody", "ben", "--yes").status == 5)
    #expect(try page("ben") == anna)
    let refused = try daemon.ask(
      "POST", "/v1/games/\(game)/players/ben/copy",
      body: ["rows": ["players": [["game": .string(game), "state": "{\"v\":99}"]]]], admin: true)
    #expect(refused.status == 400 && refused.pointer == "/rows/players/0/state", "\(refused.text)")
    #expect(try page("ben") == anna)
  }

  @Test("a revert restores the value before; a second time it is refused, and forced it is done")
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
    // A revert can be taken back too.
    #expect(try revert(daemon, try newest(daemon)).status == 200)
    #expect(try daemon.read("speed")["value"] == 1.5)
  }

  @Test("the log has a change once, also when it is taken back")
  func logged() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    _ = try daemon.put("speed", 3.0)
    #expect(try revert(daemon, try newest(daemon)).status == 200)
    let ending = daemon.stop()
    let told = (ending.errors + ending.output).split(separator: "\n").filter { $0.contains("key=speed") }
    #expect(told.count == 2)
    #expect(told.first?.contains("override.set") == true && told.last?.contains("override.revert") == true)
  }

  @Test("what has changed since is not taken back unless forced")
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

  @Test("what cannot be taken back says so")
  func notRevertible() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let accepted = try newest(daemon)
    #expect(try revert(daemon, accepted).code == "NOT_REVERTIBLE")
    #expect(try revert(daemon, accepted).status == 422)
    #expect(try revert(daemon, 99).status == 404)
    #expect(try daemon.ask("POST", "/v1/games/mine/audit/x/revert", admin: true).status == 404)
    #expect(try revert(daemon, accepted, "?force=perhaps").status == 400)
    // A value that the catalog no longer admits does not come back.
    _ = try daemon.put("speed", 3.5)
    _ = try daemon.remove("speed")
    let removal = try newest(daemon)
    try daemon.folder.write(Mine.text(speedMost: "3"), to: "games/mine.yaml")
    _ = try daemon.ask("POST", "/v1/reload", admin: true)
    let refused = try revert(daemon, removal)
    #expect(refused.status == 422 && refused.code == "OUT_OF_RANGE")
  }

  @Test("audit follow prints what happens as it happens")
  func follow() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let following = try ChildProcess(
      "/bin/sh", ["-c", "exec \"$0\" audit follow mine >&2", Built.control],
      environment: ["GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket])
    // What comes before it has begun may or may not be shown, so something is changed until it is.
    var count: Int64 = 1
    var isShown = false
    while !isShown, count < 100 {
      count += 1
      _ = try daemon.put("lives", .integer(count), [("reason", "seen")])
      isShown = following.waitForLine(containing: "seen", timeoutSeconds: 1) != nil
    }
    #expect(isShown)
  }

  @Test("an override the new catalog does not admit is kept, listed and not served, until it is released")
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
