// The transaction that goes on without the database.
package import GameConfCore

/// A transaction over the state that is served, and no more. Window edges, catalogs and held clocks need only this, and go on while the database is
/// lost or cannot be written.
///
/// Without the database a change is served and published, and is in `last-good.json`. Its audit line is published and has no number.
package protocol StateTransaction {
  /// Adds a change of no table to those that are published when the batch is committed: a compiled catalog, a player as stored, an event.
  func publish(_ change: StoreChange)

  // MARK: Revisions

  /// The game's last revision; 0 before its first.
  func revision(of game: String) throws(StoreError) -> Int64
  /// The last revision of every game that ever had one.
  func revisions() throws(StoreError) -> [String: Int64]
  /// The revision that last changed a slot: for the game-wide slot any game-wide layer of its key, for a player's the override. Nil before
  /// the first; kept after an unset. Never less than the revision of an override that stands there.
  func revision(at slot: OverrideSlot) throws(StoreError) -> Int64?
  /// The revisions of the game-wide slots, by key.
  func keyRevisions(of game: String) throws(StoreError) -> [String: Int64]
  /// The player's last revision; 0 before the first.
  func playerRevision(_ player: String, in game: String) throws(StoreError) -> Int64
  /// Raises the game's revision by one, and publishes ``StoreChange/revision(game:revision:)``.
  func nextRevision(of game: String) throws(StoreError) -> Int64
  /// Notes that a revision changed the game-wide answers at keys, and publishes ``StoreChange/keys(_:game:revision:)``.
  func setRevision(_ revision: Int64, at keys: Set<String>, of game: String) throws(StoreError)
  /// Raises the player's revision by one.
  func nextPlayerRevision(_ player: String, in game: String) throws(StoreError) -> Int64
  /// The same for many players, of whom none is named twice.
  /// - Returns: their revisions, in order.
  func nextPlayerRevisions(_ players: [String], in game: String) throws(StoreError) -> [Int64]

  // MARK: Overrides

  /// The overrides at a slot; empty when there are none.
  func overrides(at slot: OverrideSlot) throws(StoreError) -> KeyOverrides
  /// The overrides in a game, by slot.
  func overrides(in game: String, _ selection: OverrideSelection) throws(StoreError) -> [KeyOverrides]
  /// The overrides in every game, by slot.
  func overrides() throws(StoreError) -> [KeyOverrides]
  /// The number of overrides of players a game has, windows counted.
  func playerOverridesCount(in game: String) throws(StoreError) -> Int
  /// The slots that have an edge to apply: a window that has ended, should be open and is not, or is open and should not be.
  func slotsWithEdges(at now: Instant) throws(StoreError) -> [OverrideSlot]
  /// The next instant at which a window begins or ends; nil when none does.
  func nextEdge(after now: Instant) throws(StoreError) -> Instant?
  /// Replaces the overrides of slots, notes the revision that changes the slots, and publishes ``StoreChange/overrides(_:revision:playerRevision:)`` for
  /// each.
  func put(_ changed: [ChangedOverrides], revision: Int64) throws(StoreError)
  /// Replaces the overrides of one large change, and publishes ``StoreChange/overridesMany(_:)``.
  /// - Parameters:
  ///   - written: The same overrides as rows.
  ///   - records: The number of overrides of players at these slots, windows counted. If the game has no more, all are removed together.
  func put(_ many: BulkOverrides, written: OverrideRowBatch, over records: Int) throws(StoreError)

  // MARK: Games' clocks

  /// The game's clock; the host's own unless it was ever set.
  func clock(ofGame game: String) throws(StoreError) -> SimulatedClock
  /// The clock of every game that was ever set.
  func clocks() throws(StoreError) -> [String: SimulatedClock]
  /// The latest instant that the host's clock showed when something was written; nil when that is not known.
  func hostSeen() throws(StoreError) -> Instant?
  /// Replaces the game's clock, and publishes ``StoreChange/clock(game:_:)``.
  func put(_ clock: SimulatedClock, ofGame game: String) throws(StoreError)
  /// Notes what the host's clock shows, so that a step back is noticed after a restart too; nil forgets it.
  func see(host: Instant?) throws(StoreError)

  // MARK: Accepted catalogs

  /// The number and the digest of a game's newest acceptance; nil before the first.
  func newestCatalog(of game: String) throws(StoreError) -> (number: Int64, digest: Int64)?
  /// An acceptance; nil where there was none of that number, or it is kept no more.
  func catalog(_ number: Int64, of game: String) throws(StoreError) -> StoredCatalog?
  /// The digest that was taken back of a game, and is not accepted from its files until they change; nil where none was.
  func revertedDigest(of game: String) throws(StoreError) -> Int64?
  /// Adds an acceptance; of the older ones those go that are beyond ``StoreLimits/catalogsMax`` or ``StoreLimits/catalogBytesMax``.
  func append(_ catalog: StoredCatalog, of game: String) throws(StoreError)
  /// Notes what was taken back; nil notes that nothing is.
  func setRevertedDigest(_ digest: Int64?, of game: String) throws(StoreError)
  /// Notes which files the game's catalog was accepted from, as ``AcceptedCatalog/digest(of:)`` distinguishes them, and the revision that changed
  /// keys by it. Publishes ``StoreChange/catalogAccepted(game:digest:keyRevisions:)``.
  func accept(_ digest: Int64, changing keys: Set<String>, at revision: Int64, of game: String) throws(StoreError)
  /// Removes everything about a game's catalogs, and publishes ``StoreChange/catalogForgotten(game:)``.
  func forgetCatalogs(of game: String) throws(StoreError)

  // MARK: The audit log

  /// Adds a line, and publishes ``StoreChange/audited(_:)``.
  /// - Parameter keys: the keys that it is about, where those are many: it is found by each, also by those that its detail has no room for.
  /// - Returns: it with its id.
  @discardableResult
  func append(_ record: AuditRecord, about keys: Set<String>) throws(StoreError) -> AuditRecord
}

extension StateTransaction {
  /// Raises the revisions of players one after the other.
  package func nextPlayerRevisions(_ players: [String], in game: String) throws(StoreError) -> [Int64] {
    var revisions: [Int64] = []
    for player in players { revisions.append(try nextPlayerRevision(player, in: game)) }
    return revisions
  }

  /// Replaces the overrides of one slot.
  package func put(_ overrides: KeyOverrides, revision: Int64, playerRevision: Int64? = nil) throws(StoreError) {
    try put([ChangedOverrides(overrides, playerRevision: playerRevision)], revision: revision)
  }

  /// Adds a line about its own key, or about none, and publishes it.
  /// - Returns: it with its id.
  @discardableResult
  package func append(_ record: AuditRecord) throws(StoreError) -> AuditRecord { try append(record, about: []) }
}
