// Decides where the daemon's log goes: the journal where it listens to this process, standard error elsewhere.

import Glibc

/// The destination of log entries.
public enum LogDestination: Sendable, Hashable {
  /// Standard error already is the journal, and the journal's own socket is there: fields are kept.
  case journal
  /// Standard error is the journal, but its socket is out of reach: lines with their level.
  case journalStream
  /// A terminal, a file, a pipe.
  case standardError

  /// The destination that this process should write to.
  ///
  /// systemd says in `JOURNAL_STREAM` which device and inode it connected standard error to; when somebody has redirected it since, they
  /// want to read the log there. Whether entries arrive cannot be learned by sending one: that succeeds without a journal too.
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
