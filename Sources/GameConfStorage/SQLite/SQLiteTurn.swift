// A turn over the database: it writes within a savepoint and notes what must be told and kept in memory.
import GRDB
import GameConfCore
import GameConfEngine

/// The writer's transaction, which the turns of a batch share one after the other.
final class SQLiteTurn: SQLiteView, StoreTurn {
  /// What a batch did beside its rows.
  struct Notes {
    var changes: [StoreChange] = []
    var puts: [KeyOverrides] = []
    var revisions: [(game: String, revision: Int64)] = []
    var slotRevisions: [(slot: OverrideSlot, revision: Int64)] = []
    var catalogDigests: [(game: String, digest: Int64)] = []
    var clocks: [(game: String, clock: SimulatedClock)] = []
    var playerRevisionMax: Int64 = 0
  }

  var notes = Notes()
  private var depth = 0

  func publish(_ change: StoreChange) { notes.changes.append(change) }

  /// Runs a part under a savepoint of its own; what it wrote and noted is undone when it throws.
  func attempt<Answer>(_ part: () throws -> Answer) throws -> Answer {
    let before = notes
    depth += 1
    defer { depth -= 1 }
    try run("SAVEPOINT part\(depth)")
    do {
      let answer = try part()
      try run("RELEASE part\(depth)")
      return answer
    } catch {
      notes = before
      if trouble == nil {
        try run("ROLLBACK TO part\(depth)")
        try run("RELEASE part\(depth)")
      }
      throw error
    }
  }
}
