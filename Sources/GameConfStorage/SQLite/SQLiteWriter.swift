// The writer's thread: it takes waiting turns in batches, runs each under a savepoint, commits once, publishes, and answers.
import GameConfCore
import GameConfEngine
import Glibc

/// A turn that waits for the writer.
protocol WriterJob: AnyObject, Sendable {
  var mode: WriteMode { get }
  /// Who carries the answer to where it is awaited; nil when this thread may give it.
  var courier: (any AnswerCourier)? { get }
  /// Runs the turn and keeps its answer.
  /// - Returns: whether it came to its end.
  func run(in turn: any StoreTurn) -> Bool
  /// Gives the kept answer to whoever waits.
  func settle()
  /// Gives the store's trouble to whoever waits.
  func fail(_ error: StoreError)
}

/// What waits for the writer, in order.
enum WriterItem: Sendable {
  case turn(any WriterJob)
  case command(@Sendable (SQLiteWriter) -> Void)
}

/// Runs batches. Everything in it is touched by the writer's thread only, save at start, before that runs.
final class SQLiteWriter: @unchecked Sendable {
  private let file: DatabaseFile
  private let shared: SharedState
  private let readers: SQLiteReaders
  private let reopen: @Sendable () -> Opened
  private var connection: SQLiteConnection?
  private var identity: DatabaseFile.Identity?
  private var watched: Int32 = -1
  private var isWaitingForBetter = false
  private var playerRevisionMax: Int64 = 0
  private var batches: Int64 = 0
  private var longReads = 0
  private let meters = WriterMeters()

  init(file: DatabaseFile, shared: SharedState, readers: SQLiteReaders, reopen: @escaping @Sendable () -> Opened) {
    self.file = file
    self.shared = shared
    self.readers = readers
    self.reopen = reopen
  }

  /// Whether the database could not be opened for a reason that may pass.
  var shouldRetry: Bool { isWaitingForBetter }

  /// Takes over what opening gave.
  func adopt(_ opened: Opened) {
    isWaitingForBetter = false
    switch opened {
    case .open(let queue, let state, let playerFloor):
      connection = queue
      identity = file.identity()
      watched = file.watch()
      playerRevisionMax = state.playerRevisionFloor
      shared.adopt(state, playerFloor: playerFloor)
      readers.open()
    case .lost(let words, let isDamaged):
      let aside = isDamaged ? file.putAside("damaged", at: shared.now()) : nil
      shared.lose(words, aside: aside)
    case .later(let trouble):
      isWaitingForBetter = true
      shared.trouble(trouble, isClosed: true)
    }
  }

  /// Tries again to open a database that could not be opened.
  func retry() {
    guard isWaitingForBetter else { return }
    let opened = reopen()
    adopt(opened)
    if case .open = opened { publish([.replaced(shared.contents)]) }
  }

  /// Runs a batch.
  func process(_ jobs: [any WriterJob]) {
    if isWaitingForBetter { retry() }
    look()
    guard let connection else { return refuse(jobs, shared.error) }
    var mayMakeSpace = true
    let began = ContinuousClock.now
    while true {
      do throws(Trouble) {
        var kept = 0
        let notes = try commit(jobs, on: connection, kept: &kept)
        meters.committed(turns: jobs.count, kept: kept, since: began)
        return succeed(jobs, notes)
      } catch {
        if case .noSpace = error, mayMakeSpace, makesSpace(connection) {
          mayMakeSpace = false
          continue
        }
        meet(error)
        return refuse(jobs, error.storeError)
      }
    }
  }

  /// Loses the database when its file is no longer what was opened.
  func look() {
    guard connection != nil, let identity, let fault = file.fault(since: identity, watching: watched) else { return }
    lose("\(fault); \(DatabaseOpening.advice)")
  }

  /// Does what follows from trouble met here or by a reader.
  func meet(_ trouble: Trouble) {
    if case .damaged(let words) = trouble {
      if connection != nil { lose("the database is damaged (\(words)); \(DatabaseOpening.advice)") }
    } else {
      shared.trouble(trouble, isClosed: connection == nil)
    }
  }

  /// Closes the database: the readers' connections first, since the last one to close removes the write-ahead log by its name.
  func close() {
    readers.close()
    if let connection {
      try? connection.emptyLog()
      connection.close()
    }
    connection = nil
    if watched >= 0 { Glibc.close(watched) }
    watched = -1
    identity = nil
  }

  /// Tells of changes and waits until they are served.
  func publish(_ changes: [StoreChange]) {
    guard !changes.isEmpty, let publication = shared.publication else { return }
    batches += 1
    if let rest = publication(CommittedBatch(number: batches, changes: changes)) { WorkerThread.wait(for: rest) }
  }

  private func lose(_ words: String) {
    close()
    isWaitingForBetter = false
    shared.lose(words, aside: file.putAside("damaged", at: shared.now()))
  }

