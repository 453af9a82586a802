// Copies of the database beside the one in use: listed, restored with their write-ahead log, removed.

import GameConfCore
import Glibc
import Testing

@Suite("Copies of the database", .serialized)
struct StoreCopiesTests {
  private func copy(_ path: String, to target: String) throws {
    for suffix in ["", "-wal"] {
      let ending = try ChildProcess("/bin/cp", [path + suffix, target + suffix]).waitForEnd()
      try #require(ending.status == 0, "\(ending.errors)")
    }
  }

  @Test("restoring a copy with its write-ahead log restores every acknowledged write, and is in the journal")
  func withLog() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    for value in [3.0, 3.5] { #expect(try daemon.put("speed", .double(value)).status / 100 == 2) }
    let copy = daemon.folder.path + "/copy.db"
    try self.copy(daemon.folder.path + "/state/gameconfd.db", to: copy)
    #expect((TemporaryFolder.read(copy + "-wal")?.count ?? 0) > 0)
    #expect(try daemon.put("speed", 1.5).status == 200)
    let restored = try daemon.control("store", "restore", copy, "--yes", "--reason", "drill")
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(try daemon.read("speed")["value"] == 3.5)
    #expect(daemon.process.waitForLine(containing: "a backup was restored") != nil)
    try daemon.folder.write("undo", to: "copy.db-journal")
    let refused = try daemon.control("store", "restore", copy, "--yes")
    #expect(refused.status == 1 && refused.errors.contains("VACUUM INTO"), "\(refused.errors)")
    let bad = try daemon.ask("POST", "/v1/store/restore?log_bytes=x", admin: true)
    #expect(bad.status == 400 && bad.code == "MALFORMED_QUERY_PARAMETER")
  }

  @Test("a damaged database is listed by status over restarts, and removed only by name with a confirmation")
  func listed() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    #expect(try daemon.put("speed", 3.0).status == 201)
    let empty = try daemon.control("store", "copies")
    #expect(empty.status == 0 && empty.output.isEmpty)
    daemon.stop()
    try daemon.folder.write(String(repeating: "noise", count: 4_000), to: "state/gameconfd.db")
    try daemon.start()
    let aside = try #require(try daemon.storeStatus()["put_aside"]?.stringValue)
    try daemon.restart()
    #expect(try daemon.storeStatus()["put_aside"]?.stringValue == aside)
    #expect(try daemon.control("store", "restore", "--rebuild", "--yes").output.contains("revisions were raised by 100000"))
    let name = try #require(aside.split(separator: "/").last.map(String.init))
    let status = try daemon.storeStatus()
    #expect(status["put_aside"] == nil && status["copies"] == [.string(name)])
    let listed = try daemon.control("store", "copies")
    #expect(listed.output.contains(name) && listed.output.contains("damaged"), "\(listed.output)\(listed.errors)")
    #expect(try daemon.control("store", "copies", "--remove", "gameconfd.db", "--yes").status == 1)
    #expect(try daemon.control("store", "copies", "--remove", name).status != 0)
    #expect(access(aside, F_OK) == 0)
    #expect(try daemon.control("store", "copies", "--remove", name, "--yes").status == 0)
    #expect(access(aside, F_OK) != 0)
    #expect(try daemon.ask("DELETE", "/v1/store/copies/" + name, admin: true).status == 204)
    #expect(try daemon.ask("GET", "/v1/store/copies").status / 100 == 4, "not on the games socket")
  }

  @Test("a backup to - is written to standard output, and refused together with --json")
  func standardOutput() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    guard TestStore.connection == nil else { return }
    #expect(try daemon.put("speed", 3.0).status == 201)
    let file = daemon.folder.path + "/piped.db"
    let shell = try ChildProcess(
      "/bin/sh", ["-c", "exec '\(Built.control)' store backup - --socket '\(daemon.adminSocket)' >'\(file)'"]
    ).waitForEnd()
    #expect(shell.status == 0 && shell.errors.contains("standard output: "), "\(shell)")
    #expect(try daemon.control("store", "restore", file, "--dry-run").output.contains("the backup is in force"))
    #expect(access(daemon.folder.path + "/-", F_OK) != 0)
    #expect(try daemon.control("store", "backup", "-", "--json").status == 2)
  }

  @Test("a restore is undone with the copy of the database that it made; a dry run shows the changes that would be lost")
  func wrongOne() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    #expect(try daemon.put("speed", 3.0).status == 201)
    let backup = daemon.folder.path + "/backup.db"
    #expect(try daemon.control("store", "backup", backup).status == 0)
    #expect(
      try daemon.control("store", "restore", backup, "--dry-run").output.contains("nothing that was changed here since would be lost"))
    for value in [3.5, 2.5] { #expect(try daemon.put("speed", .double(value)).status == 200) }
    #expect(try daemon.ask("PUT", "/v1/games/mine/players/p1/context", body: ["context": ["locale": "en"]]).status == 200)
    let output = try daemon.control("store", "restore", backup, "--dry-run").output
    #expect(output.contains("2 lines of the audit log and the latest of 1 player would be lost"), "\(output)")

    let restored = try daemon.control("store", "restore", backup, "--yes")
    #expect(try daemon.read("speed")["value"] == 3.0)
    let copies = try daemon.ask("GET", "/v1/store/copies", admin: true).json["copies"]?.listValue ?? []
    let name = try #require(copies.first?["name"]?.stringValue)
    #expect(restored.output.contains("gameconfctl store restore \(name)\n"), "\(restored)")
    let back = try daemon.control("store", "restore", name, "--yes")
    #expect(back.status == 0 && !back.output.contains("raised"), "\(back)")
    #expect(try daemon.read("speed")["value"] == 2.5)
    let lines = try daemon.control("audit", "list", "mine", "--limit", "1").output
    #expect(lines.contains("file \(name)"), "\(lines)")
    #expect(try daemon.ask("POST", "/v1/store/restore?copy=\(name)x", admin: true).code == "UNKNOWN_ID")
    #expect(try daemon.control("store", "restore", "nothing.db", "--yes").errors.contains("nothing.db"))
  }
}
