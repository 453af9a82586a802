// The daemon's state directory: its lock, and the paths of its files.
import Glibc
import Synchronization

/// The state directory, locked for this process until it is closed or the process ends.
///
/// The lock is an advisory `flock` on the directory itself, so it leaves no file behind and works on a read-only file system too.
public final class StateDirectory: Sendable {
  /// The directory's path, without a slash at its end.
  public let path: String
  private let descriptor: Mutex<Int32>

  /// Creates the directory (mode 0750) if it does not exist, and locks it.
  /// - Throws: `.locked` if another daemon holds it; `.readOnly`, `.noSpace` or `.failed` if it cannot be created or opened.
  public init(path: String) throws(StateFault) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    try Files.makeDirectory(path, mode: 0o750)
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Files.fault(errno, path, "cannot be opened") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      if code == EWOULDBLOCK {
        throw StateFault(
          code: .locked, path: path,
          message: "another gameconfd uses this state directory; stop it, or give this one its own with --state-dir")
      }
      throw Files.fault(code, path, "cannot be locked")
    }
    self.descriptor = Mutex(descriptor)
  }

  deinit { unlock() }

  /// Releases the lock. The store and all other users of the directory must be closed before.
  public func unlock() {
    descriptor.withLock { descriptor in
      guard descriptor >= 0 else { return }
      // An explicit unlock, because a child process that is starting may have inherited the descriptor, and the lock with it.
      flock(descriptor, LOCK_UN)
      close(descriptor)
      descriptor = -1
    }
  }

  /// The path of the SQLite database file.
  public var databasePath: String { path + "/gameconfd.db" }
  /// The path of the file in which ``LastGoodFile`` stores the last good state.
  public var lastGoodPath: String { path + "/last-good.json" }
  /// The path of the folder in which ``AcceptedCatalogFiles`` stores accepted catalogs.
  public var acceptedPath: String { path + "/accepted" }
}
