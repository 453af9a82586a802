// Random histories on a real store: after any sequence of steps the served values equal the rows.
import GameConfCore
import Glibc
import TestSupport
import Testing

@testable import GameConfStorage

/// `GAMECONF_HISTORY_SEED=17 swift test --filter HistoryTests` runs only that history.
@Suite("Random histories")
struct HistoryTests {
  private static let given = getenv("GAMECONF_HISTORY_SEED").flatMap { UInt64(String(cString: $0)) }

  private func run(_ seeds: ClosedRange<UInt64>, steps: Int, hosts: Int, on settings: () throws -> PostgresSettings?) async throws {
    let began = ContinuousClock.now
    var (count, compared) = (0, 0)
    var members: Set<String> = []
    for seed in Self.given.map({ $0...$0 }) ?? seeds {
      var generator = HistoryGenerator(seed: seed, hosts: hosts)
      let history = try await History(hosts: hosts, on: settings())
      do { try await history.run(generator.history(steps: steps)) } catch {
        Issue.record("GAMECONF_HISTORY_SEED=\(seed) replays it: \(error)")
        history.close()
        return
      }
      history.close()
      (count, compared) = (count + 1, compared + history.compared)
      members.formUnion(history.members)
    }
    let seconds = Double((ContinuousClock.now - began) / .milliseconds(1)) / 1_000
    print("histories: \(count) of \(steps) steps on \(hosts) host(s), \(compared) comparisons, \(Double(count) / seconds) a second")
    if Self.given == nil {
      let unchanged = StoredState.members.subtracting(members)
      #expect(unchanged == Set(HistoryWorld.incomparable.keys), "no history changed the member: add a HistoryStep, or more seeds")
    }
  }

  @Test("after every step of a random history on SQLite the served values equal the rows, also after a restart and a restore")
  func onSQLite() async throws {
    // Up to the last seed there are steps of every kind but large imports, which are rare.
    try await run(TestLength.seeds(6, long: 2_000), steps: 40, hosts: 1) { nil }
  }

  @Test(
    "two hosts on PostgreSQL agree with each other, with the rows and with a newly started host, for any changes between two polls",
    .enabled(if: StoreKind.postgresConnection != nil))
  func onPostgres() async throws {
    try await run(TestLength.seeds(4, long: 300), steps: 40, hosts: 2) {
      var settings = try PostgresSettings.fresh()
      // A host polls for changes on request and twice a second, instead of listening for notifications, so that a seed is reproducible.
      settings.listens = false
      return settings
    }
  }
}
