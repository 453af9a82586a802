// The subset of a transaction that works without the database.
package import GameConfCore

/// A transaction over the served state alone. Window edges, catalogs and held clocks need only this, so they work while the database is
/// lost or read-only.
///
/// Without the database, a change is served, published, and written to `last-good.json`. Its audit line is published without a number.
package protocol StateTransaction {
  /// Adds a change that is in no table to those published at the batch's commit: a compiled catalog, a player as stored, an event.
  func publish(_ change: StoreChange)

  // MARK: Revisions

  /// Returns the game's last revision; 0 before its first.
  func revision(of game: String) throws(StoreError) -> Int64
  /// Returns the last revision of every game that ever had one.
  func revisions() throws(StoreError) -> [String: Int64]
  /// Returns the revision that last changed a slot. For a game-wide slot it is that of any game-wide layer of its key, for a player's slot
  /// that of the override. It is nil before the first change, stays after an unset, and is never below that of an override at the slot.
  func revision(at slot: OverrideSlot) throws(StoreError) -> Int64?
  /// Returns the revisions of the game-wide slots, by key.
  func keyRevisions(of game: String) throws(StoreError) -> [String: Int64]
  /// Returns the player's last revision; 0 before the first.
  func playerRevision(_ player: String, in game: String) throws(StoreError) -> Int64
  /// Raises the game's revision by one, and publishes ``StoreChange/revision(game:revision:)``.
  func nextRevision(of game: String) throws(StoreError) -> Int64
  /// Records that a revision changed the game-wide answers at keys, and publishes ``StoreChange/keys(_:game:revision:)``.
  func setRevision(_ revision: Int64, at keys: Set<String>, of game: String) throws(StoreError)
  /// Raises the player's revision by one.
  func nextPlayerRevision(_ player: String, in game: String) throws(StoreError) -> Int64
  /// Raises the revisions of many distinct players by one.
  /// - Returns: The new revisions, in order.
  func nextPlayerRevisions(_ players: [String], in game: String) throws(StoreError) -> [Int64]

  // MARK: Overrides

  /// Returns the overrides at a slot; empty if there are none.
  func overrides(at slot: OverrideSlot) throws(StoreError) -> KeyOverrides
  func overrides(in game: String, _ selection: OverrideSelection) throws(StoreError) -> [KeyOverrides]
  /// Returns the overrides in every game, by slot.
  func overrides() throws(StoreError) -> [KeyOverrides]
  /// Returns the number of a game's overrides for players, windows included.
  func playerOverridesCount(in game: String) throws(StoreError) -> Int
  /// Returns the slots that have an edge to apply: an ended window, or one that is open or closed and should not be.
  func slotsWithEdges(at now: Instant) throws(StoreError) -> [OverrideSlot]
  /// Returns the next instant at which a window begins or ends; nil if there is none.
  func nextEdge(after now: Instant) throws(StoreError) -> Instant?
  /// Replaces the overrides of slots, records the revision of the change, and publishes
  /// ``StoreChange/overrides(_:revision:playerRevision:)`` for each slot.
  func put(_ changed: [ChangedOverrides], revision: Int64) throws(StoreError)
  /// Replaces the overrides of one large change, and publishes ``StoreChange/overridesMany(_:)``.
  /// - Parameters:
  /// The same overrides as rows, encoded before the transaction.
  /// The number of players' overrides at these slots, windows included. If the game has no others, one statement removes them all.
  func put(_ many: BulkOverrides, written: OverrideRowBatch, over records: Int) throws(StoreError)

  // MARK: Games' clocks

  /// Returns the game's clock; the host's own if it was never set.
  func clock(ofGame game: String) throws(StoreError) -> SimulatedClock
  /// Returns the clock of every game whose clock was ever set.
  func clocks() throws(StoreError) -> [String: SimulatedClock]
  /// Returns the latest host time of any write; nil if unknown.
  func hostSeen() throws(StoreError) -> Instant?
  /// Replaces the game's clock, and publishes ``StoreChange/clock(game:_:)``.
  func put(_ clock: SimulatedClock, ofGame game: String) throws(StoreError)
  /// Records the host's time, so that a step back is noticed after a restart too; nil clears it.
  func see(host: Instant?) throws(StoreError)

  // MARK: Accepted catalogs

  /// Returns the number and the digest of a game's newest acceptance; nil before the first.
  func newestCatalog(of game: String) throws(StoreError) -> (number: Int64, digest: Int64)?
  /// Returns an acceptance; nil if the number does not exist or is no longer retained.
  func catalog(_ number: Int64, of game: String) throws(StoreError) -> StoredCatalog?
  /// Returns the game's reverted digest; nil if there is none. Files with that digest are not accepted again until they change.
  func revertedDigest(of game: String) throws(StoreError) -> Int64?
  /// Adds an acceptance, and removes older ones beyond ``StoreLimits/catalogsMax`` or ``StoreLimits/catalogBytesMax``.
  func append(_ catalog: StoredCatalog, of game: String) throws(StoreError)
  /// Records the game's reverted digest; nil clears it.
  func setRevertedDigest(_ digest: Int64?, of game: String) throws(StoreError)
  /// Records the digest of the files that the game's catalog was accepted from, as in ``AcceptedCatalog/digest(of:)``, and the revision of
  /// the changed keys. Publishes ``StoreChange/catalogAccepted(game:digest:keyRevisions:)``.
  func accept(_ digest: Int64, changing keys: Set<String>, at revision: Int64, of game: String) throws(StoreError)
  /// Removes everything about a game's catalogs, and publishes ``StoreChange/catalogForgotten(game:)``.
  func forgetCatalogs(of game: String) throws(StoreError)

  // MARK: The audit log

  /// Adds a line, and publishes ``StoreChange/audited(_:)``.
  /// - Parameter keys: The keys of a line about many keys. The line is found by each, including those that its truncated detail leaves out.
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

  /// Adds a line about its own key or about no key, and publishes it.
  /// - Returns: The line with its id.
  @discardableResult
  package func append(_ record: AuditRecord) throws(StoreError) -> AuditRecord { try append(record, about: []) }
}
