// The execution and the commit of a batch's transactions.

extension SQLiteWriter {
  private static let slotsOfLargeMin = 1_000

  /// True if a batch changed overrides at more than 1,000 slots. A slot is one key for the game or for one player.
  static func isLarge(_ notes: WriteTransaction.BatchChanges) -> Bool { notes.slotsCount > slotsOfLargeMin }

  func commit(_ jobs: [any WriterJob], in database: SQLiteConnection, succeeded: inout Int) throws -> WriteTransaction.BatchChanges {
    try database.run("BEGIN IMMEDIATE")
    if let notes = try commitWithoutSavepoints(jobs, in: database, succeeded: &succeeded) { return notes }
    succeeded = 0
    let transaction = WriteTransaction(database, floors: shared.floors, noting: shared.noteUnreadable)
    for job in jobs {
      if job.mode.isDryRun {
        try transaction.dryRun(job)
        continue
      }
      let before = transaction.notes.mark
      try database.run("SAVEPOINT turn")
      let hasSucceeded = job.run(in: transaction)
      if let failure = transaction.failure { throw failure }
      if hasSucceeded {
        succeeded += 1
      } else {
        transaction.notes.goBack(to: before)
        try database.run("ROLLBACK TO turn")
      }
      try database.run("RELEASE turn")
    }
    try end(transaction, keeps: succeeded > 0, in: database)
    return transaction.notes
  }

  private func end(_ transaction: WriteTransaction, keeps: Bool, in database: SQLiteConnection) throws {
    if keeps, transaction.notes.playerRevisionMax > playerRevisionMax {
      try transaction.setNumber(transaction.notes.playerRevisionMax, RevisionRows.playerMax)
    }
    // A checkpoint after a large change takes as long as the change, so it is left to the thread of `WALCheckpointer`, or to a later
    // commit.
    if keeps, Self.isLarge(transaction.notes) { emptyLog(from: 0) }
    try database.run(keeps ? "COMMIT" : "ROLLBACK")
  }

  /// Runs a batch without savepoints. A transaction that refuses nearly always does so before its first write, so it need not be rolled
  /// back.
  /// - Returns: The changes of the committed batch; nil if a transaction must be rolled back, so that the batch must run again with
  ///   savepoints in the same database transaction.
  private func commitWithoutSavepoints(_ jobs: [any WriterJob], in database: SQLiteConnection, succeeded: inout Int) throws
    -> WriteTransaction.BatchChanges?
  {
    let transaction = WriteTransaction(database, floors: shared.floors, noting: shared.noteUnreadable)
    for job in jobs {
      let before = (mark: transaction.notes.mark, changes: database.totalChangesCount)
      if job.mode.isDryRun {
        // Rolls back a dry run with its own savepoint, so that it does not slow down the rest of the batch.
        try transaction.dryRun(job)
        continue
      }
      let isWhole = job.run(in: transaction)
      if let failure = transaction.failure { throw failure }
      if isWhole {
        succeeded += 1
      } else if transaction.notes.mark != before.mark || database.totalChangesCount != before.changes {
        try database.run("ROLLBACK")
        try database.run("BEGIN IMMEDIATE")
        return nil
      }
    }
    try end(transaction, keeps: succeeded > 0, in: database)
    return transaction.notes
  }
}
