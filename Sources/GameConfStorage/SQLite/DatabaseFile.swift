// The database file: connections to it, and checks that it is readable and is still the file that was opened.
import GameConfCore
import Glibc

/// The database's path, with the operations on its file.
struct DatabaseFile: Sendable {
  let path: String

  private static let headerText = Array("SQLite format 3\0".utf8)
  private static let walBytesMax = 4 << 20
  private static let smallDiskBytes = 64 << 20
  private static let walPagesMaxUsual = 1_000
  private static let walPagesMaxOnSmallDisk = 100
  private static let pieceBytes = 1 << 20
  /// The largest size of the writer's page cache in KiB: space for the inner pages of the players' tables and for recently written pages.
  private static let writerCacheKiB = 16 << 10

  var folder: String { Files.parent(of: path) ?? "." }
  var logPath: String { path + "-wal" }

  /// The number of pages in the write-ahead log from which a commit checkpoints it.
  var walPagesMax: Int { isOnSmallDisk ? Self.walPagesMaxOnSmallDisk : Self.walPagesMaxUsual }

  /// Opens a connection for writing. It does not change the journal mode.
  func connect(to path: String? = nil) throws(DatabaseFailure) -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path ?? self.path, for: .writing)
    try connection.execute("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = \(Self.walBytesMax)")
    try connection.execute("PRAGMA wal_autocheckpoint = \(walPagesMax); PRAGMA cache_size = -\(Self.writerCacheKiB)")
    return connection
  }

  /// Opens a connection that only reads.
  func connectReading() throws(DatabaseFailure) -> SQLiteConnection { try SQLiteConnection(path: path, for: .reading) }

  /// Opens a connection that checkpoints the write-ahead log.
  func connectTaking() throws(DatabaseFailure) -> SQLiteConnection { try SQLiteConnection(path: path, for: .writingPresent) }

  /// The number of bytes that the disk has free for this user; nil if unknown.
  var bytesFree: UInt64? {
    var status = statvfs()
    return statvfs(folder, &status) == 0 ? UInt64(status.f_bavail) * UInt64(status.f_frsize) : nil
  }

  /// The size in bytes of the test file for free space. A change that extends each table that it writes to needs less.
  private static let spaceTriedBytes = 128 << 10
  /// The value of `O_TMPFILE`, which Glibc's module does not import.
  private static let withoutName = O_DIRECTORY | 0o20_000_000

  /// True if a file in the folder cannot grow. The number of free bytes does not show that, because a quota may be used up. A small write
  /// does not show it either, because it fits into existing pages. The test file has no name, so closing it removes it.
  var isGrowthRefused: Bool {
    let descriptor = open(folder, O_WRONLY | O_CLOEXEC | Self.withoutName, 0o600)
    // Not every file system supports files without names.
    guard descriptor >= 0 else { return [ENOSPC, EDQUOT].contains(errno) }
    defer { close(descriptor) }
    return write(descriptor, [UInt8](repeating: 1, count: Self.spaceTriedBytes), Self.spaceTriedBytes) < Self.spaceTriedBytes
  }

  /// True if the database's file system is mounted read-only.
  var isOnReadOnlyDisk: Bool {
    var status = statvfs()
    return statvfs(folder, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
  }

  /// True on a small disk, where the write-ahead log is limited so that the database keeps the space that a checkpoint needs.
  private var isOnSmallDisk: Bool {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return false }
    return UInt64(status.f_blocks) * UInt64(status.f_frsize) <= UInt64(Self.smallDiskBytes)
  }

  /// The identity of the file at a path, with its length.
  struct Identity: Equatable {
    var device: UInt64
    var inode: UInt64
    var bytesCount: Int64
    var modifiedAt: Instant

    /// True if the two identities are of the same file; the contents are not compared.
    func isFile(_ other: Identity) -> Bool { device == other.device && inode == other.inode }
  }

  /// Returns the identity of the file that is at the path now; nil with `errno` if it does not exist or is not accessible.
  func identity(of path: String? = nil) -> Identity? {
    var status = stat()
    guard lstat(path ?? self.path, &status) == 0 else { return nil }
    let modified = Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
    return Identity(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), bytesCount: Int64(status.st_size),
      modifiedAt: Instant(milliseconds: modified))
  }

  /// Opens a descriptor of the file for ``state(since:in:watching:)``; negative on failure.
  ///
  /// It must stay open until every connection is closed: closing any descriptor of a file releases all POSIX locks that this process has on
  /// it, including SQLite's, and the next program that opens the database then removes the write-ahead log.
  func watch() -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }

  enum FileState {
    case asOpened
    /// The file is not accessible now but may still exist: its folder is unavailable or may not be entered.
    case unseen(String)
    /// The path no longer has the file that was opened, or the file was cut or overwritten.
    case gone(String)
  }

  /// Returns the state of the database's file. A file that has become shorter is gone, because gameconfd never truncates it.
  /// - Parameters:
  ///   - folder: The identity of the file's folder when the database was opened.
  ///   - descriptor: The descriptor from ``watch()``.
  func state(since opened: Identity, in folder: Identity?, watching descriptor: Int32) -> FileState {
    guard let now = identity() else { return absence(errno, of: path, in: folder, "the database file was removed while it was open") }
    if !now.isFile(opened) {
      return isFolder(folder)
        ? .gone("the database file was replaced by another while it was open")
        : .unseen("another folder is at \(self.folder)")
    }
    if now.bytesCount < opened.bytesCount { return .gone("the database file was cut from \(opened.bytesCount) to \(now.bytesCount) bytes") }
    // The write-ahead log exists while a connection is open. Writes to a removed log are lost with the process.
    if identity(of: logPath) == nil {
      return absence(errno, of: logPath, in: folder, "the database's write-ahead log was removed while it was open")
    }
    guard descriptor >= 0 else { return .asOpened }
    var header = [UInt8](repeating: 0, count: Self.headerText.count)
    let count = pread(descriptor, &header, header.count, 0)
    return count == header.count && header != Self.headerText ? .gone("the database file's beginning was overwritten") : .asOpened
  }

  private func absence(_ code: Int32, of path: String, in folder: Identity?, _ removed: String) -> FileState {
    if code == ENOENT, isFolder(folder) { return .gone(removed) }
    return .unseen(
      "\(path) cannot be reached (\(String(cString: strerror(code)))); check that its folder exists and that gameconfd may enter it")
  }

  private func isFolder(_ opened: Identity?) -> Bool {
    guard let opened, let now = identity(of: folder) else { return opened == nil }
    return now.isFile(opened)
  }

  /// Returns the failure that makes the file inaccessible; nil if it exists, or certainly does not.
  func unreachable() -> DatabaseFailure? {
    if identity() != nil { return nil }
    let code = errno
    if code == ENOENT, identity(of: folder) != nil { return nil }
    return Self.unreadable(code, path)
  }

  /// Returns the failure of reading the database's bytes; nil if all can be read, valid or not.
  ///
  /// It distinguishes a read error of the disk from damage, because SQLite reports both alike. No connection may be open.
  func unreadable() -> DatabaseFailure? {
    for path in [path, logPath] {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      if descriptor < 0 {
        if errno == ENOENT, identity(of: folder) != nil { continue }
        return Self.unreadable(errno, path)
      }
      defer { close(descriptor) }
      var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
      var at: off_t = 0
      while true {
        let count = pread(descriptor, &piece, piece.count, at)
        if count < 0, errno == EINTR { continue }
        if count < 0 { return Self.unreadable(errno, path) }
        if count == 0 { break }
        at += off_t(count)
      }
    }
    return nil
  }

  private static func unreadable(_ code: Int32, _ path: String) -> DatabaseFailure {
    DatabaseFailure.ofSystem(code, path) ?? .failing("\(path) cannot be read (\(String(cString: strerror(code))))")
  }

  /// Creates an empty file that only the user and the group can read, before SQLite creates it with other rights.
  func create(_ path: String? = nil) throws(StateFault) {
    let path = path ?? self.path
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw Files.fault(errno, path, "cannot be made") }
    close(descriptor)
    try Files.syncDirectory(of: path)
  }

  /// Makes the log and shared memory files writable if the database is. SQLite creates them with the rights that the database has at that
  /// moment, which may have been fewer.
  func mendRights() {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & S_IWUSR != 0 else { return }
    let mode = status.st_mode & 0o777
    for beside in [logPath, path + "-shm"] where lstat(beside, &status) == 0 && status.st_mode & S_IWUSR == 0 { chmod(beside, mode) }
  }

  /// Returns the failure that keeps the database from being written; nil if there is none.
  func unwritable() -> DatabaseFailure? {
    if isOnReadOnlyDisk { return .readOnly }
    for path in [path, logPath, path + "-shm", folder] where access(path, W_OK) != 0 {
      let code = errno
      if code == EACCES || code == EPERM || code == EROFS { return DatabaseFailure.ofSystem(code, path) }
    }
    return nil
  }
}
