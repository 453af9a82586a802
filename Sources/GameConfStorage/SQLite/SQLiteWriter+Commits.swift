// How the writer runs a batch's turns and commits them.
import GameConfEngine

extension SQLiteWriter {
  private static let slotsOfLargeMin = 1_000

  /// True if a large change of overrides is in a batch.
  static func isLarge(_ notes: SQLiteTurn.Notes) -> Bool { notes.slotsCount > slotsOfLargeMin }

  func commit(_ jobs: [any WriterJob], in database: SQLiteConnection, kept: inout Int) throws -> SQLiteTurn.Notes {
    try database.run("BEGIN IMMEDIATE")
    if let notes = try commitWithoutSavepoints(jobs, in: database, kept: &kept) { return notes }
    kept = 0
    let turn = SQLiteTurn(database, floors: shared.floors, noting: shared.noteUnreadable)
    for job in jobs {
      if job.mode.isDryRun {
        try turn.runDry(job)
        continue
      }
      let before = turn.notes.mark
      try database.run("SAVEPOINT turn")
      let isKept = job.run(in: turn)
      if let trouble = turn.trouble { throw trouble }
      if isKept {
        kept += 1
      } else {
        turn.notes.goBack(to: before)
        try database.run("ROLLBACK TO turn")
      }
      try database.run("RELEASE turn")
    }
    try end(turn, keeps: kept > 0, in: database)
    return turn.notes
  }

  private func end(_ turn: SQLiteTurn, keeps: Bool, in database: SQLiteConnection) throws {
    if keeps, turn.notes.playerRevisionMax > playerRevisionMax {
      try turn.setNumber(turn.notes.playerRevisionMax, RevisionRows.playerMax)
    }
    // To empty the log takes as long again as a large change does: that is left to the next commit.
    if keeps, Self.isLarge(turn.notes) { emptyLog(from: 0) }
    try database.run(keeps ? "COMMIT" : "ROLLBACK")
  }

  /// Runs a batch as nearly all are: what a turn refuses, it refuses before it has written, so none has to be undone alone.
  /// - Returns: what the batch did, committed; nil when a turn must be undone: the batch is to be run again with savepoints then, in the transaction
  ///   that is open.
  private func commitWithoutSavepoints(_ jobs: [any WriterJob], in database: SQLiteConnection, kept: inout Int) throws -> SQLiteTurn.Notes?
  {
    let turn = SQLiteTurn(database, floors: shared.floors, noting: shared.noteUnreadable)
    for job in jobs {
      let before = (mark: turn.notes.mark, changes: database.totalChangesCount)
      if job.mode.isDryRun {
        // Undone alone, so that who asks what would be does not slow down those who share the batch.
        try turn.runDry(job)
        continue
      }
      let isWhole = job.run(in: turn)
      if let trouble = turn.trouble { throw trouble }
      if isWhole {
        kept += 1
      } else if turn.notes.mark != before.mark || database.totalChangesCount != before.changes {
        try database.run("ROLLBACK")
        try database.run("BEGIN IMMEDIATE")
        return nil
      }
    }
    try end(turn, keeps: kept > 0, in: database)
    return turn.notes
  }
}
