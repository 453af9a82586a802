// Each call on the disk fails once, or from then on for a while: nothing acknowledged is lost or doubled, and service recovers without a restart.

import GameConfCore
import Glibc
import TestSupport
import Testing

/// Which calls on a disk fail, as Tests/Fixtures/Disk/disk.c reads it while the program runs.
final class DiskPlan {
  enum Call: Int32, CaseIterable {
    case read = 1, write, sync, resize, open, rename, remove
  }

  /// With what a call fails; half of the bytes are written where the number is 0.
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

  init(_ folder: TemporaryFolder, library: String) throws {
    let path = folder.path + "/plan"
    try folder.write([UInt8](repeating: 0, count: Self.bytes), to: "plan")
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    let mapped = mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let mapped, mapped != MAP_FAILED else { throw ChildProcess.Failure(description: "cannot map \(path)") }
    numbers = mapped.bindMemory(to: Int32.self, capacity: 5)
    environment = ["LD_PRELOAD": library, "GAMECONF_DISK_PLAN": path, "GAMECONF_DISK_UNDER": folder.path + "/state/"]
  }

  deinit { munmap(numbers, Self.bytes) }

  /// Lets that many calls pass, and so many after them fail.
  func fail(_ call: Call, after passing: Int, count: Int, with failure: Failure) {
    heal()
    (numbers[1], numbers[2], numbers[3], numbers[4]) = (Int32(passing), Int32(count), failure.rawValue, 0)
    numbers[0] = call.rawValue
  }

  func heal() { numbers[0] = 0 }

  /// How many calls have failed.
  var failed: Int { Int(numbers[4]) }
}

@Suite("A disk that fails at each call", .enabled(if: TestStore.connection == nil))
struct DiskFaultTests {
  /// After how many calls of each kind one fails.
  private static let places = TestLength.count(2, long: 40)

  @Test(
    "whichever call fails, and however: what was acknowledged is there once, what was not is done when it is sent again",
    arguments: [1, 100])
  func eachCall(count: Int) throws {
    let folder = try TemporaryFolder()
    guard let library = try DiskLibrary.make(in: folder) else { return }
    let plan = try DiskPlan(folder, library: library)
    let daemon = try RunningDaemon(folder: folder, environment: plan.environment)
    let player = AskedPlayer(daemon: daemon)
    var (sent, refused, failed) = (0, 0, 0)
    for call in DiskPlan.Call.allCases {
      for failure in DiskPlan.Failure.allCases where failure != .half || call == .write {
        for place in 0..<Self.places {
          var open: [Int] = []
          plan.fail(call, after: place, count: count, with: failure)
          for _ in 0..<3 {
            sent += 1
            let status = try player.event(score: 1, id: "e\(sent)").status
            #expect([200, 503, 507].contains(status), "\(call) \(failure) \(place): \(status)")
            if status != 200 { open.append(sent) }
          }
          // Writes last-good.json too.
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
      }
    }
    #expect(try daemon.waits(seconds: 60) { try daemon.storeStatus()["state"] == "good" })
    #expect(TemporaryFolder.names(in: folder.path + "/state").allSatisfy { !$0.contains("damaged") })
    try daemon.restart(killing: true)
    #expect(try player.page()["scores"]?["lifetime_score"] == .integer(Int64(sent)))
    print("disk faults: \(failed) calls failed, \(refused) of \(sent) events were refused first")
    #expect(failed > 0 && refused > 0)
  }
}
