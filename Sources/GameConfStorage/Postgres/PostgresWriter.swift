// A writer over PostgreSQL: it runs each batch in one database transaction, publishes the changes, and answers the callers.
import GameConfCore

/// Runs batches of transactions. Unchecked `Sendable`, because only the writer's thread accesses its state after the initializer.
///
/// The first writer maintains the served state and runs transactions of any scope. Each further writer has its own session and its own row
/// in `writers`, and runs transactions about players.
final class PostgresWriter: @unchecked Sendable {
  private static let racesMax = 8
  private static let raceMillisecondsMax = 40
  /// The number of attempts to find out whether a commit was made whose answer was lost.
  private static let outcomesMax = 3
  private static let spaceTriedEach = Duration.seconds(1)
  /// The number of times that a batch reclaims the writer's row from abandoned sessions of this process.
  private static let takingsBackMax = 3
  /// The pause in milliseconds between two attempts to connect while no transaction waits.
  private static let reopenMilliseconds = 1_000
  /// The shortest interval of a host's announcements. Each wakes every listening connection of the fleet, so their number must not grow
  /// with the number of changes. A change after a pause is announced immediately.
  private static let announceEach = Duration.milliseconds(200)

  let setup: WriterSetup
  let shared: StoreMonitor
  private let common: PostgresSharedState
  private let readers: PostgresReaders
  let grammar: PostgresGrammar
  private(set) var session: PostgresSession?
  private var triesAgainAt: ContinuousClock.Instant
  /// The earliest instant of the next attempt to write to a server whose disk is full.
  private var triesSpaceAgainAt: ContinuousClock.Instant
  private let process = PostgresSession.freshName()
  private var hasServed = false
  /// True while this host serves changes that the database does not have, in an epoch of its own.
  private var isApart = false
  /// The number of this writer's last acknowledged batch.
  private var lastBatch: Int64 = 0
  /// The number of times that all revisions had been raised after losses when the last batch was acknowledged.
  private var raises = 0
  private let meters = WriterMeters()
  /// A connection whose commit has not returned yet.
  private var hanging: PostgresConnection?
  /// True if a change of a game has been committed and not announced yet.
  private var hasUnannounced = false
  private var announcesAgainAt: ContinuousClock.Instant

  init(_ setup: WriterSetup, grammar: PostgresGrammar, shared: StoreMonitor, common: PostgresSharedState, readers: PostgresReaders) {
    self.setup = setup
    self.grammar = grammar
    self.shared = shared
    triesAgainAt = shared.times.now()
    triesSpaceAgainAt = triesAgainAt
    announcesAgainAt = triesAgainAt
    (self.common, self.readers) = (common, readers)
  }

  /// The longest wait of the first writer for a task, after which it connects again or announces a change; nil if neither is pending.
  var wakeMilliseconds: Int? {
    if session == nil { return Self.reopenMilliseconds }
    guard hasUnannounced else { return nil }
    return max(1, Int((announcesAgainAt - shared.times.now()) / .milliseconds(1)) + 1)
  }

  /// Connects if the pause after the last attempt is over, and applies the state of the database.
  /// - Parameter work: A batch that the previous session may have committed.
  func connect(settling work: PostgresBatch? = nil) {
    guard session == nil, triesAgainAt <= shared.times.now() else { return }
    if let left = hanging {
      guard left.hasAnswered else { return }
      left.close()
      hanging = nil
    }
    do {
      try open(settling: work)
    } catch {
      // Random jitter, so that the hosts of a fleet do not reconnect at the same time.
      triesAgainAt = shared.times.now() + .milliseconds(.random(in: 500...1_500))
      guard setup.isFirst else { return }
      shared.failure(DatabaseFailure(error), isClosed: true)
      readers.failWaiting(shared.closed ?? shared.error)
    }
  }

  /// Opens a session of a further writer, after the first writer has opened the store.
  private func openBeside(_ opened: PostgresSession) throws(DatabaseFailure) {
    guard shared.closed == nil, shared.owner.fleet == opened.fleet else { throw DatabaseFailure(.unreachable, "the store is not open") }
    if hasServed, raises == common.raises, let words = missingBatches(of: opened) {
      common.miss(words)
      setup.requestCheck()
      throw DatabaseFailure(.unreachable, words)
    }
    session = opened
    common.noteSessionBeside(by: 1)
    (lastBatch, raises, hasServed) = (opened.batch, common.raises, true)
  }

