// Roles of clients, tested with real users and groups.

import GameConfCore
import Glibc
import Testing

@Suite("A peer's role is taken from the kernel", .serialized)
struct RoleTests {
  private static let uid: UInt32 = 54_321

  /// Returns two groups of this host that root's processes are not in.
  private func groups() -> (admins: (name: String, gid: UInt32), testers: (name: String, gid: UInt32))? {
    let names = ["games", "mail", "news", "uucp", "audio"]
    let found = names.compactMap { (name: String) -> (name: String, gid: UInt32)? in
      guard let entry = getgrnam(name) else { return nil }
      return (name, entry.pointee.gr_gid)
    }
    if found.count >= 2 { return (admins: found[0], testers: found[1]) }
    print("SKIPPED: roles were not tried, since this host has too few groups")
    return nil
  }

  private func daemon(_ folder: TemporaryFolder, settings: String = "") throws -> RunningDaemon? {
    guard let groups = groups() else { return nil }
    try folder.write(settings, to: "gameconfd.yaml")
    return try RunningDaemon(
      catalogs: ["mine.yaml": Mine.catalog, "other.yaml": Mine.text(game: "other")], folder: folder,
      arguments: [
        "--admin-group", groups.admins.name, "--tester-group", groups.testers.name, "--config", folder.path + "/gameconfd.yaml",
      ])
  }

  @Test("a user in no group of a role is refused on the admin socket although its file mode admits all, and may read on the games socket")
  func outsider() throws {
    let folder = try TemporaryFolder()
    guard let user = try OtherUser(uid: Self.uid, in: folder), let daemon = try daemon(folder) else { return }
    var status = stat()
    let isThere = stat(daemon.adminSocket, &status) == 0
    #expect(isThere && status.st_mode & 0o777 == 0o666)
    let set = try user.control(daemon, "config", "set", "mine", "speed", "3", "--player", "p1")
    #expect(set.status == 4)
    #expect(set.errors.contains("\(Self.uid)"), "\(set.errors)")
    #expect(try user.control(daemon, "config", "set", "mine", "speed", "3").status == 4)
    #expect(try user.control(daemon, "audit", "list", "mine").status == 4)
    #expect(try user.control(daemon, "store", "backup", folder.path + "/taken").status == 4)
    #expect(try user.control(daemon, "player", "score", "mine", "p1", "--lifetime", "3").status == 4)
    #expect(try user.control(daemon, "player", "list", "mine").status == 4)
    #expect(try user.control(daemon, "player", "forget", "mine", "p1", "--yes").status == 4)
    #expect(try user.control(daemon, "player", "settings", "mine", "p1", "sound", "false").status == 0)
    #expect(try user.control(daemon, "player", "show", "mine", "p1").output.contains("sound\tfalse\tfalse\tsetting"))
    let get = try user.control(daemon, "config", "get", "mine", "speed")
    #expect(get.status == 0 && get.output == "2.0\n", "\(get.errors)")
    #expect(try daemon.overrides().isEmpty)
  }

  @Test(
    "reading products for a player on the admin socket, which may use up a simulated failure, needs a tester"
  )
  func products() throws {
    let folder = try TemporaryFolder()
    guard let groups = groups(), let outsider = try OtherUser(uid: Self.uid, in: folder),
      let publisher = try OtherUser(uid: Self.uid + 1, groups: [groups.admins.gid], in: folder),
      let tester = try OtherUser(uid: Self.uid + 2, groups: [groups.testers.gid], in: folder), access("/usr/bin/curl", X_OK) == 0
    else { return }
    let daemon = try RunningDaemon(
      catalogs: ["mine.yaml": Mine.catalog], folder: folder,
      arguments: ["--publisher-group", groups.admins.name, "--tester-group", groups.testers.name])
    func status(_ user: OtherUser, _ socket: String, _ query: String) throws -> String {
      try user.run(
        "/usr/bin/curl",
        ["-s", "-o", "/dev/null", "-w", "%{http_code}", "--unix-socket", socket, "http://x/v1/games/mine/products\(query)"]
      ).output
    }
    for user in [outsider, publisher] {
      #expect(try status(user, daemon.adminSocket, "?player=p") == "403")
      #expect(try status(user, daemon.gamesSocket, "?player=p") == "200")
    }
    #expect(try status(tester, daemon.adminSocket, "?player=p") == "200")
  }

