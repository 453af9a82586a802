// A transaction on the served state, used while the database cannot store it.
import GameConfCore

/// Applies beginnings and ends of override windows, catalogs and stopped simulated clocks to the served state while the database is lost or
/// read-only. Valid on one thread.
final class UnsavedTransaction: StateTransaction {
  /// The state to serve after the transaction.
  private(set) var state: StoredState
  private(set) var changes: [StoreChange] = []
  /// True if a player got a new revision.
  private(set) var raisesPlayers = false

  init(_ state: StoredState) { self.state = state }

  /// Begins an epoch, because the database will assign the same revisions to other changes.
  func beginEpoch() { state.epoch = .random(in: .min ... .max) }

  func publish(_ change: StoreChange) {
    state.apply(change)
    changes.append(change)
  }

  // MARK: Revisions

  func revision(of game: String) -> Int64 { state.revisions[game] ?? 0 }
  func revisions() -> [String: Int64] { state.revisions }
  func revision(at slot: OverrideSlot) -> Int64? { state.revision(at: slot) }
  func keyRevisions(of game: String) -> [String: Int64] { state.keyRevisions(of: game) }
  /// Returns the highest revision of any player, because single players' revisions are unknown.
  func playerRevision(_ player: String, in game: String) -> Int64 { state.playerRevisionMax }

  func nextRevision(of game: String) -> Int64 {
    let revision = revision(of: game) + 1
    publish(.revision(game: game, revision: revision))
    return revision
  }

  func setRevision(_ revision: Int64, at keys: Set<String>, of game: String) { publish(.keys(keys, game: game, revision: revision)) }

  func nextPlayerRevision(_ player: String, in game: String) -> Int64 {
    raisesPlayers = true
    state.playerRevisionMax += 1
    return state.playerRevisionMax
  }

  // MARK: Overrides

  func overrides(at slot: OverrideSlot) -> KeyOverrides { state[slot] ?? KeyOverrides(slot: slot) }
  func overrides(in game: String, _ selection: OverrideSelection) -> [KeyOverrides] {
    state.overrides(of: game).all.filter { selection.contains($0.slot) }.sorted { $0.slot < $1.slot }
  }
  func overrides() -> [KeyOverrides] { state.sortedOverrides }
  func playerOverridesCount(in game: String) -> Int {
    state.overrides(of: game).counts.players
  }
  func slotsWithEdges(at now: Instant) -> [OverrideSlot] { state.slotsWithEdges(at: now) }
  func nextEdge(after now: Instant) -> Instant? {
    state.slotsWithWindows.compactMap { state[$0]?.edges(after: now).min() }.min()
  }

  func put(_ changed: [ChangedOverrides], revision: Int64) {
    for each in changed { publish(.overrides(each.overrides, revision: revision, playerRevision: each.playerRevision)) }
  }
  func put(_ many: BulkOverrides, written: OverrideRowBatch, over records: Int) { publish(.overridesMany(many)) }

  // MARK: Clocks

  func clock(ofGame game: String) -> SimulatedClock { state.clocks[game] ?? .host }
  func clocks() -> [String: SimulatedClock] { state.clocks }
  func hostSeen() -> Instant? { state.hostSeen }
  func put(_ clock: SimulatedClock, ofGame game: String) { publish(.clock(game: game, clock)) }
  func see(host: Instant?) { state.hostSeen = host }

  // MARK: Accepted catalogs, whose files are only in the database and beside it

  func newestCatalog(of game: String) -> (number: Int64, digest: Int64)? { nil }
  func catalog(_ number: Int64, of game: String) -> StoredCatalog? { nil }
  func revertedDigest(of game: String) -> Int64? { nil }
  func append(_ catalog: StoredCatalog, of game: String) {}
  func setRevertedDigest(_ digest: Int64?, of game: String) {}
  func accept(_ digest: Int64, changing keys: Set<String>, at revision: Int64, of game: String) {
    publish(.catalogAccepted(game: game, digest: digest, keyRevisions: Dictionary(uniqueKeysWithValues: keys.map { ($0, revision) })))
  }
  func forgetCatalogs(of game: String) { publish(.catalogForgotten(game: game)) }

  // MARK: The audit log, which is in the database

  func append(_ record: AuditRecord, about keys: Set<String>) -> AuditRecord {
    changes.append(.audited(record))
    return record
  }
}

extension StoreMonitor {
  /// Runs, on the served state, the transactions that need no database, and fails the others.
  /// - Parameters:
  ///   - isApart: True if this host already serves an epoch that the database does not have.
  ///   - publish: Publishes the changes of one transaction.
  /// - Returns: True if, from now on, this host serves an epoch that the database does not have.
  func refuse(_ jobs: [any WriterJob], _ error: StoreError, isApart: Bool, publish: ([StoreChange]) -> Void) -> Bool {
    var isApart = isApart
    for job in jobs {
      guard job.survivesLoss else {
        job.fail(error)
        continue
      }
      let changes = runUnsaved(job, beginsEpoch: !isApart)
      isApart = isApart || !changes.isEmpty
      publish(changes)
      job.settle()
    }
    return isApart
  }

  /// Runs a transaction on the served state, and serves the result.
  ///
  /// The first such transaction begins an epoch, because the database will assign its revisions again. Its changes are published together
  /// with the epoch. A reader who saw the changes before the epoch would see one revision of the former epoch name two values.
  /// - Returns: The changes to publish in one batch; empty if the transaction changed nothing.
  private func runUnsaved(_ job: any WriterJob, beginsEpoch: Bool) -> [StoreChange] {
    let served = served
    let transaction = UnsavedTransaction(served)
    guard job.run(unsaved: transaction) else { return [] }
    let changes = transaction.changes
    if changes.isEmpty, transaction.state.hostSeen == served.hostSeen { return [] }
    let begins = beginsEpoch && !changes.isEmpty
    if begins { transaction.beginEpoch() }
    noteUnsaved(transaction)
    return begins ? [.replaced(contents)] + changes : changes
  }
}
