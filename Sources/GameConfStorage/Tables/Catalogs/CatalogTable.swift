// The table of accepted catalogs: the newest of each game, with the bytes they were accepted from, so that one can be taken back.
/// One acceptance of a game's catalog.
public struct StoredCatalog: Sendable, Hashable {
  /// Counts the game's acceptances from 1; an acceptance of the same bytes has a number of its own.
  public var number: Int64
  /// The digest that distinguishes the bytes of the files; see ``AcceptedCatalog/digest(of:)``.
  public var digest: Int64
  /// The catalog, then its drop-ins.
  public var files: [AcceptedFile]

  /// An acceptance.
  public init(number: Int64, digest: Int64, files: [AcceptedFile]) {
    self.number = number
    self.digest = digest
    self.files = files
  }
}

/// Reads accepted catalogs.
public protocol AcceptedCatalogReading {
  /// The number and the digest of a game's newest acceptance; nil before the first.
  func newestCatalog(of game: String) throws(StoreError) -> (number: Int64, digest: Int64)?
  /// An acceptance; nil where there was none of that number, or it is kept no more.
  func catalog(_ number: Int64, of game: String) throws(StoreError) -> StoredCatalog?
  /// The digest that was taken back of a game, and is not accepted from its files until they change; nil where none was.
  func revertedDigest(of game: String) throws(StoreError) -> Int64?
}

/// Writes accepted catalogs.
public protocol AcceptedCatalogWriting: AcceptedCatalogReading {
  /// Adds an acceptance; of the older ones those go that are beyond ``StoreLimits/catalogsMax`` or ``StoreLimits/catalogBytesMax``.
  func append(_ catalog: StoredCatalog, of game: String) throws(StoreError)
  /// Notes what was taken back; nil notes that nothing is.
  func setRevertedDigest(_ digest: Int64?, of game: String) throws(StoreError)
  /// Notes which files the game's catalog was accepted from, as ``AcceptedCatalog/digest(of:)`` distinguishes them, and the revision that changed
  /// keys by it. Publishes ``StoreChange/catalogAccepted(game:digest:keyRevisions:)``.
  func accept(_ digest: Int64, changing keys: Set<String>, at revision: Int64, of game: String) throws(StoreError)
  /// Removes everything about a game's catalogs, and publishes ``StoreChange/catalogForgotten(game:)``.
  func forgetCatalogs(of game: String) throws(StoreError)
}
