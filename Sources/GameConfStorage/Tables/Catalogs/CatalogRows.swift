// Rows of accepted catalogs.
import GameConfCore

enum CatalogRows {
  static let tables = [
    """
    CREATE TABLE catalogs (
      game TEXT NOT NULL, number INTEGER NOT NULL, digest INTEGER NOT NULL, bytes INTEGER NOT NULL, files BLOB NOT NULL, PRIMARY KEY (game, number)
    )
    """
  ]

  /// The prefix of a name in the table `numbers`, for the digest of a game's reverted catalog. The game's id follows the prefix.
  static let reverted = "catalog_reverted:"

  static let newest = Statement(.query, "SELECT number, digest FROM catalogs WHERE game = ? ORDER BY number DESC LIMIT 1")
  static let files = Statement(.query, "SELECT digest, files FROM catalogs WHERE game = ? AND number = ?")
  static let put = Statement(
    .insert,
    """
    INSERT INTO catalogs (game, number, digest, bytes, files) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (game, number) DO UPDATE SET digest = excluded.digest, bytes = excluded.bytes, files = excluded.files
    """)
  /// Deletes a game's accepted catalogs beyond a count (`?2`) or beyond a total size in bytes (`?3`). The newest two always remain.
  static let removeOld = Statement(
    .change,
    """
    DELETE FROM catalogs WHERE game = ?1 AND number IN (
      SELECT number FROM (
        SELECT number, row_number() OVER (ORDER BY number DESC) AS place, sum(bytes) OVER (ORDER BY number DESC) AS total
        FROM catalogs WHERE game = ?1
      ) AS part WHERE place > 2 AND (place > ?2 OR total > ?3)
    )
    """)
  static let remove = Statement(.change, "DELETE FROM catalogs WHERE game = ?")
  static let removeDigests = Statement(.change, "DELETE FROM numbers WHERE name IN (?, ?)")

  static let statements = [newest, files, put, removeOld, remove, removeDigests]
}

extension ReadTransaction {
  package func newestCatalog(of game: String) throws(StoreError) -> (number: Int64, digest: Int64)? {
    let row = try row(CatalogRows.newest, [game])
    return try attempting { try row.map { (try $0.integer(0), try $0.bits(1)) } }
  }

  package func catalog(_ number: Int64, of game: String) throws(StoreError) -> StoredCatalog? {
    try rawRows(CatalogRows.files) { query in
      query.bind(game)
      query.bind(number)
    } _: { row in
      guard let bytes = row.bytes(1), let files = AcceptedCatalogDocument.files(in: Array(bytes)) else {
        throw DatabaseFailure.damaged("an accepted catalog of \(game) has been changed")
      }
      return StoredCatalog(number: number, digest: try row.bits(0), files: files)
    }.first
  }

  package func revertedDigest(of game: String) throws(StoreError) -> Int64? {
    let row = try row(RevisionRows.number, [CatalogRows.reverted + game])
    return try attempting { try row?.bits(0) }
  }
}

extension WriteTransaction {
  package func append(_ catalog: StoredCatalog, of game: String) throws(StoreError) {
    try runRaw(CatalogRows.put) { statement in
      statement.bind(game)
      statement.bind(catalog.number)
      statement.bind(catalog.digest)
      statement.bind(Int64(AcceptedCatalog.bytesCount(of: catalog.files)))
      statement.bind(blob: AcceptedCatalogDocument.bytes(of: catalog.files))
    }
    try run(CatalogRows.removeOld, [game, StoreLimits.catalogsMax, StoreLimits.catalogBytesMax])
  }

  package func setRevertedDigest(_ digest: Int64?, of game: String) throws(StoreError) {
    if let digest { return try setNumber(digest, CatalogRows.reverted + game) }
    try run(RevisionRows.removeNumber, [CatalogRows.reverted + game])
  }

  package func accept(_ digest: Int64, changing keys: Set<String>, at revision: Int64, of game: String) throws(StoreError) {
    try setRevision(revision, at: keys.sorted().map { OverrideSlot(game: game, key: $0) })
    try setNumber(digest, RevisionRows.catalogDigest + game)
    publish(.catalogAccepted(game: game, digest: digest, keyRevisions: Dictionary(uniqueKeysWithValues: keys.map { ($0, revision) })))
  }

  package func forgetCatalogs(of game: String) throws(StoreError) {
    try run(CatalogRows.remove, [game])
    try run(CatalogRows.removeDigests, [CatalogRows.reverted + game, RevisionRows.catalogDigest + game])
    publish(.catalogForgotten(game: game))
  }
}

extension CatalogRows: StateRows {
  static let storedTables = [
    StoredTable(
      "catalogs", ["game": .text, "number": .number(.ordinal), "digest": .number(.bits), "bytes": .number(.count), "files": .blob])
  ]

  /// Accepted catalogs are stored in files of their own, so `last-good.json` does not contain them.
  static let lastGood: [LastGoodMember] = []

  static func load(into state: inout StoredState, from view: ReadTransaction) throws {
    state.catalogDigests = try view.catalogDigests()
  }

  static func rebuild(_ state: StoredState, in transaction: WriteTransaction) throws {}

  /// Returns no changes, because ``OverrideRows/changes(of:)`` publishes the keys of an accepted catalog.
  static func changes(of game: ChangedGame) throws -> [StoreChange]? { [] }

  static func isWritten(_ row: UnreadableRow, by change: StoreChange) -> Bool { false }
}
