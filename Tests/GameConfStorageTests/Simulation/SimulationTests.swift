// Simulations of the store: random histories on random schedules, each of which its seed reproduces.
import Glibc
import TestSupport
import Testing

@testable import GameConfStorage

/// `GAMECONF_SIMULATION_SEED=17 swift test --filter SimulationTests` runs only that simulation.
@Suite("Simulations of the store")
struct SimulationTests {
  private static let given = getenv("GAMECONF_SIMULATION_SEED").flatMap { UInt64(String(cString: $0)) }
  private static let steps = 60
  private static let longLasts = Duration.seconds(3_600)

  /// The remaining seeds, and the summed statistics of the completed ones.
  private struct Progress {
    var next: UInt64
    /// The seed after the last one; nil if the time is the limit.
    var end: UInt64?
    var total = SimulationCounts()
    var hasFailed = false
  }

  private static func simulate(_ seed: UInt64) async throws -> (counts: SimulationCounts, digest: UInt64) {
    try await Simulation.run(seed: seed) { simulation in
      let history = try await SimulatedHistory(seed: seed, in: simulation)
      try await history.run(steps: steps)
      return (history.counts, simulation.digest)
    }
  }

  @Test("with any concurrency, fault or crash, acknowledged changes are stored once, and no change is seen before it is stored")
  func histories() async throws {
    let began = ContinuousClock.now
    let first = Self.given ?? (TestLength.isLong ? UInt64(time(nil)) : 1)
    let end = Self.given.map { $0 + 1 } ?? (TestLength.isLong ? nil : first + 3)
    let progress = Monitor(Progress(next: first, end: end))
    await withTaskGroup { group in
      for _ in 0..<(TestLength.isLong ? sysconf(Int32(_SC_NPROCESSORS_ONLN)) : 1) {
        group.addTask {
          while let seed = progress.change({ progress -> UInt64? in
            if progress.hasFailed || progress.next == progress.end { return nil }
            if progress.end == nil, began.duration(to: .now) > Self.longLasts { return nil }
            defer { progress.next += 1 }
            return progress.next
          }) {
            do {
              let counts = try await Self.simulate(seed).counts
              progress.change { $0.total += counts }
            } catch {
              progress.change { $0.hasFailed = true }
              Issue.record("GAMECONF_SIMULATION_SEED=\(seed) replays it at commit \(Self.commit): \(error)")
            }
          }
        }
      }
    }
    print("simulation: \(progress.change { $0.total })")
  }

  @Test("a restore waits until no read is active, and later reads see the restored database", arguments: TestLength.seeds(14, long: 600))
  func restores(seed: UInt64) async throws {
    try await Simulation.run(seed: seed) { simulation in
      try await SimulatedHistory(seed: seed, in: simulation).runRestores(3)
    }
  }

  @Test("two simulations with the same seed have the same schedule")
  func replays() async throws {
    let (first, second) = (try await Self.simulate(4), try await Self.simulate(4))
    #expect(first.digest == second.digest)
    #expect(first.counts.handOvers == second.counts.handOvers)
  }

  /// The commit of the tests' sources.
  private static var commit: String {
    guard let pipe = popen("git -C \"$(dirname '\(#filePath)')\" rev-parse HEAD", "r") else { return "unknown" }
    defer { pclose(pipe) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, Int32(line.count), pipe) != nil else { return "unknown" }
    return String(decoding: line.prefix { $0 > 32 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
