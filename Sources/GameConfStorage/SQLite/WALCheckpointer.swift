// Checkpoints the write-ahead log after a large change, in parallel with the writer.

/// A thread that checkpoints the write-ahead log. If the writer thread did that, all callers would wait as long for the checkpoint as for
/// the large change itself.
final class WALCheckpointer: Sendable {
  private let isRunning = Monitor(false)

  /// Begins a checkpoint on this connection, and closes the connection at its end. Pages that it cannot copy are left to later commits.
  /// - Returns: True if the thread started.
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

  var hasEnded: Bool { isRunning.change { !$0 } }

  func wait() { isRunning.wait { $0 ? nil : () } }
}
