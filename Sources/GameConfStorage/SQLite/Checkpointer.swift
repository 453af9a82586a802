// Takes the write-ahead log into the database beside the writer.
import GRDB
import GameConfEngine

/// A thread that checkpoints when it is asked to, so that batches do not wait until the database's pages are on the disk.
///
/// It never blocks the writer, and so cannot let the log begin anew: the writer does that, when the log has ``DatabaseFile/walPagesMax`` pages and
/// only the last of them are still to be taken in.
final class Checkpointer: Sendable {
  private struct State {
    var isAsked = false
    var isStopped = false
  }

  private let readers: SQLiteReaders
  private let state = Monitor(State())

  /// - Parameter readers: whoever closes them waits for a checkpoint that is under way, too.
  init(beside readers: SQLiteReaders) {
    self.readers = readers
    // Without a thread the writer does all of it.
    _ = WorkerThread.start { [weak self] in
      while let checkpointer = self, checkpointer.step() {}
    }
  }

  /// Asks for a checkpoint, or for one more after the one that is under way.
  func ask() { state.change { $0.isAsked = true } }

  /// Ends the thread.
  func stop() { state.change { $0.isStopped = true } }

  private func step() -> Bool {
    let goesOn = state.wait { state in
      if state.isStopped { return false }
      if !state.isAsked { return nil }
      state.isAsked = false
      return true
    }
    guard goesOn else { return false }
    // What fails here the writer meets again, and tells of, when it must take in the log itself.
    _ = try? readers.withConnection("gameconfd.checkpoint", writes: true) { connection in
      try connection.writeWithoutTransaction { try $0.checkpoint(.passive) }
    }
    return true
  }
}
