// The publication of other hosts' changes.
import GameConfCore

extension PostgresWriter {
  /// Reads the changes of other daemons, and publishes them in the order of their revisions.
  func catchUp() {
    guard let session else { return }
    do {
      let changes = try PostgresChanges(session, served: shared.served)
      if let notes = changes.notes {
        shared.noteCommit(notes, isWritten: false)
        publish(notes.changes)
        if !changes.catalogs.isEmpty { setup.catalogsChanged(changes.catalogs) }
      } else if let whole = changes.whole {
        serve(whole)
      }
    } catch {
      close()
      meet(DatabaseFailure(error))
    }
  }

  /// Reads players that other daemons have changed, and publishes them.
  func publishChanges(of players: [PlayerID]) {
    guard let session, shared.publication != nil else { return }
    let transaction = PostgresTransaction(session.connection, grammar)
    transaction.add(PostgresCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
    let view = ReadTransaction(
      transaction, floors: ReadTransaction.RevisionFloors(revisions: [:], players: shared.floors.players), noting: shared.noteUnreadable)
    // An unreadable player is reported at its next request.
    let changes = players.compactMap { id in (try? view.player(id)).map { StoreChange.player(id, $0) } }
    session.rollBack()
    if transaction.failure == nil { publish(changes) } else { checkRecovery() }
  }

  /// Publishes that the audit log has lines up to this id, after all earlier changes of games.
  func publishAuditLines(upTo last: Int64) { publish([.auditLogReaches(last)]) }
}
