// The announcements of a host that changes games again and again.
import GameConfCore
import Synchronization
import TestSupport
import Testing

@testable import GameConfStorage

extension FleetTests {
  @Test("a host announces a lone change at once, many changes at most five times a second, and the last one by itself")
  func announcements() async throws {
    let now = Mutex(ContinuousClock.now)
    var times = StoreTiming.tests
    times.now = { now.withLock { $0 } }
    let folder = try TemporaryFolder()
    let lastGood = LastGoodFile(in: try StateDirectory(path: folder.path + "/state"))
    let store = PostgresStore(settings, writer: "one", lastGood: lastGood, times: times, now: { Instant(seconds: 1_000) })
    defer { store.close() }
    let listener = try PostgresConnection(settings, for: .following)
    defer { listener.close() }
    let fleet = try listener.round([
      PostgresCommand("LISTEN \(PostgresSession.channel)"), PostgresCommand("SELECT id FROM fleet WHERE one = 1"),
    ])[1].rows.first.map(Row.init)?.optionalText(0)
    // Other tests announce the changes of their fleets on the same channel.
    func received() throws -> Int {
      _ = try listener.round([PostgresCommand("SELECT 1")])
      return try listener.announcements().count { $0 == fleet }
    }
    func change(_ count: Int) async throws {
      for _ in 0..<count {
        try await store.write(WriteMode(scope: .game("g")), refusing: StoreError.self) { _ = try $0.nextRevision(of: "g") }
      }
      // The writer announces after its answer, and runs this after that.
      try await store.command { _ in }
    }
    try await change(5)
    #expect(try received() == 1)
    try await change(5)
    #expect(try received() == 0)
    now.withLock { $0 += .milliseconds(200) }
    var count = 0
    while count == 0 {
      await Task.yield()
      count = try received()
    }
    try await change(0)
    #expect(try count + received() == 1)
    now.withLock { $0 += .milliseconds(200) }
    try await change(1)
    #expect(try received() == 1)
  }
}