  /// Describes the acknowledged batches that the database lacks; nil if it has all.
  private func missingBatches(of opened: PostgresSession) -> String? {
    opened.batch < lastBatch
      ? "the database knows this host's changes up to number \(opened.batch), and \(lastBatch) was acknowledged" : nil
  }

  private func open(settling work: PostgresBatch?) throws {
    let opened = try PostgresSession(
      setup.settings, setup.schema, grammar, writer: setup.writer, process: process, expecting: common.fleet,
      migrating: setup.migrating)
    do {
      if !setup.isFirst { return try openBeside(opened) }
      try setup.fleet.timed(opened.connection)
      var loaded = try opened.load()
      // If a caller has already received the contents, the daemon serves them without the database.
      let isServing = shared.hasGivenContents
      let isOther = isOther(opened.fleet)
      var isRaised = hasServed || isServing || isOther
      if !isOther, let loss = loss(loaded.state, opened) {
        try opened.raise(above: shared.served, gap: StoreLimits.revisionGapAfterLoss)
        loaded = try opened.load()
        isRaised = true
        common.noteRaise()
        setup.foundLoss(loss)
      }
      session = opened
      (common.fleet, lastBatch) = (opened.fleet, opened.batch)
      let failure = try opened.firstCommit()
      if failure?.kind == .noSpace { common.isFull = true }
      let hang = failure?.kind == .late ? failure : nil
      serve(loaded, isRaised: isRaised, ailing: hang, with: work.flatMap { opened.batch >= $0.number ? $0.notes.changes : nil } ?? [])
      hasServed = true
      if let hang { return leaveHanging(opened, hang) }
      common.isCommitLate = false
    } catch {
      session = nil  // or a batch that waits would be acknowledged, and never published
      if DatabaseFailure(error).kind == .late { hanging = opened.connection } else { opened.connection.close() }
      throw error
    }
  }

  /// Serves the state of the database instead of this host's own.
  /// - Parameters:
  ///   - ailing: The failure of writes, if the database can only be read.
  ///   - changes: The changes of a batch that the database has committed. Those that the contents do not include are published with the
  ///     contents, because a revision would otherwise name two values.
  func serve(_ loaded: LoadedState, isRaised: Bool = true, ailing: DatabaseFailure? = nil, with changes: [StoreChange] = []) {
    let digests = shared.hasGivenContents ? shared.served.catalogDigests : loaded.state.catalogDigests
    // Catalogs are reported before the store is good, so that a host whose first load failed does not report itself ready without games.
    let catalogs = PostgresChanges.differing(loaded.state.catalogDigests, digests)
    if !catalogs.isEmpty { setup.catalogsChanged(catalogs) }
    let failure = shared.adopt(
      loaded.state, playerFloor: loaded.playerFloor, unreadable: loaded.unreadable, isRaised: isRaised,
      ailing: ailing ?? (common.isFull ? .noSpace : nil), isServed: false)
    shared.scheduleSave()
    readers.open()
    isApart = false
    publish([.replaced(shared.contents)] + changes.filter(\.isBesideContents))
    shared.noteServed(after: failure)
  }

  /// True if the database belongs to another fleet than the served state. Revisions of two fleets are not comparable.
  private func isOther(_ fleet: String) -> Bool {
    let owner = shared.owner
    let before = owner.fleet
    owner.belong(to: fleet)
    guard let before, before != fleet else { return false }
    owner.note(change: before, to: fleet)
    return true
  }

  /// Describes the served or acknowledged state that the database lacks; nil if it lacks nothing.
  private func loss(_ state: StoredState, _ opened: PostgresSession) -> String? {
    if hasServed, let words = missingBatches(of: opened) { return words }
    if let words = common.missed { return words }
    if isApart { return nil }
    for (game, revision) in shared.served.revisions.sorted(by: { $0.key < $1.key }) where (state.revisions[game] ?? 0) < revision {
      return "the database knows '\(game)' up to revision \(state.revisions[game] ?? 0), and \(revision) was served"
    }
    return nil
  }

