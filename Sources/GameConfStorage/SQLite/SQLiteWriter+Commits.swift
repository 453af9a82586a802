// The part of the writer that runs a batch's transactions and commits them.

extension SQLiteWriter {
  private static let slotsOfLargeMin = 1_000

  /// True if a large change of overrides is in a batch.
  static func isLarge(_ notes: WriteTransaction.Notes) -> Bool { notes.slotsCount > slotsOfLargeMin }

  func commit(_ jobs: [any WriterJob], in database: SQLiteConnection, kept: inout Int) throws -> WriteTransaction.Notes {
    try database.run("BEGIN IMMEDIATE")
    if let notes = try commitWithoutSavepoints(jobs, in: database, kept: &kept) { return notes }
    kept = 0
    let transaction = WriteTransaction(database, floors: shared.floors, noting: shared.noteUnreadable)
    for job in jobs {
      if job.mode.isDryRun {
        try transaction.dryRun(job)
        continue
      }
      let before = transaction.notes.mark
      try database.run("SAVEPOINT turn")
      let isKept = job.run(in: transaction)
      if let failure = transaction.failure { throw failure }
      if isKept {
        kept += 1
      } else {
        transaction.notes.goBack(to: before)
        try database.run("ROLLBACK TO turn")
      }
      try database.run("RELEASE turn")
    }
    try end(transaction, keeps: kept > 0, in: database)
    return transaction.notes
  }

  private func end(_ transaction: WriteTransaction, keeps: Bool, in database: SQLiteConnection) throws {
    if keeps, transaction.notes.playerRevisionMax > playerRevisionMax {
      try transaction.setNumber(transaction.notes.playerRevisionMax, RevisionRows.playerMax)
    }
    // To empty the log takes as long again as a large change does: that is left to the next commit.
    if keeps, Self.isLarge(transaction.notes) { emptyLog(from: 0) }
    try database.run(keeps ? "COMMIT" : "ROLLBACK")
  }

  /// Runs a batch as nearly all are: what a transaction refuses, it refuses before it has written, so none has to be undone alone.
  /// - Returns: what the batch did, committed; nil when a transaction must be undone: the batch is to be run again with savepoints then, in the one
  ///   that is open.
  private func commitWithoutSavepoints(_ jobs: [any WriterJob], in database: SQLiteConnection, kept: inout Int) throws
    -> WriteTransaction.Notes?
  {
    let transaction = WriteTransaction(database, floors: shared.floors, noting: shared.noteUnreadable)
    for job in jobs {
      let before = (mark: transaction.notes.mark, changes: database.totalChangesCount)
      if job.mode.isDryRun {
        // Undone alone, so that who asks what would be does not slow down those who share the batch.
        try transaction.dryRun(job)
        continue
      }
      let isWhole = job.run(in: transaction)
      if let failure = transaction.failure { throw failure }
      if isWhole {
        kept += 1
      } else if transaction.notes.mark != before.mark || database.totalChangesCount != before.changes {
        try database.run("ROLLBACK")
        try database.run("BEGIN IMMEDIATE")
        return nil
      }
    }
    try end(transaction, keeps: kept > 0, in: database)
    return transaction.notes
  }
}
