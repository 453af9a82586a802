// Every file operation fails once, or repeatedly: nothing acknowledged is lost or doubled, and service recovers without a restart.

import GameConfCore
import Glibc
import TestSupport
import Testing

/// The file operations that fail. Tests/Fixtures/Disk/disk.c reads this plan while the program runs.
final class DiskPlan {
  enum DiskOperation: Int32, CaseIterable {
    case read = 1, write, sync, resize, open, rename, remove
    /// A write beyond the end of a file. A write within it succeeds, as on a full disk.
    case grow
  }

  /// The error of an operation. For 0, half of the bytes are written.
  enum Failure: Int32, CaseIterable {
    case half = 0
    case interrupted = 4
    case failed = 5
    case noSpace = 28
    case readOnly = 30
  }

  let environment: [String: String]
  private let numbers: UnsafeMutablePointer<Int32>
  private static let bytes = 5 * MemoryLayout<Int32>.stride

  /// - Parameter under: The path prefix of the files whose operations fail.
  init(_ folder: TemporaryFolder, library: String, under: String = "/state/") throws {
    let path = folder.path + "/plan"
    try folder.write([UInt8](repeating: 0, count: Self.bytes), to: "plan")
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    let mapped = mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let mapped, mapped != MAP_FAILED else { throw ChildProcess.Failure(description: "cannot map \(path)") }
    numbers = mapped.bindMemory(to: Int32.self, capacity: 5)
    environment = ["LD_PRELOAD": DiskLibrary.preloaded(library), "GAMECONF_DISK_PLAN": path, "GAMECONF_DISK_UNDER": folder.path + under]
  }

  deinit { munmap(numbers, Self.bytes) }

  /// Lets `passing` operations succeed, then `count` fail.
  func fail(_ call: DiskOperation, after passing: Int, count: Int, with failure: Failure) {
    heal()
    (numbers[1], numbers[2], numbers[3], numbers[4]) = (Int32(passing), Int32(count), failure.rawValue, 0)
    numbers[0] = call.rawValue
  }

  func heal() { numbers[0] = 0 }

  /// The number of operations that have failed.
  var failed: Int { Int(numbers[4]) }
}

@Suite("A disk that fails at each call", .enabled(if: TestStore.connection == nil))
struct DiskFaultTests {
  /// The number of different positions at which an operation of each kind fails.
  private static let places = TestLength.count(2, long: 40)

