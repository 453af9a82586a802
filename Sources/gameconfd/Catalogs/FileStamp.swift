// The stamp that shows whether a file is still the one it was.

import Glibc

/// A file's identity, size and time of change.
struct FileStamp: Sendable, Hashable {
  private var inode: UInt
  private var size: Int
  private var seconds: Int
  private var nanoseconds: Int

  /// The stamp of a file; nil when it cannot be looked at.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    inode = UInt(status.st_ino)
    size = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }

  /// True if it was changed so long ago that every later change gives another stamp, however coarse the clock of the file system is.
  var isSettled: Bool { time(nil) - seconds > 2 }
}
