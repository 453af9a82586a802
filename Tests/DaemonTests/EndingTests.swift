// The daemon's stop, and its timeout extensions during a start.

import GameConfCore
import Glibc
import Testing

@testable import GameConfStorage

@Suite("Start and stop of the daemon", .serialized, .enabled(if: TestStore.connection == nil))
struct EndingTests {
  @Test("a daemon that is stopped at the moment when it is ready stops in order")
  func atOnce() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    for round in 0..<20 {
      daemon.process.signal(round % 2 == 0 ? SIGTERM : SIGINT)
      let ending = daemon.process.waitForEnd()
      #expect(ending.status == 0 && ending.errors.contains("stopped"), "\(ending)")
      try daemon.start()
    }
  }

  @Test("a daemon that is stopped right after a write has the write in last-good.json")
  func lastGood() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    for number: Int64 in 1...20 {
      let answer = try daemon.put("lives", .integer(number))
      let ending = daemon.stop()
      #expect(ending.status == 0, "\(ending.errors)")
      let state = try JSONReader.value(from: TemporaryFolder.read(daemon.folder.path + "/state/last-good.json") ?? [])
      #expect(state["overrides"]?.listValue?.compactMap { $0["value"] } == [.integer(number)])
      #expect(state["revisions"]?["mine"]?.integerValue == answer.revision)
      try daemon.start()
    }
  }

  @Test(
    "a migration extends the service manager's timeout, and games are served even if it fails",
    arguments: [false, true])
  func migration(fails: Bool) throws {
    let folder = try TemporaryFolder()
    mkdir(folder.path + "/state", 0o750)
    let tables = try #require(TemporaryFolder.read(Built.tree + "/Tests/Fixtures/database-1.sql"))
    try folder.write("", to: "state/gameconfd.db")
    let old = try SQLiteConnection(path: folder.path + "/state/gameconfd.db", for: .writing)
    try old.execute(String(decoding: tables, as: UTF8.self))
    old.close()
    // A folder at the path of the copy makes the migration's first step, the copy, fail.
    let copy = folder.path + "/state/gameconfd.db.before-version-\(StoreSchema.current.version)"
    if fails { mkdir(copy, 0o750) }
    let manager = try NotifySocket(at: folder.path + "/notify.sock")
    let started = try ChildProcess(
      Built.daemon,
      [
        "--defaults", Built.tree + "/Defaults", "--runtime-dir", folder.path + "/run", "--state-dir", folder.path + "/state",
      ], environment: ["NOTIFY_SOCKET": manager.path])
    #expect(manager.next()?.hasPrefix("EXTEND_TIMEOUT_USEC=") == true)
    var message = manager.next()
    while let notice = message, notice.hasPrefix("EXTEND_TIMEOUT_USEC=") { message = manager.next() }
    #expect(message?.hasPrefix("READY=1") == true)
    let value = try ChildProcess(
      Built.control, ["config", "get", "dartsscore", "dart_size"], environment: ["GAMECONF_SOCKET": folder.path + "/run/games.sock"]
    ).waitForEnd()
    #expect(value.output == (fails ? "30\n" : "37\n"), "\(value)")
    let status = try ChildProcess(
      Built.control, ["status", "--json"], environment: ["GAMECONF_ADMIN_SOCKET": folder.path + "/run/admin.sock"]
    ).waitForEnd()
    #expect(try JSONReader.value(from: status.output.utf8)["store"]?["state"] == (fails ? "failing" : "good"), "\(status)")
    started.signal(SIGTERM)
    #expect(started.waitForEnd().status == 0)
  }

  /// A socket in the role of the service manager, which receives its notifications.
  private final class NotifySocket {
    let path: String
    private let descriptor: Int32

    init(at path: String) throws {
      self.path = path
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
      let code = withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
      }
      guard code == 0 else { throw ChildProcess.Failure(description: "no socket at \(path)") }
      var limit = timeval(tv_sec: 30, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Returns the next message; nil if none comes.
    func next() -> String? {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
  }
}
