// One batch: its transactions in one of the database, as often as it must be tried.
import GameConfCore

/// A batch under way.
final class PostgresBatch {
  let jobs: [any WriterJob]
  /// The number by which this daemon's row shows whether it is in.
  let number: Int64
  /// The number of transactions that were kept.
  private(set) var kept = 0
  /// The number of times that transactions waited for the database.
  private(set) var waits = 0
  private(set) var notes = WriteTransaction.Notes()
  /// The games that others must hear of, each with how many players were forgotten.
  private(set) var games: [String: Int] = [:]
  /// True if the commit may have reached the server.
  private(set) var isCommitting = false
  /// True if another daemon has changed a game that this batch decides about, and this one has not read it yet.
  private(set) var isBehind = false
  private let session: PostgresSession
  private let floors: ReadTransaction.Floors
  private let noting: (UnreadableRow) -> Void

  init(_ jobs: [any WriterJob], _ session: PostgresSession, floors: ReadTransaction.Floors, noting: @escaping (UnreadableRow) -> Void) {
    self.jobs = jobs
    self.session = session
    self.noting = noting
    // What revisions are, the rows say; what they never fall below was raised in the rows.
    self.floors = ReadTransaction.Floors(revisions: [:], players: floors.players)
    number = session.batch + 1
  }

  /// Runs the transactions and commits what they keep.
  func run(playerRevisionMax: Int64) throws(DatabaseFailure) {
    let scope = BatchScope(jobs.map(\.mode))
    if try attempt(scope, playerRevisionMax, hasSavepoints: false) { return }
    session.rollBack()
    _ = try attempt(scope, playerRevisionMax, hasSavepoints: true)
  }

  /// A transaction nearly always refuses before it has written, or before anything of it was sent: then there is nothing to undo.
  /// - Returns: false when the server must undo a transaction, which it can only with savepoints.
  private func attempt(_ scope: BatchScope, _ playerRevisionMax: Int64, hasSavepoints: Bool) throws(DatabaseFailure) -> Bool {
    kept = 0
    let (transaction, locked) = try session.begin(
      scope, playerRevisionMax: playerRevisionMax, numbers: scope.players.isEmpty ? 0 : 2 * jobs.count)
    for (game, stamp) in locked where stamp != session.stamps[game] ?? GameStamp() {
      isBehind = true
      throw DatabaseFailure(.raced, "another daemon has changed \(game)")
    }
    let writes = WriteTransaction(transaction, floors: floors, noting: noting)
    for job in jobs {
      let mark = (notes: writes.notes.mark, rows: transaction.mark)
      transaction.begin(job.mode.scope)
      if hasSavepoints { transaction.add(PostgresCommand("SAVEPOINT turn")) }
      let isKept = job.run(in: writes) && !job.mode.isDryRun
      if let failure = transaction.failure { throw failure }
      if let failure = writes.failure { throw DatabaseFailure(.failed, "\(failure.storeError)") }
      if isKept {
        kept += 1
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
    guard kept > 0 else { return session.rollBack() }
    for change in notes.changes {
      guard let game = change.game else { continue }
      if case .forgotten = change { games[game, default: 0] += 1 } else { games[game, default: 0] += 0 }
    }
    isCommitting = true
    do throws(DatabaseFailure) { try session.commit(transaction, games: games) } catch {
      // What the server refused is not in; only a line that broke leaves it open.
      isCommitting = error.kind == .disconnected || error.kind == .busy
      throw error
    }
  }
}
