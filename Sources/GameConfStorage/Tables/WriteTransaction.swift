// A transaction that writes within a savepoint and collects the changes to publish.
import GameConfCore
import Synchronization

/// A transaction that may also write. The transactions of a batch share one database transaction, one after another.
///
/// A write of served or audited state also publishes it, so that memory, watchers, other hosts and the audit log see one list of changes. A
/// transaction object is valid only until its closure returns.
package final class WriteTransaction: ReadTransaction, StateTransaction {
  /// The changes of a batch in order, collected to be published after its commit.
  struct BatchChanges {
    var changes: [StoreChange] = []
    /// The highest revision assigned to a player; 0 if no player got one.
    var playerRevisionMax: Int64 = 0
    /// True if the batch has written audit lines in packed form.
    var hasPacked = false

    /// The number of keys whose overrides changed, counted once for the game and once for each player.
    var slotsCount: Int {
      changes.reduce(0) { count, change in
        switch change {
        case .overrides: count + 1
        case .overridesMany(let many): count + many.slots.count
        default: count
        }
      }
    }

    /// A position in the batch, to which it can be rolled back: the number of changes, and the highest player revision.
    typealias Mark = (changes: Int, playerRevisionMax: Int64)

    /// The present position, to which ``goBack(to:)`` can roll back.
    var mark: Mark { (changes.count, playerRevisionMax) }

    /// Removes the changes after a position. A copy of all changes before each transaction would cost more the longer the batch is.
    mutating func goBack(to mark: Mark) {
      changes.removeSubrange(mark.changes...)
      playerRevisionMax = mark.playerRevisionMax
    }
  }

  var notes = BatchChanges()
  private var depth = 0

  package func publish(_ change: StoreChange) { notes.changes.append(change) }

  /// Runs a part of the transaction within a savepoint. If the part throws, only its own writes and publications are undone.
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

extension WriteTransaction.BatchChanges {
  /// Deallocates the changes of a large batch on another thread, so that no caller waits for it.
  consuming func letGo() {
    let held = Mutex<WriteTransaction.BatchChanges?>(self)
    _ = WorkerThread.start {
      // Moved out of the mutex, so that this thread holds the last reference.
      let taken = held.withLock { held in
        defer { held = nil }
        return held
      }
      withExtendedLifetime(taken) {}
    }
  }
}