  /// Closes the session. The next batch or check opens a new one.
  func close() {
    if session != nil, !setup.isFirst { common.noteSessionBeside(by: -1) }
    session?.connection.close()
    session = nil
  }

  /// Runs a batch in one database transaction, again after a conflict or a lost connection, and answers every caller.
  func process(_ jobs: [any WriterJob]) {
    connect()
    var (races, takingsBack, isSecond) = (0, 0, false)
    let began = shared.times.now()
    while let session {
      let work = PostgresBatch(jobs, session, floors: shared.floors, noting: shared.noteUnreadable)
      do throws(DatabaseFailure) {
        try work.run(playerRevisionMax: shared.served.playerRevisionMax)
        meters.committed(transactions: jobs.count, succeeded: work.succeeded, in: began.duration(to: shared.times.now()))
        meters.waits.increment(by: work.waits)
        return succeed(work)
      } catch {
        switch error.kind {
        case .raced where work.isBehind:
          session.rollBack()
          catchUp()
        case .raced:
          races += 1
          session.rollBack()
          guard races <= Self.racesMax else {
            return refuse(jobs, .failed("other hosts changed the same \(Self.racesMax) times meanwhile; try again"))
          }
          StoreTiming.pause(milliseconds: .random(in: 0...Self.raceMillisecondsMax))
        case .fenced:
          session.rollBack()
          // If the store was moved away, the next session finds that out and refuses the jobs for that reason.
          switch try? session.fence() {
          case .moved: break
          case .itsOwn where takingsBack < Self.takingsBackMax: takingsBack += 1
          default: return refuse(jobs, .failed(Self.fencedWords))
          }
          close()
          triesAgainAt = shared.times.now()
          connect()
        case .refused, .failed, .damaged:
          session.rollBack()
          if jobs.count > 1 {
            for job in jobs { process([job]) }
            return
          }
          return refuse(jobs, .failed("\(error)"))
        case .noSpace:
          session.rollBack()
          meet(error)
          return refuse(jobs, error.storeError)
        case .late:
          leaveHanging(session, error)
          return fail(jobs, .unknown("\(error); whether the change was made is not known yet: repeat it with the same id"))
        case .disconnected, .busy, .readOnly, .unreachable:
          close()
          if work.isCommitting { return settleUnknown(work, error) }
          meet(error)
          if isSecond { return refuse(jobs, error.storeError) }
          isSecond = true
          triesAgainAt = shared.times.now()
          connect()
        }
      }
    }
    refuse(jobs, shared.closed ?? (setup.isFirst ? shared.error : .unavailable("the connection to the database ended")))
  }

  /// Abandons a session whose commit hangs. Its connection stays open to detect the late answer; a new session would hang too.
  private func leaveHanging(_ session: PostgresSession, _ error: DatabaseFailure) {
    if !setup.isFirst { common.noteSessionBeside(by: -1) }
    hanging = session.connection
    self.session = nil
    common.isCommitLate = true
    // The committed state can still be read, so the store is not closed.
    shared.failure(error, isClosed: false)
    if !setup.isFirst { setup.requestCheck() }
  }

  /// Processes a batch on a writer other than the first.
  /// - Returns: False if there is no session, so that nothing was begun.
  func processBeside(_ jobs: [any WriterJob]) -> Bool {
    connect()
    if session == nil { return false }
    process(jobs)
    return true
  }

  private static let fencedWords =
    "another gameconfd, started after this one, writes to the database under the same name, which host name, machine id and state folder make; "
    + "stop one of them, or give it a state folder of its own"

  /// Resolves a commit whose answer was lost: a new session reads this daemon's row and finds the batch number there or not.
  private func settleUnknown(_ work: PostgresBatch, _ error: DatabaseFailure) {
    meet(error)
    for _ in 0..<Self.outcomesMax where session == nil {
      triesAgainAt = shared.times.now()
      connect(settling: work)
    }
    guard let session else {
      let words = "the database went away during the change, so its result is unknown: repeat it with the same id"
      return fail(work.jobs, .unknown(words))
    }
    if session.batch >= work.number {
      // The batch was committed. The new session has loaded and published its changes of the served state, possibly with later ones.
      if !setup.isFirst { publish(work.notes.changes.filter(\.isBesideContents)) }
      return work.jobs.settle()
    }
    process(work.jobs)
  }

