// The readers of a simulated store and its publications: a change is seen only while it is durable.
import GameConfCore
import GameConfEngine

@testable import GameConfStorage

/// The readers and the published states of one round of concurrent steps.
///
/// Unchecked: only the running thread of the simulation accesses it.
final class SimulatedAudience: @unchecked Sendable {
  /// The most hand-overs to other threads within a read, which leave enough time for a commit.
  private static let handOversMax = 60

  private let simulation: Simulation
  private var faults: [String] = []
  /// The overrides of all states that were committed in the round, by the game's revision.
  private var states: [Int64: [KeyOverrides]] = [:]
  private var reads: [(revision: Int64, overrides: [KeyOverrides])] = []
  private var isOver = true

  init(_ simulation: Simulation) { self.simulation = simulation }

  func begin(_ run: HistoryRun) {
    (faults, reads, states, isOver) = ([], [], [:], false)
    guard case .sqlite(let store) = run.opened else { return }
    note(store.shared.served)
  }

  /// Ends the audience because the daemon has crashed: later publications are not seen.
  func end() {
    isOver = true
    // Reads of a commit that was not published before the crash are dropped.
    reads.removeAll { [newest = states.keys.max() ?? 0] in $0.revision > newest }
  }

  /// Returns a publication that is complete when it returns, and checks that the rows contain the published state.
  func publication(_ publication: @escaping Publication, _ opened: HistoryStore, _ live: LiveWorld) -> Publication {
    { [self] batch in
      if let rest = publication(batch) { simulation.finish(rest) }
      guard !isOver, case .sqlite(let store) = opened else { return nil }
      let served = store.shared.served
      note(served)
      simulation.note(UInt64(bitPattern: served.revisions["g"] ?? 0))
      let shown = live.present.world["g"]?.revision
      do {
        let stored = try Simulation.aside {
          let connection = try SQLiteConnection(path: store.file.path, for: .reading)
          defer { connection.close() }
          return try ReadTransaction(connection, floors: ReadTransaction.RevisionFloors()).revisions()["g"]
        }
        if let shown, shown > stored ?? 0 { faults.append("revision \(shown) is shown, and the rows say \(stored ?? 0)") }
        if let stored, stored != served.revisions["g"], store.health.condition == .good {
          faults.append("revision \(served.revisions["g"] ?? 0) is served, and the rows say \(stored)")
        }
      } catch { faults.append("the rows cannot be read at a publication: \(error)") }
      return nil
    }
  }

  private func note(_ served: StoredState) { states[served.revisions["g"] ?? 0] = Self.sorted(Array(served.allOverrides)) }

  /// Reads the game's overrides, which must include every state that was published before.
  func read(_ run: HistoryRun, toleratesTrouble: Bool) async throws {
    let least = run.live.present.world["g"]?.revision ?? 0
    do throws(StoreError) {
      let read = try await run.store.read { [simulation] view in
        let revision = try view.revisions()["g"] ?? 0
        for _ in 0..<simulation.draw(0..<Self.handOversMax) { simulation.handOver() }
        return (revision, try view.overrides(in: "g", OverrideSelection(.all)))
      }
      if isOver { return }
      if read.0 < least { faults.append("a read begun at revision \(least) found revision \(read.0)") }
      reads.append((read.0, Self.sorted(read.1)))
    } catch { if !toleratesTrouble { faults.append("a read says \(error)") } }
  }

  /// Checks everything that was seen in the round.
  func check() throws {
    for read in reads {
      guard let state = states[read.revision] else {
        faults.append("a read found revision \(read.revision), which was never committed; those were \(states.keys.sorted())")
        continue
      }
      if state != read.overrides { faults.append("a read at revision \(read.revision) found overrides of another") }
    }
    if let first = faults.first { throw HistoryFault(description: first) }
  }

  private static func sorted(_ overrides: [KeyOverrides]) -> [KeyOverrides] {
    overrides.filter { !$0.records.isEmpty }.sorted { $0.slot < $1.slot }
  }
}
