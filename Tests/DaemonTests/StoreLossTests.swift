// A damaged, missing or full database: overrides are served, clients are notified, nothing is written, and it recovers.

import GameConfCore
import Glibc
import Testing

@testable import GameConfStorage

@Suite("The database is lost", .serialized)
struct StoreLossTests {
  enum DatabaseDamage: String, CaseIterable { case noise, truncated, removed, directory }

  private func database(_ daemon: RunningDaemon) -> String { daemon.folder.path + "/state/gameconfd.db" }

  private func damage(_ daemon: RunningDaemon, _ damage: DatabaseDamage) throws {
    let path = database(daemon)
    switch damage {
    case .noise:
      var generator = SystemRandomNumberGenerator()
      try daemon.folder.write((0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }, to: "state/gameconfd.db")
    case .truncated:
      // While the daemon runs, most data may still be in the write-ahead log.
      truncate(path, (TemporaryFolder.read(path)?.count ?? 0) > 5000 ? 5000 : 100)
    case .removed: unlink(path)
    case .directory:
      unlink(path)
      mkdir(path, 0o755)
    }
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
  }

  private func stocked() throws -> (daemon: RunningDaemon, backup: String) {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    _ = try daemon.put("speed", 3.0)
    let backup = daemon.folder.path + "/backup.db"
    let ending = try daemon.control("store", "backup", backup)
    #expect(ending.status == 0, "\(ending.errors)")
    _ = try daemon.put("speed", 3.5)
    _ = try daemon.put("speed", 1.5, player: "p1")
    return (daemon, backup)
  }

  private func expectLost(_ daemon: RunningDaemon, _ damage: DatabaseDamage) throws {
    #expect(try daemon.read("speed")["value"] == 3.5)
    #expect(try daemon.read("speed", player: "p1")["value"] == 1.5)
    let status = try daemon.storeStatus()
    #expect(status["state"] != "good")
    #expect(status["detail"]?.stringValue?.contains("database") == true)
    #expect(try daemon.ask("GET", "/health/ready").status == 200)
    #expect(try daemon.ask("GET", "/health/ready").text.contains(#""what":"store""#))
    #expect(try daemon.ask("GET", "/health/ready?strict=true").status == 503)
    let before = try daemon.overrides()
    for answer in [try daemon.put("speed", 2.5), try daemon.remove("speed"), try daemon.put("speed", 2.5, player: "p2")] {
      #expect(answer.status == 503)
      #expect(answer.code == "STORE_UNAVAILABLE")
    }
    #expect(try daemon.control("config", "set", "mine", "speed", "2.5").status == 7)
    #expect(try daemon.control("store", "backup", daemon.folder.path + "/none").errors.contains("STORE_UNAVAILABLE"))
    #expect(try daemon.overrides() == before)
    #expect(try daemon.control("health").status == 7)
  }

  @Test("a start with a lost database serves last-good.json, and a restored backup recovers it", arguments: DatabaseDamage.allCases)
  func atStart(damage: DatabaseDamage) throws {
    let (daemon, backup) = try stocked()
    daemon.stop()
    try self.damage(daemon, damage)
    let bytes = TemporaryFolder.read(database(daemon))
    try daemon.start()
    #expect(daemon.startLines.contains { $0.contains("critical") || $0.contains("error") })
    let state = damage == .directory ? "cannot be opened now" : "is lost"
    #expect(daemon.startLines.contains { $0.contains("the database \(state); serving last-good.json") }, "\(daemon.startLines)")
    try expectLost(daemon, damage)
    if damage == .noise || damage == .truncated {
      let aside = try #require(daemon.storeStatus()["put_aside"]?.stringValue)
      #expect(TemporaryFolder.read(aside) == bytes)
    }
    // The same is true after a restart with a changed catalog. The catalog waits if the database may return; otherwise it is in force.
    try daemon.folder.write(Mine.text(speedMost: "3.75"), to: "games/mine.yaml")
    try daemon.restart()
    try expectLost(daemon, damage)
    #expect(try daemon.ask("GET", "/v1/games/mine/catalog").text.contains("3.75") == (damage != .directory))
    let restored = try daemon.control("store", "restore", backup, "--yes", "--reason", "drill")
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(try daemon.control("health").status == 0)
    #expect(try daemon.ask("GET", "/v1/games/mine/catalog").text.contains("3.75"))
    #expect(try daemon.read("speed")["value"] == 3.0)
    #expect(try daemon.put("speed", 2.5).status == 200)
    #expect(try daemon.control("health").status == 0)
    #expect(try daemon.audit().contains { $0["action"] == "store.restore" && $0["reason"] == "drill" })
    try daemon.restart()
    #expect(try daemon.read("speed")["value"] == 2.5)
  }