  /// Handles a failed connection: the next batch or check opens a new one. The first writer finds out whether the database is unreachable.
  func meet(_ error: DatabaseFailure) {
    if setup.isFirst || error.kind == .noSpace {
      common.isFull = error.kind == .noSpace
      shared.failure(error, isClosed: setup.isFirst && session == nil)
    } else {
      setup.requestCheck()
    }
  }

  /// Checks whether the database works again: every second, and when a reader or the listener reports a failure.
  func checkRecovery() {
    guard let session, common.missed == nil else {
      if session != nil {
        close()
        triesAgainAt = shared.times.now()
      }
      return connect()
    }
    do throws(DatabaseFailure) {
      _ = try session.connection.round([PostgresCommand("SELECT 1")])
      if common.isCommitLate {
        try session.tryCommit()
        common.isCommitLate = false
      }
      if common.isFull {
        guard triesSpaceAgainAt <= shared.times.now() else { return }
        triesSpaceAgainAt = shared.times.now() + Self.spaceTriedEach
        try session.trySpace()
        common.isFull = false
      }
      if let connectionFailure = common.connectionFailure {
        shared.failure(connectionFailure, isClosed: false, isReaders: true)
      } else if shared.condition != .good {
        shared.recover()
      }
    } catch  where error.kind == .late {
      leaveHanging(session, error)
    } catch  where error.kind == .noSpace {
      session.rollBack()
    } catch {
      close()
      meet(error)
      connect()
    }
  }

  /// Publishes changes and waits until they are served.
  func publish(_ changes: [StoreChange]) { common.publish(changes) }

  private func succeed(_ work: PostgresBatch) {
    if work.succeeded > 0 { (lastBatch, common.isFull) = (work.number, false) }
    if isApart, work.succeeded > 0 {
      rejoin(after: work)
    } else {
      shared.noteCommit(work.notes, isWritten: work.succeeded > 0)
      publish(work.notes.changes)
    }
    work.jobs.settle()
    if !work.games.isEmpty { hasUnannounced = true }
    announceIfDue()
  }

  /// Announces committed changes of games to the other hosts, at most once in ``announceEach``. The other hosts poll; an
  /// announcement makes them read immediately.
  /// - Parameter isLast: True before the daemon stops, when the announcement cannot wait.
  func announceIfDue(isLast: Bool = false) {
    guard hasUnannounced, let session else { return }
    let now = shared.times.now()
    // The other writers announce immediately, because only the first writer has a timeout at which it could announce later.
    if setup.isFirst, !isLast, now < announcesAgainAt { return }
    announcesAgainAt = now + Self.announceEach
    hasUnannounced = false
    do throws(DatabaseFailure) { try session.announce() } catch { close() }
  }

  /// Serves the database's state again after a write. In this host's own epoch, the batch's revisions name other values.
  private func rejoin(after work: PostgresBatch) {
    do {
      guard let session else { return }
      serve(try session.load(), with: work.notes.changes)
    } catch {
      close()
      meet(DatabaseFailure(error))
      triesAgainAt = shared.times.now()
      connect(settling: work)
      // Without the database, the served state stays, and players are answered from memory.
      if session == nil { publish(work.notes.changes.filter { !$0.concernsWorld }) }
    }
  }

  private func fail(_ jobs: [any WriterJob], _ error: StoreError) {
    meters.failed.increment(by: jobs.count)
    for job in jobs { job.fail(error) }
  }

  /// Runs, on the served state, the transactions that need no database, in an epoch of this host's own; the others fail.
  private func refuse(_ jobs: [any WriterJob], _ error: StoreError) {
    meters.failed.increment(by: jobs.count)
    isApart = shared.refuse(jobs, error, isApart: isApart, publish: publish)
  }
}
