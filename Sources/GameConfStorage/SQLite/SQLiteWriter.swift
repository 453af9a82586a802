// The writer thread: it runs waiting transactions in batches, commits each batch once, publishes the changes, and answers the callers.
import GameConfCore
import Glibc

/// An item in the writer's queue, which is processed in order.
enum WriterItem: Sendable {
  case transaction(any WriterJob)
  case command(@Sendable (SQLiteWriter) -> Void)
}

/// Runs batches of transactions on the writer thread. It is unchecked `Sendable`, because only that thread accesses its state after the
/// initializer.
final class SQLiteWriter: @unchecked Sendable {
  private let file: DatabaseFile
  let shared: StoreMonitor
  private let readers: SQLiteReaders
  private let opening: DatabaseOpening
  private let copies: DatabaseCopies
  private var connection: SQLiteConnection?
  private var identity: DatabaseFile.Identity?
  private var folder: DatabaseFile.Identity?
  private var watched: Int32 = -1
  /// True if the database could not be opened because of a temporary failure, so that the writer tries again.
  private var isWaitingForBetter = false
  private var triesAgainAt: ContinuousClock.Instant
  /// True while the file of the open database is not accessible, for example because its folder is not mounted.
  private var isUnseen = false
  /// The last examined file at the path of a lost database; nil if there was no file. A different file there may be the missing database.
  private var left: DatabaseFile.Identity?
  /// A reported damage that a second check did not confirm, and the instant until which it is ignored.
  private var falseAlarm: (words: String, until: ContinuousClock.Instant)?
  var playerRevisionMax: Int64 = 0
  private var batches: Int64 = 0
  private var longReads: [WholeDatabaseRead] = []
  private let meters = WriterMeters()
  private var unpacking: AuditUnpacker
  private let logTaking = WALCheckpointer()
  /// True if this process served changes that the database does not have, in an epoch of its own; false again when the database is opened.
  private var isApart = false
  /// True if commits do not checkpoint, because another thread checkpoints the log of a large change.
  private var isLogLeft = false

  private static let falseAlarmLasts = Duration.seconds(60)
  private static let freeBytesMin: UInt64 = 1 << 20

  init(opening: DatabaseOpening, shared: StoreMonitor, readers: SQLiteReaders) {
    self.opening = opening
    file = opening.file
    copies = DatabaseCopies(file: opening.file)
    self.shared = shared
    triesAgainAt = shared.times.now()
    unpacking = AuditUnpacker(times: shared.times)
    self.readers = readers
  }

  /// True if the database is closed and should be opened again later, including a lost one whose file may return.
  var shouldRetry: Bool { connection == nil }

  /// Applies the outcome of opening the database.
  func adopt(_ opened: OpenOutcome) {
    isWaitingForBetter = false
    isUnseen = false
    switch opened {
    case .open(let opened, let state, let playerFloor, let unreadable):
      connection = opened
      identity = file.identity()
      folder = file.identity(of: file.folder)
      watched = file.watch()
      playerRevisionMax = state.playerRevisionMax
      unpacking.begin()
      // A read-only database is served too, and its health reports that before the first write is refused.
      let ailing = opened.isReadOnly ? file.unwritable() ?? .readOnly : nil
      shared.adopt(state, playerFloor: playerFloor, unreadable: unreadable, isRaised: isApart, ailing: ailing)
      isApart = false
      readers.open()
    case .lost(let words, let isDamaged):
      let aside = isDamaged ? copies.putAside(.damaged, at: shared.now()) : nil
      // A loss without damage renames nothing, so no copy of an earlier loss is reported with it.
      shared.lose(words, aside: isDamaged ? aside ?? newestDamaged : nil)
      left = file.identity()
    case .newer(let words):
      shared.lose(words, aside: nil, isNewer: true)
      left = file.identity()
    case .later(let failure):
      isWaitingForBetter = true
      shared.failure(failure, isClosed: true)
    }
  }

  /// Tries again to open a database after a temporary failure, or a lost one when another file is at its path.
  func retry() {
    guard connection == nil else { return }
    if isWaitingForBetter {
      guard triesAgainAt <= shared.times.now() else { return }
    } else {
      guard let found = file.identity(), found.bytesCount > 0, found != left else { return }
      left = found
    }
    reopen(isChecked: false)
  }

  private func reopen(isChecked: Bool) {
    var opening = opening
    if let known = shared.known { (opening.known, opening.wasOpen) = (known, true) }
    let began = shared.times.now()
    let opened = opening.open(isChecked: isChecked)
    // Opening may take long. The next attempt waits as long as this one took, so half of the time remains for refusing waiting jobs.
    let ended = shared.times.now()
    triesAgainAt = ended + began.duration(to: ended)
    if shared.isLost, case .lost(_, isDamaged: true) = opened { return }
    adopt(opened)
    if case .open = opened { publish([.replaced(shared.contents)]) }
  }

