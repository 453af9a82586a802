// A database that may not be written, met by a daemon that is not root: which file it is, and that giving it back is enough.

import GameConfCore
import Glibc
import Testing

@Suite("A database that may not be written", .serialized)
struct ReadOnlyDatabaseTests {
  @Test("status names the file; given back its rights, it is written again without a restart, whatever rights lay beside it")
  func named() throws {
    let folder = try TemporaryFolder()
    guard let user = try OtherUser(uid: 65_531, in: folder) else { return }
    for name in ["run", "state"] {
      mkdir(folder.path + "/" + name, 0o755)
      chown(folder.path + "/" + name, user.uid, user.gid)
    }
    let daemon = try RunningDaemon(folder: folder, program: user.daemon)
    #expect(try daemon.control("config", "set", "wheresthedot", "arcade_time_limit_base", "3").status == 0)
    daemon.stop()
    let database = folder.path + "/state/gameconfd.db"
    chmod(database, 0o440)
    try daemon.start()
    let store = try daemon.storeStatus()
    #expect(store["state"] != "good" && store["detail"]?.stringValue?.contains(database) == true, "\(store)")
    #expect(try daemon.control("config", "set", "wheresthedot", "arcade_time_limit_base", "3.5").status == 7)
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/config/arcade_time_limit_base").json["value"] == 3.0)
    // As SQLite makes them beside a database that may not be written.
    for suffix in ["-wal", "-shm"] {
      let path = database + suffix
      if access(path, F_OK) != 0 { try folder.write("", to: "state/gameconfd.db" + suffix) }
      chown(path, user.uid, user.gid)
      chmod(path, 0o440)
    }
    chmod(database, 0o640)
    try daemon.restart()
    #expect(try daemon.storeStatus()["state"] == "good")
    #expect(try daemon.control("config", "set", "wheresthedot", "arcade_time_limit_base", "3.5").status == 0)
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/config/arcade_time_limit_base").json["value"] == 3.5)
  }
}
