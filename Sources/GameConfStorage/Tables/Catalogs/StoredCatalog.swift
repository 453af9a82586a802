// The table of accepted catalogs: the newest of each game, with their bytes, so that an acceptance can be reverted.

/// One acceptance of a game's catalog.
public struct StoredCatalog: Sendable, Hashable {
  /// The acceptance's number, counted from 1 per game. Accepting the same bytes again takes another number.
  public var number: Int64
  /// The digest that distinguishes the bytes of the files; see ``AcceptedCatalog/digest(of:)``.
  public var digest: Int64
  /// The catalog file, then its drop-ins.
  public var files: [AcceptedFile]

  /// Creates an acceptance; the caller computes its number and its digest.
  public init(number: Int64, digest: Int64, files: [AcceptedFile]) {
    self.number = number
    self.digest = digest
    self.files = files
  }
}