  /// Runs a batch in one database transaction, if necessary again after freeing space or opening the database again, and answers every
  /// caller.
  func process(_ jobs: [any WriterJob]) {
    retry()
    look()
    resumeEmptying()
    var mayMakeSpace = true
    var mayLookAgain = true
    let began = shared.times.now()
    while let connection, !isUnseen {
      do throws(DatabaseFailure) {
        var succeeded = 0
        let notes = try commit(jobs, on: connection, succeeded: &succeeded)
        meters.committed(transactions: jobs.count, succeeded: succeeded, in: began.duration(to: shared.times.now()))
        return succeed(jobs, consume notes, isWritten: succeeded > 0)
      } catch {
        if error.kind == .noSpace, mayMakeSpace, makesSpace(connection) {
          mayMakeSpace = false
          continue
        }
        let unwritable = connection.isReadOnly ? file.unwritable() : nil
        // The database was opened read-only because it could not be written then; now it can.
        if connection.isReadOnly, unwritable == nil, mayLookAgain {
          mayLookAgain = false
          close()
          reopen(isChecked: false)
          continue
        }
        meet(error.kind == .damaged ? error : unwritable ?? error)
        if error.kind == .damaged, mayLookAgain, self.connection !== connection {
          mayLookAgain = false
          continue
        }
        return refuse(jobs, error.storeError)
      }
    }
    refuse(jobs, shared.error)
  }

  /// Checks that the database's file is still the one that was opened.
  func look() {
    guard connection != nil, let identity else { return }
    switch file.state(since: identity, in: folder, watching: watched) {
    case .asOpened:
      if isUnseen { shared.recover() }
      isUnseen = false
    case .unseen(let words):
      isUnseen = true
      shared.failure(.failing(words), isClosed: false)
    case .gone(let words): suspect(words)
    }
  }

  /// Checks whether a failure is over, so that recovery is noticed without a write.
  func checkRecovery() {
    retry()
    look()
    guard let connection, !isUnseen else { return }
    switch shared.condition {
    case .good, .lost: return
    case .noSpace where file.bytesFree.map { $0 < Self.freeBytesMin } ?? false || file.isGrowthRefused: return
    case .noSpace, .readOnly, .failing: break
    }
    if connection.isReadOnly {
      // While the file is not writable, a new connection would be read-only again.
      if let failure = file.unwritable() { return meet(failure) }
      close()
      return reopen(isChecked: false)
    }
    do {
      if shared.isReadersTrouble { _ = try file.connectReading().integer("SELECT count(*) FROM numbers") }
      try connection.run("BEGIN IMMEDIATE")
      try WriteTransaction(connection, floors: shared.floors).setNumber(shared.now().milliseconds, RevisionRows.lookedAt)
      try connection.run("COMMIT")
      shared.recover()
    } catch {
      if connection.isInsideTransaction { try? connection.execute("ROLLBACK") }
      meet(DatabaseFailure(error))
    }
  }

  /// Responds to a failure of the writer or of a reader.
  func meet(_ failure: DatabaseFailure, isReaders: Bool = false) {
    guard failure.kind == .damaged else {
      return shared.failure(failure, isClosed: connection == nil, isReaders: isReaders)
    }
    guard connection != nil else { return }
    let words = failure.message
    if let falseAlarm, falseAlarm.words == words, shared.times.now() < falseAlarm.until {
      return shared.failure(.failing(words), isClosed: false)
    }
    suspect("the database is damaged (\(words))")
    if connection != nil { falseAlarm = (words, shared.times.now() + Self.falseAlarmLasts) }
  }

  /// Closes the database. The readers close first, because the last connection to close removes the write-ahead log by its name.
  /// - Parameter leavingLog: True to leave all files as they are.
  func close(leavingLog: Bool = false) {
    readers.close()
    logTaking.wait()
    isLogLeft = false
    if let connection {
      // If the file is not accessible, another file may be at its path, so no log is removed there.
      let leavingLog = leavingLog || isUnseen
      if !leavingLog { try? connection.emptyLog() }
      connection.close(leavingLog: leavingLog)
    }
    connection = nil
    if watched >= 0 { Glibc.close(watched) }
    watched = -1
    identity = nil
  }

  /// Publishes changes and waits until they are served.
  func publish(_ changes: [StoreChange]) {
    guard let (publication, changes) = shared.published(changes) else { return }
    batches += 1
    if let rest = publication(CommittedBatch(number: batches, changes: changes, state: shared.served)) { WorkerThread.wait(for: rest) }
  }

  /// Checks an apparently damaged database as a whole after a pause, on a new connection, before it is renamed as damaged.
  private func suspect(_ words: String) {
    close(leavingLog: true)
    shared.failure(.failing("\(words); it is checked again"), isClosed: true)
    reopen(isChecked: true)
  }

