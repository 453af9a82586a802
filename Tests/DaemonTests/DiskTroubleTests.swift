// A failing disk under a running daemon: nothing acknowledged is lost, nothing valid is moved aside, and service recovers without a restart.

import GameConfCore
import Glibc
import TestSupport
import Testing

/// Makes file operations fail with EIO in a folder, while a file with the operation's name exists in another.
final class FailingDisk {
  let environment: [String: String]
  private let folder: TemporaryFolder

  /// Compiles the library; nil without a compiler.
  init?(under folder: TemporaryFolder) throws {
    guard let library = try DiskLibrary.make(in: folder) else { return nil }
    self.folder = folder
    mkdir(folder.path + "/faults", 0o755)
    environment = [
      "LD_PRELOAD": library, "GAMECONF_DISK_FAULTS": folder.path + "/faults", "GAMECONF_DISK_UNDER": folder.path + "/state/",
    ]
  }

  /// - Parameter call: `read`, `write` or `sync`.
  func fail(_ call: String) throws { try folder.write("", to: "faults/" + call) }

  func heal() { for name in TemporaryFolder.names(in: folder.path + "/faults") { unlink(folder.path + "/faults/" + name) } }
}

@Suite("A disk that returns errors", .serialized)
struct DiskTroubleTests {
  /// The number of events that are sent while the disk fails.
  private static let events = TestLength.count(100, long: 10_000)

  /// A player with a count of the acknowledged events.
  private final class CountingPlayer {
    let daemon: RunningDaemon
    private(set) var sent = 0
    private var open: [Int] = []
    private var player: TestPlayer { TestPlayer(daemon: daemon) }

    init(_ daemon: RunningDaemon) { self.daemon = daemon }

    /// Sends the next event, whose id is its number.
    @discardableResult
    func send() throws -> Int {
      sent += 1
      let status = try player.event(score: 1, id: "e\(sent)").status
      if status != 200 { open.append(sent) }
      return status
    }

    /// Sends the events that were not acknowledged again.
    func settle() throws {
      for number in open { #expect(try player.event(score: 1, id: "e\(number)").status == 200) }
      open = []
    }

    var counted: Int64? {
      get throws { try player.page()["scores"]?["lifetime_score"]?.integerValue }
    }
  }

  private func isGood(_ daemon: RunningDaemon) throws -> Bool {
    try daemon.ask("GET", "/v1/status", admin: true).json["store"]?["state"] == "good"
  }

  private func expectWhole(_ daemon: RunningDaemon, _ counting: CountingPlayer) throws {
    #expect(try daemon.waits { try isGood(daemon) }, "it is itself again without a write and without a restart")
    try counting.settle()
    #expect(try counting.counted == Int64(counting.sent))
    #expect(TemporaryFolder.names(in: daemon.folder.path + "/state").allSatisfy { !$0.contains("damaged") })
    try daemon.restart(killing: true)
    #expect(try counting.counted == Int64(counting.sent))
    #expect(try daemon.read("arcade_time_limit_base", game: "wheresthedot")["value"] != nil)
  }

  @Test(
    "while reads, writes or syncs fail, acknowledged events stay stored, and unacknowledged ones succeed when sent again",
    arguments: ["read", "write", "sync"])
  func passing(call: String) throws {
    let folder = try TemporaryFolder()
    guard let disk = try FailingDisk(under: folder) else { return }
    let daemon = try RunningDaemon(folder: folder, environment: disk.environment)
    let counting = CountingPlayer(daemon)
    for _ in 0..<20 { #expect(try counting.send() == 200) }
    try disk.fail(call)
    var refused = 0
    for _ in 0..<Self.events {
      let status = try counting.send()
      // Requests other players, whose data must be read from the disk.
      _ = try daemon.ask("GET", "/v1/games/wheresthedot/players/other\(counting.sent)")
      #expect(status == 200 || status == 503, "\(status)")
      if status == 503 { refused += 1 }
    }
    disk.heal()
    if call != "read" { #expect(refused > 0) }
    try expectWhole(daemon, counting)
  }

  @Test("a daemon that cannot read its database at the start serves the games, and uses the database when it is readable")
  func atStart() throws {
    let folder = try TemporaryFolder()
    guard let disk = try FailingDisk(under: folder) else { return }
    let daemon = try RunningDaemon(folder: folder, environment: disk.environment)
    let counting = CountingPlayer(daemon)
    for _ in 0..<20 { #expect(try counting.send() == 200) }
    #expect(try daemon.put("arcade_time_limit_base", 2.0, game: "wheresthedot").status == 201)
    daemon.stop()
    try disk.fail("read")
    try daemon.start()
    #expect(try !isGood(daemon))
    #expect(try counting.send() == 503)
    #expect(try daemon.read("arcade_time_limit_base", game: "wheresthedot")["value"] == 2.0)
    let status = try daemon.ask("GET", "/v1/status", admin: true).json["store"]
    #expect(status?["detail"]?.stringValue?.contains("restore") == false, "\(status.debugDescription)")
    disk.heal()
    try expectWhole(daemon, counting)
  }

  @Test("a state directory that is renamed away and back loses nothing, and the daemon recovers by itself")
  func folderAway() throws {
    let daemon = try RunningDaemon()
    let counting = CountingPlayer(daemon)
    for _ in 0..<20 { #expect(try counting.send() == 200) }
    let (state, away) = (daemon.folder.path + "/state", daemon.folder.path + "/away")
    rename(state, away)
    #expect(try daemon.waits { try counting.send() == 503 })
    #expect(try daemon.waits { try !isGood(daemon) })
    let status = try daemon.ask("GET", "/v1/status", admin: true).json["store"]
    #expect(status?["detail"]?.stringValue?.contains("restore") == false, "\(status.debugDescription)")
    rename(away, state)
    try expectWhole(daemon, counting)
  }
}
