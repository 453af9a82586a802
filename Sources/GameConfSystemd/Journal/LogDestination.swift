// Decides where the daemon's log goes: to the journal if it receives the process's standard error, otherwise to standard error.

import Glibc

/// The destination of the daemon's log: systemd's journal or standard error.
public enum LogDestination: Sendable, Hashable {
  /// The journal's socket, which takes entries with fields. Standard error is connected to the journal.
  case journal
  /// Standard error, as lines with a priority. It is connected to the journal, but the process cannot reach the journal's socket.
  case journalStream
  /// Standard error, which is a terminal, a file or a pipe.
  case standardError

  /// Returns the destination for this process.
  ///
  /// systemd writes the device and inode of the standard error that it opened into `JOURNAL_STREAM`. If they differ from the present ones,
  /// somebody has redirected standard error to read the log there. A trial entry would not help: sending succeeds without a journal too.
  public static func current() -> LogDestination {
    detect(
      journalStream: getenv("JOURNAL_STREAM").map { String(cString: $0) }, output: StandardErrorLine.descriptor, socket: journalSocket
    )
  }

  static let journalSocket = "/run/systemd/journal/socket"

  static func detect(journalStream: String?, output: Int32, socket: String) -> LogDestination {
    var stream = stat()
    guard let journalStream, fstat(output, &stream) == 0, journalStream == "\(stream.st_dev):\(stream.st_ino)" else {
      return .standardError
    }
    var file = stat()
    return stat(socket, &file) == 0 && file.st_mode & S_IFMT == S_IFSOCK ? .journal : .journalStream
  }
}
