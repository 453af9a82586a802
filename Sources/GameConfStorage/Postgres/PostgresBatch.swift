// One batch of transactions in one database transaction, repeated as often as needed.
import GameConfCore

/// The run of one batch of transactions in one database transaction.
final class PostgresBatch {
  let jobs: [any WriterJob]
  /// The batch's number. The database transaction writes it to the writer's row in `writers`, which shows whether the batch is committed.
  let number: Int64
  /// The number of transactions that were not rolled back.
  private(set) var succeeded = 0
  /// The number of round trips that transactions waited for.
  private(set) var waits = 0
  private(set) var notes = WriteTransaction.BatchChanges()
  /// The changed games of which other hosts must be notified, each with the number of players that the batch forgot.
  private(set) var games: [String: Int] = [:]
  /// True if the server may have received the commit.
  private(set) var isCommitting = false
  /// True if another daemon has changed a game of this batch and this daemon has not read the change yet.
  private(set) var isBehind = false
  private let session: PostgresSession
  private let floors: ReadTransaction.RevisionFloors
  private let noting: (UnreadableRow) -> Void

  init(
    _ jobs: [any WriterJob], _ session: PostgresSession, floors: ReadTransaction.RevisionFloors, noting: @escaping (UnreadableRow) -> Void
  ) {
    self.jobs = jobs
    self.session = session
    self.noting = noting
    // Only players have a lower bound of revisions here: after a loss, `PostgresSession.raise` raises the revisions in the games' rows.
    self.floors = ReadTransaction.RevisionFloors(revisions: [:], players: floors.players)
    number = session.batch + 1
  }

  /// Runs the transactions and commits the successful ones.
  func run(playerRevisionMax: Int64) throws(DatabaseFailure) {
    let scope = BatchScope(jobs.map(\.mode))
    if try attempt(scope, playerRevisionMax, hasSavepoints: false) { return }
    session.rollBack()
    _ = try attempt(scope, playerRevisionMax, hasSavepoints: true)
  }

  /// Runs the batch once. Savepoints are rarely needed: a transaction that refuses nearly always does so before its first write, or before
  /// its writes were sent, so the server need not roll it back.
  /// - Returns: False if the server must roll back a transaction, for which the batch needs savepoints.
  private func attempt(_ scope: BatchScope, _ playerRevisionMax: Int64, hasSavepoints: Bool) throws(DatabaseFailure) -> Bool {
    succeeded = 0
    let (transaction, locked) = try session.begin(
      scope, playerRevisionMax: playerRevisionMax, numbers: scope.players.isEmpty ? 0 : 2 * jobs.count)
    for (game, stamp) in locked where stamp != session.stamps[game] ?? GameStateVersion() {
      isBehind = true
      throw DatabaseFailure(.raced, "another daemon has changed \(game)")
    }
    let writes = WriteTransaction(transaction, floors: floors, noting: noting)
    for job in jobs {
      let mark = (notes: writes.notes.mark, rows: transaction.mark)
      transaction.begin(job.mode.scope)
      if hasSavepoints { transaction.add(PostgresCommand("SAVEPOINT turn")) }
      let hasSucceeded = job.run(in: writes) && !job.mode.isDryRun
      if let failure = transaction.failure { throw failure }
      if let failure = writes.failure { throw DatabaseFailure(.failed, "\(failure.storeError)") }
      if hasSucceeded {
        succeeded += 1
        if hasSavepoints { transaction.add(PostgresCommand("RELEASE turn")) }
        continue
      }
      writes.notes.goBack(to: mark.notes)
      if transaction.goBack(to: mark.rows) { continue }
      guard hasSavepoints else { return false }
      transaction.forgetRowVersions(since: mark.rows)
      transaction.add(PostgresCommand("ROLLBACK TO turn"))
      transaction.add(PostgresCommand("RELEASE turn"))
    }
    notes = writes.notes
    waits = transaction.waits - 1
    try end(transaction)
    return true
  }

  private func end(_ transaction: PostgresTransaction) throws(DatabaseFailure) {
    guard succeeded > 0 else { return session.rollBack() }
    for change in notes.changes {
      guard let game = change.game else { continue }
      if case .forgotten = change { games[game, default: 0] += 1 } else { games[game, default: 0] += 0 }
    }
    isCommitting = true
    do throws(DatabaseFailure) { try session.commit(transaction, games: games) } catch {
      // An error from the server means that it did not commit. After a lost connection the outcome is unknown.
      isCommitting = error.kind == .disconnected || error.kind == .busy
      throw error
    }
  }
}
