// The port that keeps the bytes of every catalog the daemon has accepted.

internal import GameConfCore

/// One file of a game as it was accepted.
public struct AcceptedFile: Sendable, Hashable {
  /// The file's name as its source knows it, such as `wheresthedot.yaml` or `wheresthedot.d/10-local.yaml`.
  public var name: String
  /// Its bytes, unchanged.
  public var bytes: [UInt8]

  /// A file.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// A game's last accepted catalog: the catalog file first, then its drop-ins in the order they were applied.
public struct AcceptedCatalog: Sendable, Hashable {
  /// The game's id.
  public var game: String
  /// The catalog, then its drop-ins.
  public var files: [AcceptedFile]

  /// An accepted catalog.
  public init(game: String, files: [AcceptedFile]) {
    self.game = game
    self.files = files
  }

  /// The number of bytes that the files have together.
  public static func bytesCount(of files: [AcceptedFile]) -> Int { files.reduce(0) { $0 + $1.bytes.count } }

  /// A number that distinguishes the bytes of files, the beginning of their SHA-256; their names do not count.
  package static func digest(of files: [AcceptedFile]) -> Int64 {
    var hash = SHA256()
    for file in files {
      hash.update("\(file.bytes.count)\n".utf8)
      hash.update(file.bytes)
    }
    return Int64(bitPattern: hash.digest().prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}

/// The stored catalogs of every game, and the faults of those that could not be read.
public struct AcceptedCatalogContents: Sendable, Hashable {
  /// The games that were kept, by id.
  public var catalogs: [AcceptedCatalog]
  /// The files that are there but cannot be read: each fault names the file and gives the reason. Such files are left where they are.
  public var faults: [StateFault]
  /// The games that were kept beside another store: what that had accepted says nothing about this one.
  public var foreign: [String] = []

  /// Games and faults.
  public init(catalogs: [AcceptedCatalog] = [], faults: [StateFault] = []) {
    self.catalogs = catalogs
    self.faults = faults
  }
}

/// Keeps the bytes of accepted catalogs, so that a bad or vanished file leaves the last good one in force.
///
/// Each game is replaced whole: after a crash either the old or the new one is there, never a mixture.
public protocol AcceptedCatalogs: Sendable {
  /// Everything that was kept; a damaged file is a fault of that game alone.
  func load() -> AcceptedCatalogContents
  /// Replaces what is kept of the catalog's game; durable when this returns.
  func store(_ catalog: AcceptedCatalog) throws(StateFault)
  /// Forgets a game; nothing happens when it was not kept.
  func remove(game: String) throws(StateFault)
}