  /// The path of the newest copy that was renamed as damaged.
  private var newestDamaged: String? { ((try? copies.list()) ?? []).first { $0.kind == .damaged }?.path }

  private func commit(_ jobs: [any WriterJob], on connection: SQLiteConnection, succeeded: inout Int) throws(DatabaseFailure)
    -> WriteTransaction.BatchChanges
  {
    do {
      return try commit(jobs, in: connection, succeeded: &succeeded)
    } catch {
      if connection.isInsideTransaction { try? connection.execute("ROLLBACK") }
      throw DatabaseFailure(error)
    }
  }

  private func succeed(_ jobs: [any WriterJob], _ notes: consuming WriteTransaction.BatchChanges, isWritten: Bool) {
    playerRevisionMax = max(playerRevisionMax, notes.playerRevisionMax)
    if let now = file.identity(), now.bytesCount > identity?.bytesCount ?? 0 { identity = now }
    let isLarge = Self.isLarge(notes)
    shared.noteCommit(notes, isWritten: isWritten)
    if isWritten, jobs.contains(where: \.survivesLoss) { settleUnsaved() }
    if notes.hasPacked { unpacking.begin() }
    giveUpLongReads()
    // The cached pages of a large change, such as an import of overrides, are not needed again soon, and are spread over the whole cache.
    if isLarge { connection?.releaseMemory() }
    publish(notes.changes)
    jobs.settle()
    if isLarge {
      isLogLeft = true
      if longReads.isEmpty, logTaking.hasEnded, let taking = try? file.connectTaking() { _ = logTaking.begin(taking) }
      notes.letGo()
    }
  }

  /// Re-enables checkpoints by commits after the log of a large change was checkpointed.
  private func resumeEmptying() {
    guard isLogLeft, longReads.isEmpty, logTaking.hasEnded else { return }
    isLogLeft = false
    emptyLog(from: file.walPagesMax)
  }

  var cacheBytes: Int { connection?.cacheBytes ?? 0 }

  var hasPackedAudits: Bool { connection != nil && !isUnseen && unpacking.isDue }

  func unpackAudits() {
    guard hasPackedAudits, let connection else { return }
    resumeEmptying()
    let transaction = WriteTransaction(connection, floors: shared.floors, noting: shared.noteUnreadable)
    do { try unpacking.step(transaction, in: connection) } catch {
      if connection.isInsideTransaction { try? connection.execute("ROLLBACK") }
      // The failure is not reported here. If the database caused it, the next write meets and reports it.
      unpacking.pause()
    }
    giveUpLongReads()
  }

  /// Forgets the beginnings and ends of windows that were applied without the database and have been stored since: the database no longer
  /// lists them as due.
  private func settleUnsaved() {
    let unsaved = shared.unsaved
    guard !unsaved.isEmpty, let connection else { return }
    let due = try? ReadTransaction(connection, floors: shared.floors).slotsWithEdges(at: shared.now())
    if let due { shared.keepUnsaved(unsaved.intersection(due)) }
  }

  /// Runs, on the served state, the transactions that need no database; the others fail.
  private func refuse(_ jobs: [any WriterJob], _ error: StoreError) {
    meters.failed.increment(by: jobs.count)
    isApart = shared.refuse(jobs, error, isApart: isApart, publish: publish)
  }

  /// Suspends checkpoints during a read of the whole database. The read keeps the log from being reset, so a checkpoint by each commit
  /// would be in vain, and would take longer the longer the log is.
  func begins(_ read: WholeDatabaseRead) {
    longReads.append(read)
    if longReads.count == 1 { emptyLog(from: 0) }
  }

  /// Resumes checkpoints after a read of the whole database.
  func ended(_ read: WholeDatabaseRead) {
    longReads.removeAll { $0 === read }
    if longReads.isEmpty, !isLogLeft { emptyLog(from: file.walPagesMax) }
  }

  private func giveUpLongReads() {
    if longReads.isEmpty { return }
    let log = file.identity(of: file.logPath)?.bytesCount ?? 0
    for read in longReads where log > read.logBytesMax { read.giveUp() }
  }

  /// Sets the size of the write-ahead log from which commits checkpoint it.
  /// - Parameter pages: The size in pages; 0 for no checkpoints.
  func emptyLog(from pages: Int) {
    try? connection?.execute("PRAGMA wal_autocheckpoint = \(pages)")
  }

  /// Checkpoints the write-ahead log and truncates it.
  /// - Returns: True if the log became smaller.
  private func makesSpace(_ connection: SQLiteConnection) -> Bool {
    logTaking.wait()
    let wal = file.logPath
    let before = file.identity(of: wal)?.bytesCount ?? 0
    try? connection.emptyLog()
    return (file.identity(of: wal)?.bytesCount ?? 0) < before
  }
}
