// A transaction over the database: it writes within a savepoint and notes what must be published and kept in memory.
import GameConfCore
import Synchronization

/// A transaction that may also write; those of a batch share the one of the database, one after the other.
///
/// A write of what is served or audited also publishes it, so that memory, watchers, other hosts and the audit log have one list of changes. It is good
/// only until the transaction returns; it is never kept.
package final class WriteTransaction: ReadTransaction, StateTransaction {
  /// The changes of a batch, in order, and what else must be known of it.
  struct Notes {
    var changes: [StoreChange] = []
    /// The highest revision that was given to a player; 0 if none was.
    var playerRevisionMax: Int64 = 0
    /// True if lines of the audit log were written packed.
    var hasPacked = false

    /// The number of slots whose overrides changed.
    var slotsCount: Int {
      changes.reduce(0) { count, change in
        switch change {
        case .overrides: count + 1
        case .overridesMany(let many): count + many.slots.count
        default: count
        }
      }
    }

    /// A place to return to: the number of changes, and the highest revision of a player.
    typealias Mark = (changes: Int, playerRevisionMax: Int64)

    /// The present place.
    var mark: Mark { (changes.count, playerRevisionMax) }

    /// Drops the changes since a mark. To copy the notes for each transaction would cost more the longer the batch.
    mutating func goBack(to mark: Mark) {
      changes.removeSubrange(mark.changes...)
      playerRevisionMax = mark.playerRevisionMax
    }
  }

  var notes = Notes()
  private var depth = 0

  package func publish(_ change: StoreChange) { notes.changes.append(change) }

  /// Runs a part of the transaction that can fail on its own: when it throws, its writes and publications are undone, those before it are not.
  package func attempt<Answer>(_ part: () throws -> Answer) throws -> Answer {
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
      if failure == nil {
        try run(.goBack("part\(depth)"))
        try run(.release("part\(depth)"))
      }
      throw error
    }
  }

}

extension WriteTransaction.Notes {
  /// Lets go of what a large batch did on a thread that nobody waits for.
  consuming func letGo() {
    let held = Mutex<WriteTransaction.Notes?>(self)
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