  private func commit(_ jobs: [any WriterJob], on connection: SQLiteConnection, kept: inout Int) throws(Trouble) -> SQLiteTurn.Notes {
    do {
      return try commit(jobs, in: connection, kept: &kept)
    } catch {
      if connection.isInsideTransaction { try? connection.execute("ROLLBACK") }
      throw Trouble(error)
    }
  }

  private func commit(_ jobs: [any WriterJob], in database: SQLiteConnection, kept: inout Int) throws -> SQLiteTurn.Notes {
    try database.run("BEGIN IMMEDIATE")
    if let notes = try commitWithoutSavepoints(jobs, in: database, kept: &kept) { return notes }
    kept = 0
    let turn = SQLiteTurn(database, floors: shared.floors)
    for job in jobs {
      let before = turn.notes.mark
      try database.run("SAVEPOINT turn")
      let isKept = job.run(in: turn) && !job.mode.isDryRun
      if let trouble = turn.trouble { throw trouble }
      if isKept {
        kept += 1
      } else {
        turn.notes.goBack(to: before)
        try database.run("ROLLBACK TO turn")
      }
      try database.run("RELEASE turn")
    }
    try end(turn, keeps: kept > 0)
    return turn.notes
  }

  private func end(_ turn: SQLiteTurn, keeps: Bool) throws {
    if keeps, turn.notes.playerRevisionMax > playerRevisionMax {
      try turn.setNumber(turn.notes.playerRevisionMax, RevisionRows.playerMax)
    }
    try turn.database.run(keeps ? "COMMIT" : "ROLLBACK")
  }

  /// Runs a batch as nearly all are: what a turn refuses, it refuses before it has written, so none has to be undone alone.
  /// - Returns: what the batch did, committed; nil when a turn must be undone: the batch is to be run again with savepoints then, in the transaction
  ///   that is open.
  private func commitWithoutSavepoints(_ jobs: [any WriterJob], in database: SQLiteConnection, kept: inout Int) throws -> SQLiteTurn.Notes?
  {
    if jobs.contains(where: \.mode.isDryRun) { return nil }
    let turn = SQLiteTurn(database, floors: shared.floors)
    for job in jobs {
      let before = (mark: turn.notes.mark, changes: database.totalChangesCount)
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
    try end(turn, keeps: kept > 0)
    return turn.notes
  }

  private func succeed(_ jobs: [any WriterJob], _ notes: SQLiteTurn.Notes) {
    playerRevisionMax = max(playerRevisionMax, notes.playerRevisionMax)
    if let now = file.identity(), now.bytesCount > identity?.bytesCount ?? 0 { identity = now }
    shared.noteCommit(notes, clearsUnsaved: jobs.contains { $0.mode.survivesLoss })
    publish(notes.changes)
    settle(jobs)
  }

  /// Gives every answer; each courier goes once.
  private func settle(_ jobs: [any WriterJob]) {
    var loads: [(courier: any AnswerCourier, answers: [@Sendable () -> Void])] = []
    for job in jobs {
      guard let courier = job.courier else {
        job.settle()
        continue
      }
      let at = loads.firstIndex { $0.courier === courier } ?? loads.count
      if at == loads.count { loads.append((courier, [])) }
      loads[at].answers.append { job.settle() }
    }
    for load in loads { load.courier.carry(load.answers) }
  }

  /// Turns that survive run over what is served from memory; the others fail.
  private func refuse(_ jobs: [any WriterJob], _ error: StoreError) {
    meters.failed.increment(by: jobs.count)
    for job in jobs {
      guard job.mode.survivesLoss, !job.mode.isDryRun else {
        job.fail(error)
        continue
      }
      let turn = MemoryTurn(shared.served)
      if job.run(in: turn) {
        shared.noteUnsaved(turn)
        publish(turn.changes)
      }
      job.settle()
    }
  }

  /// Heeds that somebody begins to read the whole database, which keeps the write-ahead log from being emptied for as long: each commit would try to,
  /// and take longer for that the longer the log has grown.
  func longReadBegins() {
    longReads += 1
    if longReads == 1 { emptyLog(from: 0) }
  }

  /// Heeds that it has ended: the next commit empties the log.
  func longReadEnded() {
    longReads -= 1
    if longReads == 0 { emptyLog(from: file.walPagesMax) }
  }

  /// - Parameter pages: how long the log is when a commit empties it; 0 for never.
  private func emptyLog(from pages: Int) {
    try? connection?.execute("PRAGMA wal_autocheckpoint = \(pages)")
  }

  /// Empties the write-ahead log into the database.
  /// - Returns: whether that made it smaller.
  private func makesSpace(_ connection: SQLiteConnection) -> Bool {
    let wal = file.path + "-wal"
    let before = file.identity(of: wal)?.bytesCount ?? 0
    try? connection.emptyLog()
    return (file.identity(of: wal)?.bytesCount ?? 0) < before
  }
}
