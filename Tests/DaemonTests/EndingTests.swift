// How the daemon ends, and what it asks of the service manager before it has begun.

import GameConfCore
import Glibc
import Testing

@Suite("Beginning and ending", .serialized)
struct EndingTests {
  @Test("told to end the moment it says that it is ready, it ends in order")
  func atOnce() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    for round in 0..<20 {
      daemon.process.signal(round % 2 == 0 ? SIGTERM : SIGINT)
      let ending = daemon.process.waitForEnd()
      #expect(ending.status == 0 && ending.errors.contains("stopped"), "\(ending)")
      try daemon.start()
    }
  }

  @Test("ended right after a write, it leaves a last-good.json that has the write")
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
    "before an older database is brought up to date, the service manager is asked for time; where that fails, games are served all the same"
  )
  func migration() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    _ = try daemon.put("lives", 7)
    daemon.stop()
    // The version the file says it is of stands at byte 60 of its beginning. What the next version adds is there already, so it fails.
    let path = daemon.folder.path + "/state/gameconfd.db"
    var bytes = try #require(TemporaryFolder.read(path))
    bytes.replaceSubrange(60..<64, with: [0, 0, 0, 1])
    try daemon.folder.write(bytes, to: "state/gameconfd.db")
    let manager = try NotifySocket(at: daemon.folder.path + "/notify.sock")
    let started = try ChildProcess(
      Built.daemon,
      [
        "--defaults", daemon.folder.path + "/games", "--runtime-dir", daemon.folder.path + "/run", "--state-dir",
        daemon.folder.path + "/state",
      ], environment: ["NOTIFY_SOCKET": manager.path])
    #expect(manager.next()?.hasPrefix("EXTEND_TIMEOUT_USEC=") == true)
    var message = manager.next()
    while let told = message, told.hasPrefix("EXTEND_TIMEOUT_USEC=") { message = manager.next() }
    #expect(message?.hasPrefix("READY=1") == true)
    #expect(try daemon.read("lives")["value"] == 7)
    #expect(try daemon.storeStatus()["state"] == "failing")
    started.signal(SIGTERM)
    #expect(started.waitForEnd().status == 0)
  }

  /// What stands for the service manager: a socket that takes its messages.
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

    /// The next message; nil when none comes.
    func next() -> String? {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
  }
}
