// Takes the write-ahead log that a large change has filled into the database, beside the writer.

/// The thread that does it: the writer, and all who wait for it, would wait for the disk as long as the change itself took.
final class WALCheckpointer: Sendable {
  private let isRunning = Monitor(false)

  /// Begins on a connection of its own, which it closes; what it does not come to is left to the next commits.
  /// - Returns: whether it began.
  func begin(_ connection: SQLiteConnection) -> Bool {
    isRunning.change { $0 = true }
    let isStarted = WorkerThread.start { [isRunning] in
      try? connection.takeLog()
      connection.close(leavingLog: true)
      isRunning.change { $0 = false }
    }
    if !isStarted {
      connection.close(leavingLog: true)
      isRunning.change { $0 = false }
    }
    return isStarted
  }

  /// True if it is over.
  var hasEnded: Bool { isRunning.change { !$0 } }

  /// Waits for the end.
  func wait() { isRunning.wait { $0 ? nil : () } }
}