  @Test("a play that cannot be read gets 503 in every call, never present values", .needs(.ofrep))
  func plays() throws {
    let (daemon, _) = try stocked()
    let opened = try daemon.ask("POST", "/v1/games/mine/players/p1/plays")
    let play = try #require(opened.json["play"]?.stringValue, "\(opened.text)")
    let query = "player=p1&play=\(play)"
    #expect(try daemon.ask("GET", "/v1/games/mine/config/speed?\(query)").json["source"] == "play")
    daemon.stop()
    try damage(daemon, .noise)
    try daemon.start()
    let context: Value = ["context": ["targetingKey": "p1", "play": .string(play)]]
    for answer in [
      try daemon.ask("GET", "/v1/games/mine/config?\(query)"), try daemon.ask("GET", "/v1/games/mine/config/speed?\(query)"),
      try daemon.ask("GET", "/v1/games/mine/config/image?\(query)"), try daemon.ask("GET", "/v1/games/mine/watch?\(query)"),
      try daemon.ask("GET", "/v1/games/mine/players/p1/plays/\(play)"), try daemon.ask("GET", "/v1/games/mine/players/p1/plays"),
      try daemon.ask("POST", "/v1/games/mine/ofrep/v1/evaluate/flags/speed", body: context),
    ] {
      #expect(answer.status == 503, "\(answer.text)")
    }
    #expect(try daemon.ask("GET", "/v1/games/mine/config/speed?\(query)").code == "STORE_UNAVAILABLE")
    #expect(try daemon.read("speed", player: "p1")["value"] == 1.5)
  }

  @Test(
    "damage to a running database is noticed without a write, logged, and repaired from last-good.json",
    arguments: [DatabaseDamage.noise, .truncated, .removed])
  func whileRunning(damage: DatabaseDamage) throws {
    let (daemon, _) = try stocked()
    let revision = try #require(try daemon.ask("GET", "/v1/games/mine/config", admin: true).revision)
    try self.damage(daemon, damage)
    #expect(daemon.process.waitForLine(containing: "critical") != nil)
    try expectLost(daemon, damage)
    let rebuilt = try daemon.control("store", "restore", "--rebuild", "--yes")
    #expect(rebuilt.status == 0, "\(rebuilt.errors)")
    #expect(try daemon.read("speed")["value"] == 3.5)
    #expect(try daemon.read("speed", player: "p1")["value"] == 1.5)
    let put = try daemon.put("speed", 2.5)
    #expect(put.status == 200)
    #expect(try #require(put.revision) > revision)
    #expect(try daemon.control("store", "check").status == 0)
    #expect(try daemon.control("store", "restore", "--rebuild", "--yes").errors.contains("BACKUP_REFUSED"))
  }

