// The former SQLite database in the state directory of a daemon whose store is PostgreSQL.
import Glibc

/// A SQLite database in the state directory of a daemon that stores its state elsewhere.
public struct AbandonedDatabase: Sendable {
  /// The path of `gameconfd.db` in the state directory.
  public let path: String
  private let lastGoodPath: String

  /// Finds the database of a state directory; nil if its file does not exist or is empty.
  public init?(at directory: String) {
    path = directory + "/gameconfd.db"
    lastGoodPath = directory + "/last-good.json"
    guard (DatabaseFile(path: path).identity()?.bytesCount ?? 0) > 0 else { return nil }
  }

  /// The suffix of the name of a database that was moved to PostgreSQL.
  static let movedEnding = ".moved"

  /// True if the database has players or overrides.
  /// - Throws: ``StoreError`` if it cannot be read.
  public func hasContents() throws(StoreError) -> Bool {
    try hasContents { () throws(DatabaseFailure) in try DatabaseFile(path: path).connectReading() }
  }

  /// The contents, as far as they can be read without creating a file.
  public enum AbandonedContents: Sendable {
    case hasContents
    case isEmpty
    /// The contents cannot be read without creating a file, for this reason.
    case isUnseen(String)
  }

  /// Reads the contents without creating or changing a file.
  public func contents() -> AbandonedContents {
    var log = stat()
    if stat(path + "-wal", &log) == 0, log.st_size > 0 { return .isUnseen("part of it is in \(path)-wal still") }
    do throws(StoreError) {
      let path = path
      return try hasContents { () throws(DatabaseFailure) in try SQLiteConnection(path: path, for: .looking) } ? .hasContents : .isEmpty
    } catch { return .isUnseen("\(error)") }
  }

  /// The error for a start of the daemon on PostgreSQL that would leave this database's players and overrides behind.
  public var refusal: String {
    "the store is to be PostgreSQL, and the database \(path) has players or overrides that would be left behind. Move them with “gameconfctl store move --to postgres”, leave them with one start with --abandon, or remove store: from the settings"
  }

  private func hasContents(_ connect: () throws(DatabaseFailure) -> SQLiteConnection) throws(StoreError) -> Bool {
    do {
      let database = try connect()
      defer { database.close() }
      guard case .ours = try StoreSchema.kind(of: database) else { return false }
      for table in ["players", "overrides"] {
        let isThere = try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = ?", [table]) == 1
        if isThere, try database.integer("SELECT EXISTS (SELECT 1 FROM \(table))") == 1 { return true }
      }
      return false
    } catch { throw DatabaseFailure(error).storeError }
  }

  /// Renames the database and its `last-good.json`, so that no daemon opens them. From its start, the daemon serves the state of the
  /// PostgreSQL database.
  /// - Returns: The new path.
  public func leave() throws(StateFault) -> String { try leave(ending: ".abandoned") }

  /// Renames the database and its `last-good.json`.
  /// - Parameter wanted: The suffix to append; a number follows if a file with that suffix exists.
  func leave(ending wanted: String) throws(StateFault) -> String {
    var (ending, number) = (wanted, 1)
    while access(path + ending, F_OK) == 0 || access(lastGoodPath + ending, F_OK) == 0 {
      number += 1
      ending = "\(wanted)-\(number)"
    }
    // The database is renamed last: after an interruption it still has its name, and the next start refuses again.
    for (from, to) in [
      (lastGoodPath, lastGoodPath + ending), (path + "-wal", path + ending + "-wal"), (path + "-shm", path + ending + "-shm"),
      (path, path + ending),
    ] where access(from, F_OK) == 0 {
      guard rename(from, to) == 0 else { throw Files.fault(errno, from, "cannot be renamed") }
    }
    try Files.syncDirectory(of: path)
    return path + ending
  }
}
