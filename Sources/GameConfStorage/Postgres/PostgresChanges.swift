// What other daemons have changed since this one looked last.
import GameConfCore
import GameConfEngine

/// What is new in the database, read in one snapshot.
struct PostgresChanges {
  /// What changed, where it could be told apart; nil when all is to be taken anew.
  private(set) var notes: TableWriteTransaction.Notes?
  /// Everything, where it could not.
  private(set) var whole: LoadedState?
  /// The games of which another catalog was accepted, or none is any more.
  private(set) var catalogs: [String] = []

  /// Reads it, and notes in the session how far it is known.
  init(_ session: PostgresSession, served: StoredState) throws {
    let transaction = PostgresTransaction(session.connection, session.grammar)
    transaction.add(PostgresCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
    do {
      let stamps = PostgresSession.stamps(try transaction.round([PostgresSession.stampsQuery])[0])
      let view = TableReadTransaction(transaction, floors: TableReadTransaction.Floors())
      let changed = stamps.filter { $0.value != session.stamps[$0.key] }.keys.sorted()
      // Slots of a player who was forgotten are gone without a trace, and a template is more than its slots.
      let isTraceless = changed.contains { stamps[$0]?.forgets != session.stamps[$0, default: GameStamp()].forgets }
      let digests = try view.catalogDigests()
      catalogs = Self.differing(digests, served.catalogDigests)
      let isGone = served.catalogDigests.keys.contains { digests[$0] == nil }
      if try isTraceless || isGone || view.activations() != served.activations
        || UInt64(bitPattern: view.number(RevisionRows.epoch)) != served.epoch
      {
        _ = try transaction.round([PostgresCommand("COMMIT")])
        whole = try session.load()
        return
      }
      var notes = TableWriteTransaction.Notes()
      // A catalog that was accepted is a change of its game.
      for game in Set(changed).union(catalogs).sorted() {
        try note(game, accepting: catalogs.contains(game) ? digests[game] : nil, in: view, transaction, served, &notes)
      }
      _ = try transaction.round([PostgresCommand("COMMIT")])
      session.stamps = stamps
      self.notes = notes
    } catch {
      session.rollBack()
      throw transaction.failure ?? error
    }
  }

  /// The games whose catalogs are not the same.
  static func differing(_ digests: [String: Int64], _ others: [String: Int64]) -> [String] {
    Set(digests.keys).union(others.keys).filter { digests[$0] != others[$0] }.sorted()
  }

  /// A slot's last revision stays when its overrides are removed, so all slots that have changed are found by it, those too that were set and unset since
  /// the last look. Where another catalog was accepted, its keys are left to the code that follows catalogs: before that, the new revision would name the
  /// value of the old one.
  private func note(
    _ game: String, accepting digest: Int64?, in view: TableReadTransaction, _ transaction: PostgresTransaction, _ served: StoredState,
    _ notes: inout TableWriteTransaction.Notes
  ) throws {
    let known = served.revisions[game] ?? 0
    let rows = try transaction.rows(RevisionRows.changedSlots, [game, known])
    let revision = try view.revision(of: game)
    if revision > known { notes.changes.append(.revision(game: game, revision: revision)) }
    var keysOfCatalog: [String: Int64] = [:]
    for row in rows {
      let player = try row.text(0)
      let slot = OverrideSlot(game: game, player: player.isEmpty ? nil : player, key: try row.text(1))
      let revision = try row.integer(2)
      let overrides = try view.overrides(at: slot)
      if overrides.isEmpty, served[slot] == nil, slot.player == nil, digest != nil {
        keysOfCatalog[slot.key] = revision
      } else {
        let playerRevision = try slot.player.map { try view.playerRevision($0, in: game) }
        notes.changes.append(.overrides(overrides, revision: revision, playerRevision: playerRevision))
      }
    }
    if let digest { notes.changes.append(.catalogAccepted(game: game, digest: digest, keyRevisions: keysOfCatalog)) }
    let clock = try view.clock(ofGame: game)
    if clock != served.clocks[game] ?? .host { notes.changes.append(.clock(game: game, clock)) }
  }
}