  @Test("a tester may replace their own window, and another tester's only by its id and with a confirmation")
  func windows() throws {
    let folder = try TemporaryFolder()
    guard let gid = groups()?.testers.gid, let ada = try OtherUser(uid: Self.uid, groups: [gid], in: folder),
      let bob = try OtherUser(uid: Self.uid + 1, groups: [gid], in: folder), let daemon = try daemon(folder)
    else { return }
    func set(_ user: OtherUser, _ value: String, _ more: String...) throws -> ChildProcess.Ending {
      try user.control(daemon, ["config", "set", "mine", "speed", value, "--player", "p1", "--for", "1h"] + more)
    }
    #expect(try set(ada, "3").status == 0)
    let refused = try set(bob, "4", "--replace")
    #expect(refused.status == 6 && refused.errors.contains("It is another user's"), "\(refused)")
    let list = try daemon.ask("GET", "/v1/games/mine/players/p1/overrides/speed", admin: true).json["overrides"]?.listValue ?? []
    let id = try #require(list.first?["window"]?["id"]?.stringValue)
    #expect(refused.errors.contains("--window \(id)"))
    #expect(try set(bob, "4", "--replace", "--window", id).status == 2)
    #expect(try ada.control(daemon, "config", "get", "mine", "speed", "--player", "p1").output == "3.0\n")
    #expect(try set(bob, "4", "--replace", "--window", id, "--yes").status == 0)
    #expect(try ada.control(daemon, "config", "get", "mine", "speed", "--player", "p1").output == "4.0\n")
    #expect(try set(bob, "3.5", "--replace").status == 0)
  }

  @Test("a member of the admin group is an admin, by its primary or a supplementary group", arguments: [true, false])
  func admin(isPrimary: Bool) throws {
    let folder = try TemporaryFolder()
    guard let gid = groups()?.admins.gid,
      let user = try OtherUser(uid: Self.uid, gid: isPrimary ? gid : nil, groups: isPrimary ? [] : [12_345, gid], in: folder),
      let daemon = try daemon(folder)
    else { return }
    let set = try user.control(daemon, "config", "set", "mine", "speed", "3")
    #expect(set.status == 0, "\(set.errors)")
    #expect(try daemon.read("speed")["value"] == 3.0)
    #expect(try daemon.audit().first?["author"]?["uid"] == .integer(Int64(Self.uid)))
    #expect(try user.control(daemon, "reload").status == 0)
  }

