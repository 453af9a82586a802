// A cancellable read of the whole database.
import Synchronization

/// A running check or backup of the whole database, which can be cancelled.
final class WholeDatabaseRead: Sendable {
  /// The size of the write-ahead log in bytes from which the read is cancelled.
  let logBytesMax: Int64
  private let connection = Mutex<SQLiteConnection?>(nil)
  private let state = Atomic(false)

  init(logBytesMax: Int64) { self.logBytesMax = logBytesMax }

  /// True if the log grew too long and the read was cancelled.
  var isGivenUp: Bool { state.load(ordering: .relaxed) }

  func reads(_ reading: SQLiteConnection) { connection.withLock { $0 = reading } }

  func giveUp() {
    state.store(true, ordering: .relaxed)
    connection.withLock { $0 }?.interrupt()
  }
}
