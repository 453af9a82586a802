// The stamp of a file, by which a change is noticed without reading the file.

import Glibc

/// A file's identity, size, and times of modification and inode change.
///
/// The modification time is not enough: a program that copies a file over another may keep its size and time (`rsync --inplace --times`,
/// `cp --preserve`, `tar`). Every write also sets the inode's change time (ctime), which no program can choose.
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

  /// Reads the stamp of a file; nil if stat() fails.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    inode = UInt(status.st_ino)
    size = Int(status.st_size)
    modified = Time(status.st_mtim)
    changed = Time(status.st_ctim)
  }

  /// True if the file's last change was more than two seconds ago. A later change then gets another stamp even on a file system with coarse
  /// timestamps.
  var isSettled: Bool { time(nil) - changed.seconds > 2 }
}
