// The store on disk: one SQLite database with one writer thread and several readers, and the last good state.
public import GameConfCore
import Synchronization

/// Stores the daemon's state in one SQLite database in the state directory.
///
/// Every commit syncs the write-ahead log (`synchronous=FULL`), and one commit serves all waiting transactions. A damaged database is
/// renamed, never deleted; overrides are then served from the last good state, and writes are refused until a backup is restored. A full or
/// read-only disk refuses writes while it lasts.
///
/// ```swift
/// let directory = try StateDirectory(path: "/var/lib/gameconfd")
/// let store = SQLiteStore(in: directory, lastGood: LastGoodFile(in: directory), now: clock.now)
/// let contents = try await store.contents()
/// store.publish(to: publications.publication(changing: live))
/// ```
public final class SQLiteStore: Store, StoreAdministration {
  private struct JobQueue {
    var items: [WriterItem] = []
    var isClosed = false
    var hasEnded = false
    /// True if the full queue was reported and has not been half empty since.
    var isFullReported = false
  }

  private enum WriterTask {
    case batch([any WriterJob])
    case command(@Sendable (SQLiteWriter) -> Void)
    case unpacking
    case retry
    case end
  }

  /// The closure that reports changed health. It is set after the initialization of the store, because it refers to the store.
  private final class HealthNotifier: Sendable {
    let notify = Mutex<(@Sendable () -> Void)?>(nil)
  }

  let file: DatabaseFile
  let shared: StoreMonitor
  let readers: SQLiteReaders
  let keeper: LastGoodKeeper
  private let directory: StateDirectory
  private let queue: Monitor<JobQueue>
  private let times: StoreTiming
  private let isReplacing = Mutex(false)
  private let queueFilled: @Sendable () -> Void

  /// Opens the database in a directory, or creates the first one. It never fails: faults are in ``health``, and the state that can still be
  /// served is in ``contents()``.
  /// - Parameters:
  ///   - owner: The owner of the state directory's files. A last good state of another owner is not used.
  ///   - times: The pauses and intervals.
  ///   - now: The host's clock.
  ///   - conditionChanged: Called when the store's condition has changed, for the journal.
  ///   - migrating: Called before each step of a migration, which may take long.
  ///   - rowUnreadable: Called once for each unreadable row, up to ``StoreLimits/unreadableRowsMax``.
  ///   - queueFilled: Called when a transaction is refused because ``StoreLimits/writesWaitingMax`` others wait; called again only after
  ///     the queue was half empty.
  public init(
    in directory: StateDirectory, lastGood: any LastGood, owner: StateOwner = StateOwner(), times: StoreTiming = StoreTiming(),
    now: @escaping @Sendable () -> Instant,
    conditionChanged: @escaping @Sendable (StoreHealth) -> Void = { _ in },
    migrating: @escaping @Sendable (StoreMigration) -> Void = { _ in }, queueFilled: @escaping @Sendable () -> Void = {},
    rowUnreadable: @escaping @Sendable (UnreadableRow) -> Void = { _ in }
  ) {
    var known: LastGoodState?
    var fileStatus = LastGoodKeeper.FileStatus()
    do throws(StateFault) { known = try lastGood.load() } catch { fileStatus.fault = "\(error.path) \(error.message)" }
    if let state = known, !owner.admits(state.fleet) {
      owner.disregard("last-good.json was", of: state.fleet)
      known = nil
    }
    fileStatus.savedAt = known?.savedAt
    let file = DatabaseFile(path: directory.databasePath)
    let queue = Monitor(JobQueue())
    let notifier = HealthNotifier()
    let shared = StoreMonitor(known, of: owner, times: times, now: now, rowUnreadable: rowUnreadable) { notifier.notify.withLock { $0 }?() }
    let readers = SQLiteReaders(file: file) { failure in
      queue.change { $0.items.append(.command { $0.meet(failure, isReaders: true) }) }
    }
    self.directory = directory
    self.file = file
    self.times = times
    self.queue = queue
    self.shared = shared
    self.readers = readers
    self.queueFilled = queueFilled
    // While the store fails, a fault of `last-good.json` is not reported: the failure was reported already and matters more.
    let faultChanged = { @Sendable in if shared.condition == .good { notifier.notify.withLock { $0 }?() } }
    keeper = LastGoodKeeper(lastGood, fileStatus: fileStatus, times: times, faultChanged: faultChanged) { shared.lastGood() }
    DatabaseRestoration.removeLeftovers(in: directory.path, database: file.path)
    let opening = DatabaseOpening(
      file: file, known: known?.state, isKnownDamaged: fileStatus.fault != nil, migrating: migrating,
      pauses: DatabaseOpening.pausing(times.secondLook))
    let writer = SQLiteWriter(opening: opening, shared: shared, readers: readers)
    writer.adopt(opening.open())
    shared.setKeeper { [keeper] in keeper.noteChange() }
    notifier.notify.withLock { notify in notify = { [weak self] in if let self { conditionChanged(health) } } }
    if !shared.isLost { keeper.noteChange() }
    let isStarted = WorkerThread.start { Self.loop(queue, writer, times) }
    if !isStarted {
      queue.change { ($0.isClosed, $0.hasEnded) = (true, true) }
      shared.failure(.failing("no thread could be started to write"), isClosed: true)
    }
    if health.condition != .good { conditionChanged(health) }
  }

  /// Commits the waiting transactions, writes the last good state and closes the database. The store answers `.unavailable` from then on.
  public func close() {
    queue.change { $0.isClosed = true }
    queue.wait { $0.hasEnded ? () : nil }
    readers.stop()
    if shared.isPlayerRevisionUnsaved { keeper.noteChange() }
    keeper.stop()
  }