  @Test("another program may read the database while the daemon runs")
  func lookedInto() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    for value in [3.0, 3.5] {
      #expect(try daemon.put("speed", .double(value)).status / 100 == 2)
      let other = try SQLiteConnection(path: database(daemon), for: .writing)
      #expect(try other.integer("SELECT count(*) FROM overrides") == 1)
      // The last connection to close a database removes its write-ahead log, unless another process has a lock.
      other.close()
    }
    #expect(try daemon.put("speed", 1.5, player: "p1").status == 201)
    #expect(try daemon.storeStatus()["state"] == "good")
    try daemon.restart(killing: true)
    #expect(try daemon.read("speed")["value"] == 3.5)
    #expect(try daemon.read("speed", player: "p1")["value"] == 1.5)
  }

  @Test("a database that the daemon's user cannot read is neither used nor moved, and writes are refused")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    guard let user = try OtherUser(uid: 54_400, in: folder) else { return }
    for name in ["run", "state"] {
      mkdir(folder.path + "/" + name, 0o755)
      chown(folder.path + "/" + name, user.uid, user.gid)
    }
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog], folder: folder, program: user.daemon)
    _ = try daemon.put("speed", 3.5)
    _ = try daemon.put("speed", 1.5, player: "p1")
    // last-good.json is at most a second behind. Each check sends a request, so that the loop does not spin.
    let isSaved = try (0..<5_000).contains { _ in
      _ = try daemon.storeStatus()
      let text = String(decoding: TemporaryFolder.read(folder.path + "/state/last-good.json") ?? [], as: UTF8.self)
      return text.contains("3.5") && text.contains("1.5")
    }
    #expect(isSaved)
    daemon.stop()
    let bytes = TemporaryFolder.read(database(daemon))
    chmod(database(daemon), 0)
    try daemon.start()
    try expectLost(daemon, .directory)
    #expect(TemporaryFolder.read(database(daemon)) == bytes)
    chmod(database(daemon), 0o640)
    try daemon.restart()
    #expect(try daemon.put("speed", 2.5).status == 200)
  }

  @Test("a backup is checked before it replaces the database, and overrides that the present catalog refuses are quarantined")
  func restoring() throws {
    let (daemon, backup) = try stocked()
    try daemon.folder.write("not a database", to: "noise.db")
    for (file, hint) in [("noise.db", "BACKUP_REFUSED"), ("games/mine.yaml", "BACKUP_REFUSED"), ("none.db", "No such file")] {
      let refused = try daemon.control("store", "restore", daemon.folder.path + "/" + file, "--yes")
      #expect(refused.status == 1)
      #expect(refused.errors.contains(hint), "\(refused.errors)")
    }
    #expect(try daemon.control("store", "restore", backup, "--dry-run").status == 0)
    #expect(try daemon.read("speed")["value"] == 3.5)
    #expect(try daemon.control("store", "restore", backup, "--rebuild", "--yes").status == 2)
    // Without a confirmation nothing is restored.
    #expect(try daemon.control("store", "restore", backup).status != 0)
    #expect(try daemon.read("speed")["value"] == 3.5)
    _ = try daemon.remove("speed")
    try daemon.folder.write(Mine.text(speedMost: "2.5"), to: "games/mine.yaml")
    _ = try daemon.ask("POST", "/v1/reload", admin: true)
    #expect(try daemon.control("store", "restore", backup, "--yes").status == 0)
    #expect(try daemon.read("speed")["value"] == 2.0)
    #expect(try daemon.overrides().first?["quarantined"] != nil)
    let backupAgain = try daemon.control("store", "backup", backup)
    #expect(backupAgain.status == 1 && backupAgain.errors.contains("never overwrites a file"))
  }

  @Test("a backup being uploaded is removed if the upload breaks off, is refused, or the daemon is killed")
  func upload() throws {
    let (daemon, backup) = try stocked()
    let state = daemon.folder.path + "/state"
    func lying() -> [String] { TemporaryFolder.names(in: state).filter { $0.hasPrefix(".gameconfd-passing-") } }
    func begin() throws -> RawConnection {
      let connection = try RawConnection(daemon.adminSocket)
      let head =
        "POST /v1/store/restore HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/vnd.sqlite3\r\nContent-Length: 1000000\r\n\r\n"
      connection.send(Array(head.utf8) + [UInt8](repeating: 1, count: 100_000))
      #expect(daemon.waits { lying().contains { TemporaryFolder.read(state + "/" + $0)?.isEmpty == false } })
      return connection
    }
    do { _ = try begin() }
    #expect(daemon.waits { lying().isEmpty })
    let connection = try begin()
    try daemon.restart(killing: true)
    withExtendedLifetime(connection) { #expect(lying().isEmpty) }
    try daemon.folder.write("not a database", to: "noise.db")
    #expect(try daemon.control("store", "restore", daemon.folder.path + "/noise.db", "--yes").status == 1)
    #expect(try daemon.control("store", "restore", backup, "--yes").status == 0)
    #expect(lying().isEmpty)
  }

  @Test("interrupted downloads of a backup leave no copy and no open descriptor")
  func brokenDownloads() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    // More data than a socket's buffer holds, so that the daemon is still sending when the client disconnects.
    let rows = (0..<4_000).map { number -> Value in ["player": .string("p\(number)"), "key": "lives", "value": 5] }
    let imported = try daemon.ask(
      "POST", "/v1/games/mine/overrides/import", body: ["mode": "merge", "overrides": .list(rows)], admin: true)
    #expect(imported.status == 200, "\(imported.text)")
    let state = daemon.folder.path + "/state"
    func copies() -> [String] { TemporaryFolder.names(in: state).filter { $0.hasPrefix(".gameconfd-passing-") } }
    // Descriptors of the database are not counted, because another reader may have been opened meanwhile.
    func descriptors() -> Int {
      let folder = "/proc/\(daemon.process.pid)/fd"
      return TemporaryFolder.names(in: folder).count { name in
        var target = [CChar](repeating: 0, count: 4_096)
        let length = readlink("\(folder)/\(name)", &target, target.count)
        return length > 0 && !String(decoding: target[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self).contains("/gameconfd.db")
      }
    }
    let before = descriptors()
    for _ in 0..<20 {
      let connection = try RawConnection(daemon.adminSocket)
      connection.send("GET /v1/store/backup HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(connection.beginStream() == 200)
    }
    // The connection on which `waits` receives the daemon's events has one more descriptor.
    #expect(daemon.waits(seconds: 60) { copies().isEmpty && descriptors() <= before + 1 }, "\(copies()), \(before), then \(descriptors())")
    #expect(try daemon.read("lives", player: "p7")["value"] == 5)
  }

  @Test("on a full disk writes get 507 and reads continue; with free space writes work without a restart")
  func fullDisk() throws {
    let folder = try TemporaryFolder()
    let state = folder.path + "/state"
    mkdir(state, 0o755)
    guard getuid() == 0, try ChildProcess("/bin/mount", ["-t", "tmpfs", "-o", "size=4m", "gameconf-test", state]).waitForEnd().status == 0
    else {
      print("SKIPPED: a full disk was not tried, since this user may not mount a tmpfs (run as root)")
      return
    }
    defer { _ = try? ChildProcess("/bin/umount", ["-l", state]).waitForEnd() }
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog], folder: folder)
    _ = try daemon.put("speed", 3.0)
    let filler = open(state + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let block = [UInt8](repeating: 1, count: 4096)
    while write(filler, block, block.count) > 0 {}
    close(filler)
    var taken: Value = 3.0
    var full: RawConnection.Answer?
    for count in 0..<2000 where full == nil {
      let value = Value.double(1.0 + Double(count % 30) / 10)
      let answer = try daemon.put("speed", value, [("reason", .string(String(repeating: "r", count: 1000)))])
      if answer.status == 200 { taken = value } else { full = answer }
    }
    #expect(full?.status == 507)
    #expect(full?.code == "NO_SPACE")
    #expect(full?.headers["retry-after"] == "5")
    #expect(full?.detail?.contains("space") == true)
    #expect(try daemon.read("speed")["value"] == taken)
    #expect(try daemon.storeStatus()["state"] == "no_space")
    #expect(try daemon.ask("GET", "/health/ready?strict=true").status == 503)
    #expect(try daemon.control("config", "set", "mine", "speed", "2.5").status == 7)
    #expect(try daemon.audit("limit=1").count == 1)
    unlink(state + "/filler")
    #expect(try daemon.put("speed", 2.5).status == 200)
    #expect(try daemon.read("speed")["value"] == 2.5)
    #expect(try daemon.storeStatus()["state"] == "good")
    #expect(try daemon.waits { try daemon.ask("GET", "/health/ready?strict=true").status == 200 })
    daemon.stop()
  }
}
