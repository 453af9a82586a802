// A database in the state directory of a daemon whose store is PostgreSQL: what was there before.
public import GameConfEngine
import Glibc

/// The SQLite database that lies in a state directory whose daemon keeps its state elsewhere.
public struct AbandonedDatabase: Sendable {
  /// Where it lies.
  public let path: String

  /// The database of a state directory; nil where none lies there.
  public init?(in directory: StateDirectory) {
    path = directory.databasePath
    guard (DatabaseFile(path: path).identity()?.bytesCount ?? 0) > 0 else { return nil }
  }

  /// Whether it has players.
  /// - Throws: ``StoreError`` when it cannot be read.
  public func hasPlayers() throws(StoreError) -> Bool {
    do {
      let database = try DatabaseFile(path: path).connectReading()
      defer { database.close() }
      guard case .ours = try Schema.kind(of: database) else { return false }
      let tables = try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'players'") ?? 0
      if tables == 0 { return false }
      return try database.integer("SELECT EXISTS (SELECT 1 FROM players)") == 1
    } catch { throw Trouble(error).storeError }
  }

  /// Gives it a name by which no daemon opens it.
  /// - Returns: where it lies from then on.
  public func leave() throws(StateFault) -> String {
    var (left, number) = (path + ".abandoned", 1)
    while access(left, F_OK) == 0 {
      number += 1
      left = "\(path).abandoned-\(number)"
    }
    for ending in ["-wal", "-shm", ""] where access(path + ending, F_OK) == 0 {
      guard rename(path + ending, left + ending) == 0 else { throw Files.fault(errno, path + ending, "cannot be renamed") }
    }
    return left
  }
}
