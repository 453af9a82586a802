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
