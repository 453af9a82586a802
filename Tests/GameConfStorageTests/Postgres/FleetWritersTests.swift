// The additional writers of a host: each of their writes is counted once, even if their connections end.
import GameConfCore
import Synchronization
import Testing

@testable import GameConfStorage

/// The number of acknowledged visits of each player, and of those with an unknown outcome.
private final class VisitCounts: Sendable {
  private let counts = Mutex<[PlayerID: ClosedRange<Int64>]>([:])

  func add(_ acknowledged: Int64, _ possible: Int64, to player: PlayerID) {
    counts.withLock {
      let before = $0[player] ?? 0...0
      $0[player] = before.lowerBound + acknowledged...before.upperBound + possible
    }
  }

  subscript(_ player: PlayerID) -> ClosedRange<Int64> { counts.withLock { $0[player] ?? 0...0 } }
}

extension FleetTests {
  /// Returns the row counts of the batches of a host's additional writers.
  private func batchesBeside() throws -> [Int64] {
    let admin = try PostgresConnection(settings, for: .reading)
    defer { admin.close() }
    let rows = try admin.round([PostgresCommand("SELECT batch FROM writers WHERE name LIKE 'one +%' ORDER BY name")])
    return rows.flatMap { rows in (0..<rows.rowsCount).compactMap { rows.integer($0, 0) } }
  }

  @Test(
    "when one writer is the bottleneck, additional writers write players, and each write counts once even if connections end",
    .timeLimit(.minutes(15)))
  func beside() async throws {
    let host = try FleetHost(settings, "one")
    let players = (0..<40).map { PlayerID(game: "g", player: "p\($0)") }
    let counts = VisitCounts()
    var (rounds, refusals) = (0, Int64(0))
    repeat {
      refusals = try await withThrowingTaskGroup(of: Int64.self) { group in
        for player in players {
          for _ in 0..<5 {
            group.addTask {
              do throws(StoreError) {
                try await host.visit(player, readsPlayers: true)
                counts.add(1, 1, to: player)
              } catch {
                // A write that finds its connection ended is refused, and is repeated later.
                switch error {
                case .unavailable: break
                case .unknown: counts.add(0, 1, to: player)
                default: throw error
                }
                return 1
              }
              return 0
            }
          }
        }
        return try await group.reduce(0, +)
      }
      rounds += 1
      if rounds == 2 { try breakConnections() }
    } while try rounds < 3 || refusals > 0 || batchesBeside().allSatisfy { $0 == 0 }
    for player in players {
      var read: StoredPlayer?
      // A reader notices by a read that its connection was ended.
      while read == nil { read = try? await host.store.read(deadlineMilliseconds: 60_000) { try $0.player(player) } }
      let (stored, counted) = (try #require(read), counts[player])
      let visits = Int64(stored.state?.visits.count ?? 0)
      #expect(counted.contains(visits) && stored.revision == visits && counted.lowerBound >= 10, "\(player.player)")
    }
  }

  @Test(
    "while several writers run, a transaction about players that changes a game is refused, and the served state equals the stored one",
    .timeLimit(.minutes(15)))
  func reachBeside() async throws {
    let (host, other) = (try FleetHost(settings, "one"), try FleetHost(settings, "two"))
    try await host.force("k", 1)
    repeat {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          let id = PlayerID(game: "g", player: "p\(number)")
          group.addTask { try? await host.visit(id) }
          if number % 20 > 0 { continue }
          group.addTask {
            await #expect(throws: StoreError.failed("a transaction about players changed the game g")) {
              try await host.store.write(WriteMode(scope: .players([id])), refusing: StoreError.self) { try $0.nextRevision(of: "g") }
            }
          }
        }
      }
    } while try batchesBeside().allSatisfy { $0 == 0 }
    let stored = try await host.store.read { try $0.revisions() }
    #expect(stored == ["g": 1])
    #expect(try await host.store.contents().state.revisions == stored)
    // The other host reads the change when its listener has a connection, which another test may have taken from it.
    while try await other.store.contents().state.revisions.isEmpty { await Task.yield() }
    #expect(try await other.store.contents().state.revisions == stored)
  }

  @Test("when the database has lost a batch of an additional writer, all revisions are raised above that batch", .timeLimit(.minutes(15)))
  func lostBeside() async throws {
    let host = try FleetHost(settings, "one")
    let epoch = try await host.store.contents().state.epoch
    func visits() async throws {
      // The connections end meanwhile, so some writes get an unknown outcome.
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<200 { group.addTask { try? await host.visit(PlayerID(game: "g", player: "p\(number)")) } }
      }
    }
    try await host.force("k", 1)
    repeat { try await visits() } while try batchesBeside().allSatisfy { $0 == 0 }
    let admin = try PostgresConnection(settings, for: .reading)
    _ = try admin.round([PostgresCommand("UPDATE writers SET batch = 0 WHERE name LIKE 'one +%'")])
    admin.close()
    try breakConnections()
    while try await host.store.contents().state.epoch == epoch { try await visits() }
    #expect(try await host.force("k", 2) > StoreLimits.revisionGapAfterLoss)
  }
}
