// The database's file: connections to it, whether it is still the one that was opened, and whether it can be read at all.
import GameConfCore
import Glibc

/// The path of the database, and what may be done with its file.
struct DatabaseFile: Sendable {
  let path: String

  private static let headerText = Array("SQLite format 3\0".utf8)
  private static let walBytesMax = 4 << 20
  private static let smallDiskBytes = 64 << 20
  private static let walPagesMaxUsual = 1_000
  private static let walPagesMaxOnSmallDisk = 100
  private static let pieceBytes = 1 << 20
  /// The writer's pages in memory: the inner ones of the players' tables and those written last, which take this much only when they are many.
  private static let writerCacheKiB = 16 << 10

  var folder: String { Files.parent(of: path) ?? "." }
  var logPath: String { path + "-wal" }

  /// The number of pages that the write-ahead log has when a commit begins to empty it.
  var walPagesMax: Int { isOnSmallDisk ? Self.walPagesMaxOnSmallDisk : Self.walPagesMaxUsual }

  /// A connection that writes. The journal's mode is left as it is.
  func connect(to path: String? = nil) throws(DatabaseFailure) -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path ?? self.path, for: .writing)
    try connection.execute("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = \(Self.walBytesMax)")
    try connection.execute("PRAGMA wal_autocheckpoint = \(walPagesMax); PRAGMA cache_size = -\(Self.writerCacheKiB)")
    return connection
  }

  /// A connection that only reads.
  func connectReading() throws(DatabaseFailure) -> SQLiteConnection { try SQLiteConnection(path: path, for: .reading) }

  /// A connection that takes the write-ahead log into the database.
  func connectTaking() throws(DatabaseFailure) -> SQLiteConnection { try SQLiteConnection(path: path, for: .writingPresent) }

  /// The number of bytes that the disk still has for us; nil where it does not say.
  var bytesFree: UInt64? {
    var status = statvfs()
    return statvfs(folder, &status) == 0 ? UInt64(status.f_bavail) * UInt64(status.f_frsize) : nil
  }

  /// The bytes that are written to see whether the disk has room: more than a change needs that grows each of its tables.
  private static let spaceTriedBytes = 128 << 10
  /// `O_TMPFILE`, which Glibc's module does not have.
  private static let withoutName = O_DIRECTORY | 0o20_000_000

  /// True if a file beside the database may not grow, whatever the disk says of its free bytes: a quota may be used up, and a small write says
  /// nothing, since it fits into pages that are there. The file has no name and is gone when it is closed.
  var isGrowthRefused: Bool {
    let descriptor = open(folder, O_WRONLY | O_CLOEXEC | Self.withoutName, 0o600)
    // Not every file system has such files.
    guard descriptor >= 0 else { return [ENOSPC, EDQUOT].contains(errno) }
    defer { close(descriptor) }
    return write(descriptor, [UInt8](repeating: 1, count: Self.spaceTriedBytes), Self.spaceTriedBytes) < Self.spaceTriedBytes
  }

  /// True if nothing can be written where the database lies.
  var isOnReadOnlyDisk: Bool {
    var status = statvfs()
    return statvfs(folder, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
  }

  /// On a small disk the write-ahead log must not take the space that the database needs to take it in.
  private var isOnSmallDisk: Bool {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return false }
    return UInt64(status.f_blocks) * UInt64(status.f_frsize) <= UInt64(Self.smallDiskBytes)
  }

  /// The identity of the file that a path led to, and its length.
  struct Identity: Equatable {
    var device: UInt64
    var inode: UInt64
    var bytesCount: Int64
    var modifiedAt: Instant

    /// True if it is the same file, whatever is in it.
    func isFile(_ other: Identity) -> Bool { device == other.device && inode == other.inode }
  }

  /// The file the path leads to now; nil where there is none or it cannot be seen, which `errno` says.
  func identity(of path: String? = nil) -> Identity? {
    var status = stat()
    guard lstat(path ?? self.path, &status) == 0 else { return nil }
    let modified = Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
    return Identity(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), bytesCount: Int64(status.st_size),
      modifiedAt: Instant(milliseconds: modified))
  }

  /// A descriptor of the file for ``state(since:in:watching:)``; negative when it cannot be opened.
  ///
  /// It must not be closed before every connection is: closing any descriptor of a file gives up all locks that this process has on it, those
  /// of SQLite too, and the next program that looks into the database removes the write-ahead log.
  func watch() -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }

  /// The states of a file that was opened.
  enum FileState {
    case asOpened
    /// It cannot be seen now, and may be where it was: its folder is away, or may not be entered.
    case unseen(String)
    /// It is not what was opened any more.
    case gone(String)
  }

  /// The state of the file. It never shrinks by our doing.
  /// - Parameters:
  ///   - folder: the folder it was opened in.
  ///   - descriptor: from ``watch()``, of the file that was opened.
  func state(since opened: Identity, in folder: Identity?, watching descriptor: Int32) -> FileState {
    guard let now = identity() else { return absence(errno, of: path, in: folder, "the database file was removed while it was open") }
    if !now.isFile(opened) {
      return isFolder(folder)
        ? .gone("the database file was replaced by another while it was open")
        : .unseen("another folder is at \(self.folder)")
    }
    if now.bytesCount < opened.bytesCount { return .gone("the database file was cut from \(opened.bytesCount) to \(now.bytesCount) bytes") }
    // It is there as long as a connection is open; what is written to one that was removed is gone with the process.
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

  /// The failure that keeps the file from being seen; nil when it is there, or plainly is not.
  func unreachable() -> DatabaseFailure? {
    if identity() != nil { return nil }
    let code = errno
    if code == ENOENT, identity(of: folder) != nil { return nil }
    return Self.unreadable(code, path)
  }

  /// The failure that keeps the database's bytes from being read; nil when every one of them can be, whatever they say.
  ///
  /// To SQLite a read error looks like damage. No connection may be open.
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

  /// Makes an empty file that only we and our group may read, so that SQLite does not choose.
  func create(_ path: String? = nil) throws(StateFault) {
    let path = path ?? self.path
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw Files.fault(errno, path, "cannot be made") }
    close(descriptor)
    try Files.syncDirectory(of: path)
  }

  /// Lets us write what lies beside the database when we may write the database: SQLite makes those files with the rights the database has at that
  /// moment, which may have been fewer.
  func mendRights() {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & S_IWUSR != 0 else { return }
    let mode = status.st_mode & 0o777
    for beside in [logPath, path + "-shm"] where lstat(beside, &status) == 0 && status.st_mode & S_IWUSR == 0 { chmod(beside, mode) }
  }

  /// The failure that keeps the database from being written; nil when nothing does.
  func unwritable() -> DatabaseFailure? {
    if isOnReadOnlyDisk { return .readOnly }
    for path in [path, logPath, path + "-shm", folder] where access(path, W_OK) != 0 {
      let code = errno
      if code == EACCES || code == EPERM || code == EROFS { return DatabaseFailure.ofSystem(code, path) }
    }
    return nil
  }
}
