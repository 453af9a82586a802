// The database's file: connections to it, whether it is still the one that was opened, and how it is put aside.
import GameConfCore
import GameConfEngine
import Glibc

/// Where the database lies, and what may be done with its file.
struct DatabaseFile: Sendable {
  let path: String

  private static let headerText = Array("SQLite format 3\0".utf8)
  private static let walBytesMax = 4 << 20
  private static let smallDiskBytes = 64 << 20
  private static let walPagesMaxUsual = 1_000
  private static let walPagesMaxOnSmallDisk = 100
  /// The writer's pages in memory: the inner ones of the players' tables and those written last, which take this much only when they are many.
  private static let writerCacheKiB = 16 << 10

  /// How many pages the write-ahead log has when a commit begins to empty it.
  var walPagesMax: Int { isOnSmallDisk ? Self.walPagesMaxOnSmallDisk : Self.walPagesMaxUsual }

  /// A connection that writes. The journal's mode is left as it is.
  func connect(to path: String? = nil) throws(SQLiteError) -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path ?? self.path, for: .writing)
    try connection.execute("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = \(Self.walBytesMax)")
    try connection.execute("PRAGMA wal_autocheckpoint = \(walPagesMax); PRAGMA cache_size = -\(Self.writerCacheKiB)")
    return connection
  }

  /// A connection that only reads.
  func connectReading() throws(SQLiteError) -> SQLiteConnection { try SQLiteConnection(path: path, for: .reading) }

  /// On a small disk the write-ahead log must not take the space that the database needs to take it in.
  private var isOnSmallDisk: Bool {
    var status = statvfs()
    guard statvfs(Files.parent(of: path) ?? ".", &status) == 0 else { return false }
    return UInt64(status.f_blocks) * UInt64(status.f_frsize) <= UInt64(Self.smallDiskBytes)
  }

  /// Which file a path led to, and how long it was.
  struct Identity: Equatable {
    var device: UInt64
    var inode: UInt64
    var bytesCount: Int64
  }

  /// The file the path leads to now; nil where there is none.
  func identity(of path: String? = nil) -> Identity? {
    var status = stat()
    guard lstat(path ?? self.path, &status) == 0 else { return nil }
    return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino), bytesCount: Int64(status.st_size))
  }

  /// A descriptor of the file for ``fault(since:watching:)``; negative when it cannot be opened.
  ///
  /// It must not be closed before every connection is: closing any descriptor of a file gives up all locks that this process has on it, those
  /// of SQLite too, and the next program that looks into the database removes the write-ahead log.
  func watch() -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }

  /// What has happened to the file since it was opened; nil while it is as it should be. The file never shrinks by our doing.
  /// - Parameter descriptor: from ``watch()``, of the file that was opened.
  func fault(since opened: Identity, watching descriptor: Int32) -> String? {
    guard let now = identity() else { return "the database file was removed while it was open" }
    if now.inode != opened.inode || now.device != opened.device { return "the database file was replaced by another while it was open" }
    if now.bytesCount < opened.bytesCount { return "the database file was cut from \(opened.bytesCount) to \(now.bytesCount) bytes" }
    // It is there as long as a connection is open; what is written to one that was removed is gone with the process.
    if identity(of: path + "-wal") == nil { return "the database's write-ahead log was removed while it was open" }
    guard descriptor >= 0 else { return nil }
    var header = [UInt8](repeating: 0, count: Self.headerText.count)
    let count = pread(descriptor, &header, header.count, 0)
    return count == header.count && header != Self.headerText ? "the database file's beginning was overwritten" : nil
  }

  /// Makes an empty file that only we and our group may read, so that SQLite does not choose.
  func create() throws(StateFault) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw Files.fault(errno, path, "cannot be made") }
    close(descriptor)
    try Files.syncDirectory(of: path)
  }

  /// Renames the database and what lies beside it to a dated name that is free.
  /// - Returns: where the database is now; nil when it could not be renamed or was not there.
  func putAside(_ why: String, at now: Instant) -> String? {
    let date = now.text.replacing(":", with: "-")
    var aside = "\(path).\(why)-\(date)"
    var count = 1
    while identity(of: aside) != nil || identity(of: aside + "-wal") != nil {
      count += 1
      aside = "\(path).\(why)-\(date)-\(count)"
    }
    let isMoved = rename(path, aside) == 0
    for suffix in ["-wal", "-shm"] { rename(path + suffix, aside + suffix) }
    try? Files.syncDirectory(of: path)
    return isMoved ? aside : nil
  }
}
