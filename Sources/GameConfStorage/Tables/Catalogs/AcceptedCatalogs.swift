// The protocol of a storage for the bytes of accepted catalogs.

internal import GameConfCore

/// A catalog file or a drop-in, as it was accepted.
public struct AcceptedFile: Sendable, Hashable {
  /// The file's name at its source, such as `wheresthedot.yaml` or `wheresthedot.d/10-local.yaml`.
  public var name: String
  /// The file's bytes, unchanged.
  public var bytes: [UInt8]

  /// Creates a file with bytes that were read before.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// A game's last accepted catalog.
public struct AcceptedCatalog: Sendable, Hashable {
  /// The game's id.
  public var game: String
  /// The catalog file, then its drop-ins in the order in which they were applied.
  public var files: [AcceptedFile]

  /// Creates a catalog whose first file is the catalog file.
  public init(game: String, files: [AcceptedFile]) {
    self.game = game
    self.files = files
  }

  /// Returns the total size of the files in bytes.
  public static func bytesCount(of files: [AcceptedFile]) -> Int { files.reduce(0) { $0 + $1.bytes.count } }

  /// Returns the first 64 bits of a SHA-256 over the files' bytes. The names are not hashed.
  package static func digest(of files: [AcceptedFile]) -> Int64 {
    var hash = SHA256()
    for file in files {
      hash.update("\(file.bytes.count)\n".utf8)
      hash.update(file.bytes)
    }
    return Int64(bitPattern: hash.digest().prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}

/// The stored catalogs of every game, and the faults of the unreadable ones.
public struct AcceptedCatalogContents: Sendable, Hashable {
  /// The readable stored catalogs, one for each game.
  public var catalogs: [AcceptedCatalog]
  /// A fault for each unreadable file: it names the file and the reason. The files are not removed.
  public var faults: [StateFault]
  /// The ids of games whose stored catalogs belong to another database. This database may have accepted different ones.
  public var foreign: [String] = []

  /// Creates contents without foreign games.
  public init(catalogs: [AcceptedCatalog] = [], faults: [StateFault] = []) {
    self.catalogs = catalogs
    self.faults = faults
  }
}

/// A storage for the bytes of accepted catalogs. With it, the last good catalog stays in force if a file becomes invalid or disappears.
///
/// Each game is replaced atomically: after a crash either the old or the new catalog is there, never a mixture.
public protocol AcceptedCatalogs: Sendable {
  /// Returns every stored catalog. A damaged file is a fault of its game alone.
  func load() -> AcceptedCatalogContents
  /// Replaces the stored catalog of a game; durable when this returns.
  func store(_ catalog: AcceptedCatalog) throws(StateFault)
  /// Removes a game's catalog if it is stored.
  func remove(game: String) throws(StateFault)
}
