// The writer's thread: it takes waiting transactions in batches, runs each under a savepoint, commits once, publishes, and answers.
import GameConfCore
import Glibc

/// An item that waits for the writer, in order.
enum WriterItem: Sendable {
  case transaction(any WriterJob)
  case command(@Sendable (SQLiteWriter) -> Void)
}

/// Runs batches. Everything in it is touched by the writer's thread only, save at start, before that runs.
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
  /// True if the database could not be opened for a reason that may pass, and it is tried again later.
  private var isWaitingForBetter = false
  private var triesAgainAt: ContinuousClock.Instant
  /// True if the open database's file cannot be seen where it was.
  private var isUnseen = false
  /// The file that a lost database left, or none; another one may be the one that was missed.
  private var left: DatabaseFile.Identity?
  /// The words of a damage that a second look did not find, and the instant up to which it is not looked at again.
  private var falseAlarm: (words: String, until: ContinuousClock.Instant)?
  var playerRevisionMax: Int64 = 0
  private var batches: Int64 = 0
  private var longReads: [LongRead] = []
  private let meters = WriterMeters()
  private var unpacking: AuditUnpacker
  private let logTaking = WALCheckpointer()
  /// True once something was served that the database does not have, in an epoch of this process's own, until the database is opened again.
  private var isApart = false
  /// True if commits leave the log alone since a large change's is taken in beside them.
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

  /// True if the database is not open, and may be later: a lost one, when its file is there again.
  var shouldRetry: Bool { connection == nil }

  /// Takes over what opening gave.
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
      // What may not be written is served all the same, and whoever looks sees that before the first write is refused.
      let ailing = opened.isReadOnly ? file.unwritable() ?? .readOnly : nil
      shared.adopt(state, playerFloor: playerFloor, unreadable: unreadable, isRaised: isApart, ailing: ailing)
      isApart = false
      readers.open()
    case .lost(let words, let isDamaged):
      let aside = isDamaged ? copies.putAside(.damaged, at: shared.now()) : nil
      // Where nothing is moved, a copy of an earlier loss is another matter.
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

  /// Tries again to open a database that could not be opened, or that was lost and whose place is taken by another file.
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
    // A look may take long; half of the time is for refusing what waits.
    let ended = shared.times.now()
    triesAgainAt = ended + began.duration(to: ended)
    if shared.isLost, case .lost(_, isDamaged: true) = opened { return }
    adopt(opened)
    if case .open = opened { publish([.replaced(shared.contents)]) }
  }

  /// Runs a batch.
  func process(_ jobs: [any WriterJob]) {
    retry()
    look()
    resumeEmptying()
    var mayMakeSpace = true
    var mayLookAgain = true
    let began = shared.times.now()
    while let connection, !isUnseen {
      do throws(DatabaseFailure) {
        var kept = 0
        let notes = try commit(jobs, on: connection, kept: &kept)
        meters.committed(transactions: jobs.count, kept: kept, in: began.duration(to: shared.times.now()))
        return succeed(jobs, consume notes, isKept: kept > 0)
      } catch {
        if error.kind == .noSpace, mayMakeSpace, makesSpace(connection) {
          mayMakeSpace = false
          continue
        }
        let unwritable = connection.isReadOnly ? file.unwritable() : nil
        // Opened for reading only, since it could not be written then: it may be now.
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

  /// Looks whether the database's file still is what was opened.
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

  /// Looks whether what ailed the database has passed, so that a host on which nobody writes learns of it.
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
      // Opened again while it still may not be written, it would be read-only again.
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

  /// Does what follows from trouble met here or by a reader.
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

  /// Closes the database: the readers' connections first, since the last one to close removes the write-ahead log by its name.
  /// - Parameter leavingLog: whether all files stay as they are.
  func close(leavingLog: Bool = false) {
    readers.close()
    logTaking.wait()
    isLogLeft = false
    if let connection {
      // Where the file cannot be seen, another may lie at its path: nothing is removed there.
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

  /// Looks at what seems damaged again, on a fresh connection, whole and after a pause, before it is put aside.
  private func suspect(_ words: String) {
    close(leavingLog: true)
    shared.failure(.failing("\(words); it is checked again"), isClosed: true)
    reopen(isChecked: true)
  }

  /// The path of the newest database that was taken for damaged.
  private var newestDamaged: String? { ((try? copies.list()) ?? []).first { $0.kind == .damaged }?.path }

  private func commit(_ jobs: [any WriterJob], on connection: SQLiteConnection, kept: inout Int) throws(DatabaseFailure)
    -> WriteTransaction.Notes
  {
    do {
      return try commit(jobs, in: connection, kept: &kept)
    } catch {
      if connection.isInsideTransaction { try? connection.execute("ROLLBACK") }
      throw DatabaseFailure(error)
    }
  }

  private func succeed(_ jobs: [any WriterJob], _ notes: consuming WriteTransaction.Notes, isKept: Bool) {
    playerRevisionMax = max(playerRevisionMax, notes.playerRevisionMax)
    if let now = file.identity(), now.bytesCount > identity?.bytesCount ?? 0 { identity = now }
    let isLarge = Self.isLarge(notes)
    shared.noteCommit(notes, isWritten: isKept)
    if isKept, jobs.contains(where: \.survivesLoss) { settleUnsaved() }
    if notes.hasPacked { unpacking.begin() }
    giveUpLongReads()
    // The pages of an import or a clear are not asked for again soon, and lie among everything else.
    if isLarge { connection?.releaseMemory() }
    publish(notes.changes)
    jobs.settle()
    if isLarge {
      isLogLeft = true
      if longReads.isEmpty, logTaking.hasEnded, let taking = try? file.connectTaking() { _ = logTaking.begin(taking) }
      notes.letGo()
    }
  }

  /// Lets commits empty the log again when that of a large change was taken in.
  private func resumeEmptying() {
    guard isLogLeft, longReads.isEmpty, logTaking.hasEnded else { return }
    isLogLeft = false
    emptyLog(from: file.walPagesMax)
  }

  /// The number of bytes of pages it keeps.
  var cacheBytes: Int { connection?.cacheBytes ?? 0 }

  /// True if lines of the audit log wait for rows of their own.
  var hasPackedAudits: Bool { connection != nil && !isUnseen && unpacking.isDue }

  /// Gives some of them rows of their own.
  func unpackAudits() {
    guard hasPackedAudits, let connection else { return }
    resumeEmptying()
    let transaction = WriteTransaction(connection, floors: shared.floors, noting: shared.noteUnreadable)
    do { try unpacking.step(transaction, in: connection) } catch {
      if connection.isInsideTransaction { try? connection.execute("ROLLBACK") }
      // What ails the database is reported by whoever writes next.
      unpacking.pause()
    }
    giveUpLongReads()
  }

  /// Edges that were applied in memory while nothing could be written, and that the database does not have an edge of any more, are saved.
  private func settleUnsaved() {
    let unsaved = shared.unsaved
    guard !unsaved.isEmpty, let connection else { return }
    let due = try? ReadTransaction(connection, floors: shared.floors).slotsWithEdges(at: shared.now())
    if let due { shared.keepUnsaved(unsaved.intersection(due)) }
  }

  /// Transactions that survive run over what is served from memory; the others fail.
  private func refuse(_ jobs: [any WriterJob], _ error: StoreError) {
    meters.failed.increment(by: jobs.count)
    isApart = shared.refuse(jobs, error, isApart: isApart, publish: publish)
  }

  /// Heeds that somebody begins to read the whole database, which keeps the write-ahead log from being emptied for as long: each commit would try to,
  /// and take longer for that the longer the log has grown.
  func begins(_ read: LongRead) {
    longReads.append(read)
    if longReads.count == 1 { emptyLog(from: 0) }
  }

  /// Heeds that it has ended: the next commit empties the log.
  func ended(_ read: LongRead) {
    longReads.removeAll { $0 === read }
    if longReads.isEmpty, !isLogLeft { emptyLog(from: file.walPagesMax) }
  }

  private func giveUpLongReads() {
    if longReads.isEmpty { return }
    let log = file.identity(of: file.logPath)?.bytesCount ?? 0
    for read in longReads where log > read.logBytesMax { read.giveUp() }
  }

  /// - Parameter pages: how long the log is when a commit empties it; 0 for never.
  func emptyLog(from pages: Int) {
    try? connection?.execute("PRAGMA wal_autocheckpoint = \(pages)")
  }

  /// Empties the write-ahead log into the database.
  /// - Returns: whether that made it smaller.
  private func makesSpace(_ connection: SQLiteConnection) -> Bool {
    logTaking.wait()
    let wal = file.logPath
    let before = file.identity(of: wal)?.bytesCount ?? 0
    try? connection.emptyLog()
    return (file.identity(of: wal)?.bytesCount ?? 0) < before
  }
}
