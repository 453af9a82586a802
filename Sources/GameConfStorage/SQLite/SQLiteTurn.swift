// A turn over the database: it writes within a savepoint and notes what must be told and kept in memory.
import GameConfCore
import GameConfEngine
import Synchronization

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
    var templates: [(game: String, activation: TemplateActivation, kept: Value?)] = []
    var forgotten: [PlayerID] = []
    var playerRevisionMax: Int64 = 0
    /// Whether lines of the audit log were written packed.
    var hasPacked = false

    private static let putsOfLargeMin = 1_000

    /// Whether a large change is among it.
    var isLarge: Bool { puts.count > Self.putsOfLargeMin }

    /// How far they have come, for going back there.
    var mark: Mark {
      Mark(
        changes: changes.count, puts: puts.count, revisions: revisions.count, slotRevisions: slotRevisions.count,
        catalogDigests: catalogDigests.count, clocks: clocks.count, templates: templates.count, forgotten: forgotten.count,
        playerRevisionMax: playerRevisionMax)
    }

    /// Forgets what was noted since. Copying the notes for each turn would cost more the longer the batch.
    mutating func goBack(to mark: Mark) {
      changes.removeSubrange(mark.changes...)
      puts.removeSubrange(mark.puts...)
      revisions.removeSubrange(mark.revisions...)
      slotRevisions.removeSubrange(mark.slotRevisions...)
      catalogDigests.removeSubrange(mark.catalogDigests...)
      clocks.removeSubrange(mark.clocks...)
      templates.removeSubrange(mark.templates...)
      forgotten.removeSubrange(mark.forgotten...)
      playerRevisionMax = mark.playerRevisionMax
    }
  }

  /// A place in the notes.
  struct Mark: Equatable {
    var changes, puts, revisions, slotRevisions, catalogDigests, clocks, templates, forgotten: Int
    var playerRevisionMax: Int64
  }

  var notes = Notes()
  private var depth = 0

  func publish(_ change: StoreChange) { notes.changes.append(change) }

  /// Runs a part under a savepoint of its own; what it wrote and noted is undone when it throws.
  func attempt<Answer>(_ part: () throws -> Answer) throws -> Answer {
    let before = notes.mark
    depth += 1
    defer { depth -= 1 }
    try run(.set("part\(depth)"))
    do {
      let answer = try part()
      try run(.release("part\(depth)"))
      return answer
    } catch {
      notes.goBack(to: before)
      if trouble == nil {
        try run(.goBack("part\(depth)"))
        try run(.release("part\(depth)"))
      }
      throw error
    }
  }

  /// Runs a job and undoes what it wrote, and that alone.
  func runDry(_ job: any WriterJob) throws {
    let before = notes.mark
    try database.run(.set("turn"))
    _ = job.run(in: self)
    if let trouble { throw trouble }
    notes.goBack(to: before)
    try database.run(.goBack("turn"))
    try database.run(.release("turn"))
  }
}

extension SQLiteTurn.Notes {
  /// Lets go of what a large batch did on a thread that nobody waits for.
  consuming func letGo() {
    let held = Mutex<SQLiteTurn.Notes?>(self)
    _ = WorkerThread.start {
      // Taken out, so that nobody else is the last to have it.
      let taken = held.withLock { held in
        defer { held = nil }
        return held
      }
      withExtendedLifetime(taken) {}
    }
  }
}
