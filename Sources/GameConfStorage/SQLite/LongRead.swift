// A read of the whole database, which can be given up.
import Synchronization

/// One check or backup that is under way.
final class LongRead: Sendable {
  /// The greatest length of the write-ahead log meanwhile.
  let logBytesMax: Int64
  private let connection = Mutex<SQLiteConnection?>(nil)
  private let state = Atomic(false)

  init(logBytesMax: Int64) { self.logBytesMax = logBytesMax }

  /// True if too much was written meanwhile.
  var isGivenUp: Bool { state.load(ordering: .relaxed) }

  /// Begins to read over a connection.
  func reads(_ reading: SQLiteConnection) { connection.withLock { $0 = reading } }

  /// Breaks it off.
  func giveUp() {
    state.store(true, ordering: .relaxed)
    connection.withLock { $0 }?.interrupt()
  }
}