  @Test("a tester may change players but not forget them, and cannot change the game", arguments: [true, false])
  func tester(isPrimary: Bool) throws {
    let folder = try TemporaryFolder()
    guard let gid = groups()?.testers.gid,
      let user = try OtherUser(uid: Self.uid, gid: isPrimary ? gid : nil, groups: isPrimary ? [] : [gid], in: folder),
      let daemon = try daemon(folder)
    else { return }
    let own = try user.control(daemon, "config", "set", "mine", "speed", "3", "--player", "p1")
    #expect(own.status == 0, "\(own.errors)")
    #expect(try daemon.read("speed", player: "p1")["value"] == 3.0)
    let line = try #require(daemon.audit().first?["id"]?.integerValue)
    #expect(try user.control(daemon, "config", "set", "mine", "speed", "3").status == 4)
    #expect(try user.control(daemon, "config", "unset", "mine", "speed").status == 4)
    for scope in ["--all", "--players"] { #expect(try user.control(daemon, "config", "clear", "mine", scope, "--yes").status == 4) }
    #expect(try user.control(daemon, "reload").status == 4)
    #expect(try user.control(daemon, "store", "check").status == 4)
    #expect(try user.control(daemon, "store", "backup", folder.path + "/taken").status == 4)
    _ = try daemon.put("speed", 3.5)
    let other = try #require(daemon.audit().first?["id"]?.integerValue)
    #expect(try user.control(daemon, "audit", "revert", "mine", "\(other)").status == 4)
    #expect(try daemon.read("speed")["value"] == 3.5)
    #expect(try user.control(daemon, "audit", "revert", "mine", "\(line)").status == 0)
    #expect(try daemon.read("speed", player: "p1")["value"] == 3.5)
    #expect(try user.control(daemon, "audit", "list", "mine").status == 0)
    #expect(try user.control(daemon, "player", "score", "mine", "p1", "--lifetime", "3").status == 0)
    // A bulk change of one player's overrides needs a tester, as each of its rows does. So does importing a player's export for another.
    let several = try user.control(daemon, "config", "set", "mine", "speed=3", "lives=4", "--player", "p2")
    #expect(several.status == 0, "\(several.errors)")
    #expect(try user.control(daemon, "config", "set", "mine", "speed=3", "lives=4").status == 4)
    #expect(try daemon.control("config", "set", "mine", "speed", "3.5", "--player", "p2").output.contains("it replaces the override that"))
    let found = try user.control(daemon, "player", "reset", "mine", "p2", "--dry-run")
    #expect(found.output.contains("overrides 2 (1 set by root)"), "\(found)")
    let exported = try user.control(daemon, "config", "export", "mine", "--player", "p2")
    try folder.write(exported.output, to: "p2.json")
    chmod(folder.path + "/p2.json", 0o644)
    #expect(try user.control(daemon, "config", "import", "mine", folder.path + "/p2.json", "--player", "p3").status == 0)
    #expect(try daemon.read("lives", player: "p3")["value"] == 4 && daemon.read("lives")["value"] != 4)
    #expect(try user.control(daemon, "config", "import", "mine", folder.path + "/p2.json", "--replace", "--yes").status == 4)
    #expect(try user.control(daemon, "player", "forget", "mine", "p1", "--yes").status == 4)
    #expect(try daemon.ask("GET", "/v1/games/mine/players/p1").json["scores"]?["lifetime_score"] == 3)
  }

  @Test("a tester may run scenarios for their own players, not for a whole game; others may run no scenario")
  func scenarios() throws {
    let folder = try TemporaryFolder()
    guard let gid = groups()?.testers.gid, let tester = try OtherUser(uid: Self.uid, groups: [gid], in: folder),
      let outsider = try OtherUser(uid: Self.uid + 1, in: folder), let daemon = try daemon(folder)
    else { return }
    let file = "scenario: 1\ngames: {mine: {overrides: {lives: 7}, players: {a: {scores: {lifetime_score: 5}}}}}\n"
    try folder.write(file, to: "own.yaml")
    try folder.write(file + "scope: game\n", to: "all.yaml")
    for name in ["own.yaml", "all.yaml"] { chmod(folder.path + "/" + name, 0o644) }
    let own = try tester.control(daemon, "scenario", "run", folder.path + "/own.yaml", "--", "true")
    #expect(own.status == 0, "\(own.errors)")
    let line = try #require(daemon.audit("limit=100").first { $0["action"] == "override.set" })
    #expect(line["author"]?["uid"] == .integer(Int64(Self.uid)))
    let all = try tester.control(daemon, "scenario", "run", folder.path + "/all.yaml", "--", "true")
    #expect(all.status == 4 && all.errors.contains("all.yaml:3:"), "\(all.errors)")
    #expect(try outsider.control(daemon, "scenario", "run", folder.path + "/own.yaml", "--", "true").status == 4)
    #expect(try daemon.overrides().isEmpty)
  }

  @Test("the setting clients restricts the games socket to the named users and their games")
  func clients() throws {
    let folder = try TemporaryFolder()
    guard let gid = groups()?.testers.gid, let name = groups()?.testers.name,
      let named = try OtherUser(uid: Self.uid, in: folder), let member = try OtherUser(uid: Self.uid + 1, groups: [gid], in: folder),
      let stranger = try OtherUser(uid: Self.uid + 2, in: folder),
      let daemon = try daemon(
        folder, settings: "clients:\n  - {uid: \(Self.uid), games: [mine]}\n  - {group: \(name), games: [other]}\n")
    else { return }
    func get(_ user: OtherUser, _ game: String) throws -> Int32 {
      try user.control(daemon, "config", "get", game, "speed", "--socket", daemon.gamesSocket).status
    }
    #expect(try get(named, "mine") == 0)
    #expect(try get(named, "other") == 4)
    #expect(try get(member, "other") == 0)
    #expect(try get(member, "mine") == 4)
    #expect(try get(stranger, "mine") == 4)
    #expect(try get(stranger, "other") == 4)
    #expect(try daemon.ask("GET", "/v1/status", admin: true).text.contains(#""open":true"#) == false)
  }

  @Test("a secret is served on the admin socket to the listed uids, and masked for all others, also admins")
  func secrets() throws {
    let folder = try TemporaryFolder()
    guard let testers = groups()?.testers, let reader = try OtherUser(uid: Self.uid, groups: [testers.gid], in: folder),
      let other = try OtherUser(uid: Self.uid + 1, groups: [testers.gid], in: folder),
      let daemon = try daemon(folder, settings: "secret_readers:\n  mine: [\(Self.uid)]\n")
    else { return }
    #expect(try daemon.put("token", "sesame").status == 201)
    #expect(try daemon.put("token", "tahini", player: "p1").status == 201)
    let read = try reader.control(daemon, "config", "get", "mine", "token", "--socket", daemon.adminSocket)
    #expect(read.output == "sesame\n", "\(read.errors)")
    // The games socket serves no secret, even to a user whom `secret_readers` names.
    for (user, socket) in [(other, daemon.adminSocket), (other, daemon.gamesSocket), (reader, daemon.gamesSocket)] {
      let refused = try user.control(daemon, "config", "get", "mine", "token", "--socket", socket)
      #expect(refused.status == 4 && refused.errors.contains("SECRET_KEY"), "\(refused.errors)")
    }
    let line = try #require(daemon.audit().first?["id"]?.integerValue)
    for (path, isAdmin) in [
      ("config/token", false), ("config", false), ("config?detail=full&player=p1", false), ("config", true), ("config/token", true),
      ("config?detail=full", true), ("overrides?players=all", true), ("overrides/token", true), ("players/p1/overrides/token", true),
      ("overrides/export", true), ("audit", true), ("audit/\(line)", true), ("config/token/explain?player=p1", true), ("catalog", true),
    ] {
      let answer = try daemon.ask("GET", "/v1/games/mine/\(path)", admin: isAdmin)
      #expect(!answer.text.contains("sesame") && !answer.text.contains("tahini"), "\(path): \(answer.text)")
    }
    // The message with which a catalog refuses the value does not quote it either.
    try daemon.folder.write(
      Mine.catalog.replacing("^[a-z]+$", with: "^[0-9]+$").replacing("default: open", with: "default: \"1\""), to: "games/mine.yaml")
    #expect(try daemon.ask("POST", "/v1/reload", admin: true).json["games"]?.listValue?.first?["outcome"] == "changed")
    #expect(try daemon.overrides().count { $0["quarantined"] != nil } == 2)
    for path in ["overrides?players=all", "audit", "config/token/explain?player=p1"] {
      let answer = try daemon.ask("GET", "/v1/games/mine/\(path)", admin: true)
      #expect(!answer.text.contains("sesame") && !answer.text.contains("tahini"), "\(path): \(answer.text)")
    }
  }
}
