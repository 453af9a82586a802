// The changes that other daemons have made since this one last read the database.
import GameConfCore

/// The changes that other daemons have made in the database, read in one snapshot.
struct PostgresChanges {
  /// The individual changes; nil if they cannot be determined, in which case ``whole`` has the state.
  private(set) var notes: WriteTransaction.BatchChanges?
  /// The whole state, if the individual changes cannot be determined.
  private(set) var whole: LoadedState?
  /// The games for which another daemon accepted or removed a catalog.
  private(set) var catalogs: [String] = []

  /// Reads the changes, and records in the session the versions of the games that were read.
  init(_ session: PostgresSession, served: StoredState) throws {
    let transaction = PostgresTransaction(session.connection, session.grammar)
    transaction.add(PostgresCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
    do {
      let stamps = PostgresSession.stamps(try transaction.round([PostgresSession.stampsQuery])[0])
      let view = ReadTransaction(transaction, floors: ReadTransaction.RevisionFloors())
      let changed = stamps.filter { $0.value != session.stamps[$0.key] }.keys.sorted()
      let digests = try view.catalogDigests()
      catalogs = Self.differing(digests, served.catalogDigests)
      let isGone = served.catalogDigests.keys.contains { digests[$0] == nil }
      let isOther = try UInt64(bitPattern: view.number(RevisionRows.epoch)) != served.epoch
      var notes = WriteTransaction.BatchChanges()
      var isWhole = isGone || isOther
      // A newly accepted catalog counts as a change of its game.
      for game in Set(changed).union(catalogs).sorted() where !isWhole {
        let forgets = [stamps, session.stamps].map { $0[game, default: GameStateVersion()].forgets }
        let changed = ChangedGame(
          name: game, accepted: catalogs.contains(game) ? digests[game] : nil, hasForgotten: forgets[0] != forgets[1], view: view,
          served: served)
        if let changes = try changed.changes() { notes.changes += changes } else { isWhole = true }
      }
      _ = try transaction.round([PostgresCommand("COMMIT")])
      if isWhole {
        whole = try session.load()
      } else {
        session.stamps = stamps
        self.notes = notes
      }
    } catch {
      session.rollBack()
      throw transaction.failure ?? error
    }
  }

  /// Returns the games whose catalogs have different digests in the two sets, or that are only in one of them.
  static func differing(_ digests: [String: Int64], _ others: [String: Int64]) -> [String] {
    Set(digests.keys).union(others.keys).filter { digests[$0] != others[$0] }.sorted()
  }
}