  /// Closes the store from a thread of its own, because a publication may need the cooperative pool's thread that would block here.
  public func stop() async { if await WorkerThread.run({ self.close() }) == nil { close() } }

  /// Enqueues a transaction for the writer's next batch.
  package func submit<Answer: Sendable, Refusal: StoreRefusal>(
    _ mode: WriteMode, _ body: TransactionBody<Answer>, by completions: (any CompletionQueue)?,
    then take: @escaping @Sendable (Result<Answer, Refusal>) -> Void
  ) {
    let job = TransactionJob(mode, body, completions, take)
    if let error = add(.transaction(job)) { job.fail(error) }
  }

  /// Runs a read on a reader thread.
  package func read<Answer: Sendable>(
    deadlineMilliseconds: Int, _ body: @escaping @Sendable (ReadTransaction) throws -> Answer
  ) async throws(StoreError) -> Answer {
    if let closed = shared.closed { throw closed }
    let result: Result<Answer, StoreError> = await withCheckedContinuation { continuation in
      let job = ReadJob(body, shared: shared, continuation)
      if readers.add(job) { job.expire(afterMilliseconds: deadlineMilliseconds, by: times) } else { job.fail(.overloaded) }
    }
    return try result.get()
  }

  /// Returns the state to serve: from the database, or from the last good state.
  public func contents() async throws(StoreError) -> StoreContents { shared.contentsToServe() }

  /// Sets the closure that receives each commit's changes; it also receives those since ``contents()``.
  public func publish(to publication: @escaping Publication) {
    shared.setPublication(publication)
    enqueueForWriter { $0.publish([]) }
  }

  /// Returns the override slots (a key of a game, for all or for one player) with a window whose beginning or end is due but not applied,
  /// or applied but not stored.
  public func slotsWithEdges(at now: Instant) -> [OverrideSlot] { shared.slotsWithEdges(at: now) }

  /// The condition of the database and of the last good state.
  public var health: StoreHealth {
    var health = StoreHealth(schemaVersion: StoreSchema.current.version)
    shared.fill(&health)
    let fileStatus = keeper.fileStatus
    health.lastGoodSavedAt = fileStatus.savedAt
    health.lastGoodFault = fileStatus.fault
    health.lastGoodIsBehind = fileStatus.isBehind
    health.writesWaiting = queue.change { $0.items.count }
    health.databaseBytes = file.identity()?.bytesCount
    health.logBytes = file.identity(of: file.logPath)?.bytesCount
    health.freeBytes = file.bytesFree.map { Int64(clamping: $0) }
    return health
  }

  /// Begins a replacement of the database; false if another one is running, because each prepares the new database in the same file.
  func beginReplacing() -> Bool {
    isReplacing.withLock { isReplacing in
      if isReplacing { return false }
      isReplacing = true
      return true
    }
  }

  func endReplacing() { isReplacing.withLock { $0 = false } }

  /// Runs a closure on the writer thread between batches.
  func command<Answer: Sendable>(_ body: @escaping @Sendable (SQLiteWriter) -> Answer) async throws(StoreError) -> Answer {
    let result: Result<Answer, StoreError> = await withCheckedContinuation { continuation in
      if let error = add(.command { continuation.resume(returning: .success(body($0))) }) {
        continuation.resume(returning: .failure(error))
      }
    }
    return try result.get()
  }

  /// Enqueues a closure of the store itself for the writer, even if the queue is full.
  func enqueueForWriter(_ body: @escaping @Sendable (SQLiteWriter) -> Void) { queue.change { $0.items.append(.command(body)) } }

  private func add(_ item: WriterItem) -> StoreError? {
    var reports = false
    defer { if reports { queueFilled() } }
    return queue.change { queue in
      if queue.isClosed { return .unavailable("the daemon is stopping") }
      if queue.items.count >= StoreLimits.writesWaitingMax {
        (reports, queue.isFullReported) = (!queue.isFullReported, true)
        return .overloaded
      }
      if queue.items.count <= StoreLimits.writesWaitingMax / 2 { queue.isFullReported = false }
      queue.items.append(item)
      return nil
    }
  }

  private static func loop(_ queue: Monitor<JobQueue>, _ writer: SQLiteWriter, _ times: StoreTiming) {
    while true {
      switch take(from: queue, retryMilliseconds: writer.shouldRetry ? times.reopen : nil, unpacks: writer.hasPackedAudits) {
      case .batch(let jobs):
        writer.process(jobs)
        // One step of unpacking audit lines after each batch, so that they are unpacked under constant load too.
        writer.unpackAudits()
      case .command(let body): body(writer)
      case .unpacking: writer.unpackAudits()
      case .retry: writer.retry()
      case .end:
        writer.close()
        queue.change { $0.hasEnded = true }
        return
      }
    }
  }

  private static func take(from queue: Monitor<JobQueue>, retryMilliseconds: Int?, unpacks: Bool) -> WriterTask {
    let next: (inout JobQueue) -> WriterTask? = { queue in
      var batch: [any WriterJob] = []
      loop: for item in queue.items.prefix(StoreLimits.batchTransactionsMax) {
        switch item {
        case .command(let body):
          if batch.isEmpty {
            queue.items.removeFirst()
            return .command(body)
          }
          break loop
        case .transaction(let job):
          if job.mode.isAlone, !batch.isEmpty { break loop }
          batch.append(job)
          if job.mode.isAlone { break loop }
        }
      }
      if batch.isEmpty { return queue.isClosed ? .end : unpacks ? .unpacking : nil }
      queue.items.removeFirst(batch.count)
      return .batch(batch)
    }
    guard let retryMilliseconds else { return queue.wait(next) }
    return queue.wait(milliseconds: retryMilliseconds, next) ?? .retry
  }
}