  @Test(
    "if any file operation fails, acknowledged changes are stored once, and unacknowledged ones succeed when sent again",
    arguments: [1, 100])
  func eachCall(count: Int) throws {
    let folder = try TemporaryFolder()
    guard let library = try DiskLibrary.make(in: folder) else { return }
    let plan = try DiskPlan(folder, library: library)
    let daemon = try RunningDaemon(folder: folder, environment: plan.environment)
    let player = TestPlayer(daemon: daemon)
    var (sent, refused, failed) = (0, 0, 0)
    for call in DiskPlan.DiskOperation.allCases {
      for failure in DiskPlan.Failure.allCases where failure != .half || call == .write {
        let before = (refused, failed)
        for place in 0..<Self.places {
          var open: [Int] = []
          plan.fail(call, after: place, count: count, with: failure)
          for _ in 0..<3 {
            sent += 1
            let status = try player.event(score: 1, id: "e\(sent)").status
            #expect([200, 503, 507].contains(status), "\(call) \(failure) \(place): \(status)")
            if status != 200 { open.append(sent) }
          }
          // A change that also writes last-good.json.
          let status = try daemon.put("arcade_time_limit_base", .double(2 + Double(sent % 9) / 2), game: "wheresthedot").status
          #expect([200, 201, 503, 507].contains(status), "\(call) \(failure) \(place): \(status)")
          failed += plan.failed
          plan.heal()
          refused += open.count
          for number in open {
            #expect(
              try daemon.waits(seconds: 60) { try player.event(score: 1, id: "e\(number)").status == 200 }, "\(call) \(failure) \(place)")
          }
          #expect(try player.page()["scores"]?["lifetime_score"] == .integer(Int64(sent)), "\(call) \(failure) \(place)")
        }
        let counts = "\(failed - before.1) calls failed, \(refused - before.0) events were refused first"
        print("disk faults: \(call) \(failure), \(count) in a row, after 0 to \(Self.places - 1) calls: \(counts)")
      }
    }
    #expect(try daemon.waits(seconds: 60) { try daemon.storeStatus()["state"] == "good" })
    #expect(TemporaryFolder.names(in: folder.path + "/state").allSatisfy { !$0.contains("damaged") })
    try daemon.restart(killing: true)
    #expect(try player.page()["scores"]?["lifetime_score"] == .integer(Int64(sent)))
    print("disk faults: \(failed) calls failed, \(refused) of \(sent) events were refused first")
    #expect(failed > 0 && refused > 0)
  }

  /// Returns the conditions that status may report after a failure. A failed sync does not predict the next operation.
  private static func states(_ call: DiskPlan.DiskOperation, _ failure: DiskPlan.Failure) -> [Value] {
    switch failure {
    case _ where call == .sync: ["no_space", "read_only", "failing"]
    case .noSpace: ["no_space"]
    case .readOnly: ["read_only", "failing"]
    case .half, .interrupted, .failed: ["failing"]
    }
  }

  @Test(
    "status and health report a failing disk, and its recovery without a restart or a write",
    arguments: [DiskPlan.DiskOperation.write, .sync, .grow], [DiskPlan.Failure.failed, .noSpace, .readOnly])
  func truthful(call: DiskPlan.DiskOperation, failure: DiskPlan.Failure) throws {
    let folder = try TemporaryFolder()
    guard let library = try DiskLibrary.make(in: folder) else { return }
    let plan = try DiskPlan(folder, library: library)
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog], folder: folder, environment: plan.environment)
    #expect(try daemon.put("speed", 3.0).status == 201)
    plan.fail(call, after: 0, count: Int(Int32.max), with: failure)
    var sent = 0
    // A checkpointed write-ahead log is overwritten from its start, so some writes succeed without growing a file.
    let isRefused = try daemon.waits {
      sent += 1
      return try daemon.put("lives", .integer(Int64(sent % 9 + 1))).status / 100 != 2
    }
    #expect(isRefused && plan.failed > 0)
    let refused = try daemon.put("lives", 9)
    #expect(call == .sync ? [503, 507].contains(refused.status) : refused.status == (failure == .noSpace ? 507 : 503), "\(refused.text)")
    let status = try daemon.storeStatus()
    #expect(Self.states(call, failure).contains(status["state"] ?? .null) && status["detail"]?.stringValue?.isEmpty == false, "\(status)")
    #expect(status["since"] != nil)
    #expect(try daemon.control("health").status == 7)
    #expect(try daemon.read("speed")["value"] == 3.0, "reads go on")
    plan.heal()
    #expect(try daemon.waits(seconds: 60) { try daemon.storeStatus()["state"] == "good" })
    #expect(try daemon.waits(seconds: 60) { try daemon.control("health").status == 0 })
    #expect(try daemon.put("lives", 7).status / 100 == 2)
    try daemon.restart(killing: true)
    #expect(try daemon.read("lives")["value"] == 7 && daemon.read("speed")["value"] == 3.0)
  }

  @Test("a full disk refuses writes that grow the database, loses nothing, and accepts writes when there is space", arguments: [1, 40])
  func full(passing: Int) throws {
    let folder = try TemporaryFolder()
    guard let library = try DiskLibrary.make(in: folder) else { return }
    let plan = try DiskPlan(folder, library: library)
    let daemon = try RunningDaemon(folder: folder, environment: plan.environment)
    var (refused, sent): ([Int], Int) = ([], 0)
    func send(_ number: Int) throws -> Int {
      try TestPlayer(daemon: daemon, player: "p\(number)").event(score: 1, id: "e\(number)").status
    }
    plan.fail(.grow, after: passing, count: Int(Int32.max), with: .noSpace)
    while refused.count < 20, sent < 2_000 {
      sent += 1
      let status = try send(sent)
      #expect([200, 507].contains(status), "\(status)")
      if status != 200 { refused.append(sent) }
    }
    #expect(refused.count == 20)
    #expect(try daemon.storeStatus()["state"] == "no_space")
    for number in 1...sent where !refused.contains(number) {
      #expect(try TestPlayer(daemon: daemon, player: "p\(number)").page()["scores"]?["lifetime_score"] == 1)
    }
    plan.heal()
    #expect(try daemon.waits(seconds: 60) { try daemon.storeStatus()["state"] == "good" })
    for number in refused { #expect(try send(number) == 200) }
    try daemon.restart(killing: true)
    for number in 1...sent { #expect(try TestPlayer(daemon: daemon, player: "p\(number)").page()["scores"]?["lifetime_score"] == 1) }
  }

  @Test(
    "while last-good.json cannot be written, status reports it and writes are accepted", arguments: [DiskPlan.DiskOperation.open, .rename])
  func lastGood(call: DiskPlan.DiskOperation) throws {
    let folder = try TemporaryFolder()
    guard let library = try DiskLibrary.make(in: folder) else { return }
    // A reader that opens the database meanwhile must not fail, so only last-good.json does.
    let plan = try DiskPlan(folder, library: library, under: "/state/last-good.json")
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog], folder: folder, environment: plan.environment)
    plan.fail(call, after: 0, count: Int(Int32.max), with: .failed)
    #expect(try daemon.put("speed", 3.0).status == 201)
    #expect(try daemon.waits(seconds: 60) { try daemon.storeStatus()["detail"]?.stringValue?.contains("last-good.json") == true })
    #expect(try daemon.put("speed", 3.5).status == 200)
    plan.heal()
    #expect(try daemon.waits(seconds: 60) { try daemon.storeStatus()["detail"]?.stringValue?.contains("last-good.json") != true })
    let written = daemon.waits(seconds: 60) {
      String(decoding: TemporaryFolder.read(folder.path + "/state/last-good.json") ?? [], as: UTF8.self).contains("3.5")
    }
    #expect(written)
  }
}
