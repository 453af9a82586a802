// The stamp that shows whether a file is still the one it was.

import Glibc

/// A file's identity, size and times of change.
///
/// The time of modification alone is not enough: a program that copies a file over another may keep size and time (`rsync --inplace --times`,
/// `cp --preserve`, `tar`). The time of change of the inode rises with every write, and no program can set it.
struct FileStamp: Sendable, Hashable {
  private struct Time: Sendable, Hashable {
    var seconds: Int
    var nanoseconds: Int

    init(_ time: timespec) { (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec) }
  }

  private var inode: UInt
  private var size: Int
  private var modified: Time
  private var changed: Time

  /// The stamp of a file; nil when it cannot be looked at.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    inode = UInt(status.st_ino)
    size = Int(status.st_size)
    modified = Time(status.st_mtim)
    changed = Time(status.st_ctim)
  }

  /// True if it was changed so long ago that every later change gives another stamp, however coarse the clock of the file system is.
  var isSettled: Bool { time(nil) - changed.seconds > 2 }
}
