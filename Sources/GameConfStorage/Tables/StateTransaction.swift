// The subset of a transaction that works without the database.
package import GameConfCore

/// A transaction that reads and writes only state that is served from memory. Such a transaction suffices to begin or end an override's
/// time window, to accept a catalog, and to freeze a simulated clock. So these changes work while the database is lost or read-only.
///
/// Without the database, a change is served, published, and written to `last-good.json`. Its audit line is published without a number.
package protocol StateTransaction {
  /// Adds a change to those that are published when the batch commits, such as a compiled catalog, a stored player, or an event.
  func publish(_ change: StoreChange)

  // MARK: Revisions

  /// Returns the game's last revision; 0 before its first.
  func revision(of game: String) throws(StoreError) -> Int64
  /// Returns the last revision of every game that ever had one.
  func revisions() throws(StoreError) -> [String: Int64]
  /// Returns the revision of the last change of a key, for the game or for one player; nil before the first change. The game-wide revision
  /// changes with any game-wide layer of the key, a player's only with the player's override. The revision remains after the overrides are
  /// removed. It is never below the revision of one of the overrides.
  func revision(at slot: OverrideSlot) throws(StoreError) -> Int64?
  /// Returns the revision that last changed the game-wide value of each key.
  func keyRevisions(of game: String) throws(StoreError) -> [String: Int64]
  /// Returns the player's last revision; 0 before the first.
  func playerRevision(_ player: String, in game: String) throws(StoreError) -> Int64
  /// Raises the game's revision by one, and publishes ``StoreChange/revision(game:revision:)``.
  func nextRevision(of game: String) throws(StoreError) -> Int64
  /// Records the revision that last changed the game-wide values of keys, and publishes ``StoreChange/keys(_:game:revision:)``.
  func setRevision(_ revision: Int64, at keys: Set<String>, of game: String) throws(StoreError)
  /// Raises the player's revision by one, and returns it.
  func nextPlayerRevision(_ player: String, in game: String) throws(StoreError) -> Int64
  /// Raises the revisions of many distinct players by one.
  /// - Returns: The new revisions, in the order of the players.
  func nextPlayerRevisions(_ players: [String], in game: String) throws(StoreError) -> [Int64]

  // MARK: Overrides

  /// Returns the overrides of a key, for the game or for one player; empty if there are none.
  func overrides(at slot: OverrideSlot) throws(StoreError) -> KeyOverrides
  func overrides(in game: String, _ selection: OverrideSelection) throws(StoreError) -> [KeyOverrides]
  /// Returns the overrides in every game. Each element has those of one key, for the game or for one player.
  func overrides() throws(StoreError) -> [KeyOverrides]
  /// Returns the number of a game's overrides for single players. Each time window counts as an override.
  func playerOverridesCount(in game: String) throws(StoreError) -> Int
  /// Returns the targets of overrides with a time window that has ended, or whose stored state (open or not) is wrong at `now`.
  func slotsWithEdges(at now: Instant) throws(StoreError) -> [OverrideSlot]
  /// Returns the next instant at which an override's time window begins or ends; nil if no window does.
  func nextEdge(after now: Instant) throws(StoreError) -> Instant?
  /// Replaces the overrides of keys, for the game or for players, and records the revision of the change. Publishes
  /// ``StoreChange/overrides(_:revision:playerRevision:)`` for each key.
  func put(_ changed: [ChangedOverrides], revision: Int64) throws(StoreError)
  /// Replaces many overrides in one large change, and publishes ``StoreChange/overridesMany(_:)``.
  /// - Parameters:
  ///   - written: The same overrides as rows, encoded before the transaction.
  ///   - records: The number of stored players' overrides that the change replaces, windows included. If the game has no other players'
  ///     overrides, one statement removes them all.
  func put(_ many: BulkOverrides, written: OverrideRowBatch, over records: Int) throws(StoreError)

  // MARK: Games' clocks

  /// Returns the game's clock; the host's clock if the game's was never set.
  func clock(ofGame game: String) throws(StoreError) -> SimulatedClock
  /// Returns the clock of every game whose clock was ever set.
  func clocks() throws(StoreError) -> [String: SimulatedClock]
  /// Returns the latest host time of any write; nil if unknown.
  func hostSeen() throws(StoreError) -> Instant?
  /// Replaces the game's clock, and publishes ``StoreChange/clock(game:_:)``.
  func put(_ clock: SimulatedClock, ofGame game: String) throws(StoreError)
  /// Records the host's time, so that a clock that steps back is noticed even after a restart; nil clears it.
  func see(host: Instant?) throws(StoreError)

  // MARK: Accepted catalogs

  /// Returns the number and the digest of the catalog that the game accepted last; nil before the first.
  func newestCatalog(of game: String) throws(StoreError) -> (number: Int64, digest: Int64)?
  /// Returns an accepted catalog by its number; nil if the number does not exist or is no longer retained.
  func catalog(_ number: Int64, of game: String) throws(StoreError) -> StoredCatalog?
  /// Returns the digest of the catalog files whose acceptance was reverted; nil if there is no such digest. Files with that digest are not
  /// accepted again until they change.
  func revertedDigest(of game: String) throws(StoreError) -> Int64?
  /// Adds an accepted catalog, and removes the game's older ones beyond ``StoreLimits/catalogsMax`` or ``StoreLimits/catalogBytesMax``.
  func append(_ catalog: StoredCatalog, of game: String) throws(StoreError)
  /// Records the digest of the catalog files whose acceptance was reverted; nil clears it.
  func setRevertedDigest(_ digest: Int64?, of game: String) throws(StoreError)
  /// Records the digest of the files that the game's catalog was accepted from, as in ``AcceptedCatalog/digest(of:)``, and the revision of
  /// the changed keys. Publishes ``StoreChange/catalogAccepted(game:digest:keyRevisions:)``.
  func accept(_ digest: Int64, changing keys: Set<String>, at revision: Int64, of game: String) throws(StoreError)
  /// Removes everything about a game's catalogs, and publishes ``StoreChange/catalogForgotten(game:)``.
  func forgetCatalogs(of game: String) throws(StoreError)

  // MARK: The audit log

  /// Adds a line to the audit log, and publishes ``StoreChange/audited(_:)``.
  /// - Parameter keys: The keys of a line about many keys. The line can be found by each of them, even by those that its truncated detail
  ///   leaves out.
  /// - Returns: The line with its id.
  @discardableResult
  func append(_ record: AuditRecord, about keys: Set<String>) throws(StoreError) -> AuditRecord
}

extension StateTransaction {
  /// Raises the revisions of players one by one.
  package func nextPlayerRevisions(_ players: [String], in game: String) throws(StoreError) -> [Int64] {
    var revisions: [Int64] = []
    for player in players { revisions.append(try nextPlayerRevision(player, in: game)) }
    return revisions
  }

  package func put(_ overrides: KeyOverrides, revision: Int64, playerRevision: Int64? = nil) throws(StoreError) {
    try put([ChangedOverrides(overrides, playerRevision: playerRevision)], revision: revision)
  }

  /// Adds a line about the record's key, or about no key, to the audit log. Publishes the line.
  /// - Returns: The line with its id.
  @discardableResult
  package func append(_ record: AuditRecord) throws(StoreError) -> AuditRecord { try append(record, about: []) }
}
