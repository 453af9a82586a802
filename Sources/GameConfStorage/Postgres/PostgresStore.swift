// The store in PostgreSQL: writer threads, reader threads, a listener for other daemons' changes, and the last good state.
public import GameConfCore
import Glibc
import Synchronization

/// Stores the state of a fleet of daemons in one PostgreSQL database.
///
/// Waiting transactions are committed together in one database transaction, under the locks of their players or games. Under load, up to
/// three further writers decide about players in parallel, each in database transactions of its own. While the database is unreachable, the
/// last state is served and writes are refused. The store notices its return within about a second.
///
/// ```swift
/// let settings = PostgresSettings(connection: "host=/run/postgresql dbname=gameconf")
/// let store = PostgresStore(settings, writer: "host-1", lastGood: LastGoodFile(in: directory), now: { clock.now })
/// let contents = try await store.contents()
/// ```
public final class PostgresStore: Store, StoreAdministration {
  private static let playersPublishedAtOnce = 32
  /// The number of writers besides the first one, which decide about players under load.
  private static let writersBeside = min(3, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) / 2))
  /// The time after which a writer besides the first closes an idle connection.
  private static let idleMilliseconds = 60_000
  /// The pause of a writer besides the first after a failure to connect.
  private static let pauseMilliseconds = 10_000

  /// The closure that reports changed health. It is set after the initialization of the store, because it refers to the store.
  private final class HealthNotifier: Sendable {
    let notify = Mutex<(@Sendable () -> Void)?>(nil)
  }

  private let shared: StoreMonitor
  private let readers: PostgresReaders
  private let listener: PostgresListener
  private let fleet: FleetStatus
  private let keeper: LastGoodKeeper
  private let queue: PostgresQueue
  private let grammar: PostgresGrammar
  private let common: PostgresSharedState
  private let times: StoreTiming
  private let schemaVersion: Int

  /// Connects to the database. This never fails: faults are in ``health``, and the state that can still be served is in ``contents()``.
  /// - Parameters:
  ///   - writer: This daemon's name in the fleet; no two daemons may have the same.
  ///   - release: This daemon's version, for the other hosts.
  ///   - clock: The clock to set to the database's time. If the database is reachable, it is set before this initializer returns.
  ///   - owner: Receives the fleet's id from the database. A last good state of another fleet, or without a fleet, is not used.
  ///   - times: The pauses and intervals.
  ///   - conditionChanged: Called when the store's condition has changed, for the journal.
  ///   - migrating: Called before each step of a migration.
  ///   - queueFilled: Called when a transaction is refused because ``StoreLimits/writesWaitingMax`` others wait; called again only after
  ///     the queue was half empty.
  ///   - rowUnreadable: Called once for each unreadable row, up to ``StoreLimits/unreadableRowsMax``.
  ///   - catalogsChanged: Called with games for which another daemon has accepted or removed a catalog.
  ///   - foundLoss: Called when the database lacked changes that were served, after every revision was raised above the served ones and an
  ///     epoch began.
  public init(
    _ settings: PostgresSettings, writer name: String, release: String = "", clock: FleetClock = FleetClock(over: SystemClock()),
    lastGood: any LastGood, owner: StateOwner = StateOwner(isShared: true), times: StoreTiming = StoreTiming(),
    now: @escaping @Sendable () -> Instant,
    conditionChanged: @escaping @Sendable (StoreHealth) -> Void = { _ in },
    migrating: @escaping @Sendable (StoreMigration) -> Void = { _ in }, queueFilled: @escaping @Sendable () -> Void = {},
    rowUnreadable: @escaping @Sendable (UnreadableRow) -> Void = { _ in },
    catalogsChanged: @escaping @Sendable ([String]) -> Void = { _ in }, foundLoss: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    var known: LastGoodState?
    var fileStatus = LastGoodKeeper.FileStatus()
    do throws(StateFault) { known = try lastGood.load() } catch { fileStatus.fault = "\(error.path) \(error.message)" }
    if let state = known, !owner.admits(state.fleet) {
      owner.disregard("last-good.json was", of: state.fleet)
      known = nil
    }
    // The fleet from `last-good.json` is provisional, until the database is read.
    if let fleet = known?.fleet { owner.belong(to: fleet) }
    fileStatus.savedAt = known?.savedAt
    let queue = PostgresQueue(times: times, filled: queueFilled)
    let notifier = HealthNotifier()
    let shared = StoreMonitor(known, of: owner, times: times, now: now, rowUnreadable: rowUnreadable) { notifier.notify.withLock { $0 }?() }
    let schema = StoreSchema.current
    let grammar = PostgresGrammar(writer: name)
    let lookAgain: @Sendable (DatabaseFailure) -> Void = { _ in queue.insist { $0.checkRecovery() } }
    let common = PostgresSharedState(shared)
    let onConnection: @Sendable (ObserverThread, DatabaseFailure?) -> Void = { observer, error in
      // `lookAgain` handles a lost connection, so only a new connection after a loss is handled here.
      if common.note(observer, failure: error), error == nil { queue.insist { $0.checkRecovery() } }
    }
    let readers = PostgresReaders(settings, fleet: { common.fleet }, onFailure: lookAgain, onConnection: onConnection)
    self.queue = queue
    self.grammar = grammar
    self.shared = shared
    self.readers = readers
    self.times = times
    schemaVersion = schema.version
    // While the store fails, a fault of `last-good.json` is not reported: the failure was reported already and matters more.
    let faultChanged = { @Sendable in if shared.condition == .good { notifier.notify.withLock { $0 }?() } }
    keeper = LastGoodKeeper(lastGood, fileStatus: fileStatus, times: times, faultChanged: faultChanged) { shared.lastGood() }
    let fleet = FleetStatus(settings, clock: clock, writer: name, release: release)
    self.fleet = fleet
    self.common = common
    let setup = PostgresWriter.WriterSetup(
      settings: settings, schema: schema, writer: name, fleet: fleet, requestCheck: { queue.insist { $0.checkRecovery() } },
      migrating: migrating, catalogsChanged: catalogsChanged, foundLoss: foundLoss)
    let writer = PostgresWriter(setup, grammar: grammar, shared: shared, common: common, readers: readers)
    writer.connect()
    listener = PostgresListener(
      settings, fleet,
      PostgresListener.ListenerCallbacks(
        fleet: { common.fleet }, onPoll: { Self.expire(queue, after: settings.patienceMilliseconds) },
        onChange: { queue.requestCatchUp() },
        onLines: { last in queue.insist { $0.publishAuditLines(upTo: last) } },
        onPlayers: { players in
          // Players are published in parts, so that writes can be processed between two parts.
          var rest = players[...]
          while !rest.isEmpty {
            let part = Array(rest.prefix(Self.playersPublishedAtOnce))
            rest = rest.dropFirst(part.count)
            queue.insist { $0.publishChanges(of: part) }
          }
        }, onFailure: lookAgain, onConnection: onConnection))
    shared.setKeeper { [keeper] in keeper.noteChange() }
    notifier.notify.withLock { notify in notify = { [weak self] in if let self { conditionChanged(health) } } }
    keeper.noteChange()
    let isStarted = WorkerThread.start { Self.loop(queue, writer) }
    if !isStarted {
      queue.endAtOnce()
      shared.failure(.failing("no thread could be started to write"), isClosed: true)
    }
    if isStarted {
      for place in 0..<Self.writersBeside {
        var setup = setup
        setup.isFirst = false
        // Each writer has its own row in the table `writers`, by its name.
        setup.writer += " +\(place + 1)"
        let writer = PostgresWriter(setup, grammar: grammar, shared: shared, common: common, readers: readers)
        queue.noteOther(by: 1)
        if !WorkerThread.start({ Self.loopBeside(queue, writer) }) { queue.noteOther(by: -1) }
      }
    }
    if health.condition != .good { conditionChanged(health) }
  }

  /// Commits the waiting transactions, writes the last good state and closes all connections. Later calls fail with `.unavailable`.
  public func close() {
    queue.close()
    queue.waitForEnd()
    listener.stop()
    readers.stop()
    if shared.isPlayerRevisionUnsaved { keeper.noteChange() }
    keeper.stop()
  }

  /// Closes the store from a thread of its own, because a publication may need the cooperative pool's thread that would block here.
  public func stop() async { if await WorkerThread.run({ self.close() }) == nil { close() } }

  /// Enqueues a transaction for the next batch of a writer.
  package func submit<Answer: Sendable, Refusal: StoreRefusal>(
    _ mode: WriteMode, _ body: TransactionBody<Answer>, by completions: (any CompletionQueue)?,
    then take: @escaping @Sendable (Result<Answer, Refusal>) -> Void
  ) {
    let job = TransactionJob(mode, body, completions, take)
    if let error = queue.add(job) { job.fail(error) }
  }

  /// Runs a read on a reader thread.
  package func read<Answer: Sendable>(
    deadlineMilliseconds: Int, _ body: @escaping @Sendable (ReadTransaction) throws -> Answer
  ) async throws(StoreError) -> Answer {
    if let closed = shared.closed { throw closed }
    let result: Result<Answer, StoreError> = await withCheckedContinuation { continuation in
      let job = ReadJob(body, grammar, shared: shared, continuation)
      if readers.add(job) { job.expire(afterMilliseconds: deadlineMilliseconds, by: times) } else { job.fail(.overloaded) }
    }
    return try result.get()
  }

  /// Returns the state to serve: from the database, or from the last good state.
  public func contents() async throws(StoreError) -> StoreContents { shared.contentsToServe() }

  /// Sets the closure that receives each commit's changes; it also receives those since ``contents()``.
  public func publish(to publication: @escaping Publication) {
    shared.setPublication(publication)
    queue.insist { $0.publish([]) }
  }

  /// Returns the override slots (a key of a game, for all or for one player) with a window whose beginning or end is due but not applied,
  /// or applied but not stored.
  public func slotsWithEdges(at now: Instant) -> [OverrideSlot] { shared.slotsWithEdges(at: now) }

  /// The condition of the database, of the fleet and of the last good state.
  public var health: StoreHealth {
    var health = StoreHealth(schemaVersion: schemaVersion)
    shared.fill(&health)
    let fileStatus = keeper.fileStatus
    health.lastGoodSavedAt = fileStatus.savedAt
    health.lastGoodFault = fileStatus.fault
    health.lastGoodIsBehind = fileStatus.isBehind
    health.writesWaiting = queue.count
    // The connections of the first writer, the listener, the readers and the other writers.
    health.fleet = fleet.present(connectionsCount: shared.closed == nil ? PostgresReaders.threads + 2 + common.sessionsBeside : 0)
    return health
  }

  /// Begins to publish the changes that other daemons make to the players watched on this host.
  /// - Parameter watched: Returns the watched players; called twice a second.
  public func follow(players watched: @escaping @Sendable () -> [PlayerID]) { fleet.follow(watched) }

  /// Acquires or renews a lease for a task that one daemon of the fleet performs; false while another daemon has it.
  /// - Parameters:
  ///   - lease: The name of the task.
  ///   - milliseconds: The duration of the lease, unless it is renewed.
  public func takes(lease: String, milliseconds: Int64) async throws(StoreError) -> Bool {
    try await command { [fleet] writer -> Result<Bool, StoreError> in
      guard let session = writer.session else { return .failure(.unavailable("the database cannot be reached")) }
      do throws(DatabaseFailure) {
        return .success(try fleet.takes(lease, milliseconds: milliseconds, over: session.connection))
      } catch {
        writer.checkRecovery()
        return .failure(error.storeError)
      }
    }.get()
  }

  /// Runs a closure on the first writer's thread between batches.
  func command<Answer: Sendable>(_ body: @escaping @Sendable (PostgresWriter) -> Answer) async throws(StoreError) -> Answer {
    let result: Result<Answer, StoreError> = await withCheckedContinuation { continuation in
      if let error = queue.add({ continuation.resume(returning: .success(body($0))) }) {
        continuation.resume(returning: .failure(error))
      }
    }
    return try result.get()
  }

  /// Fails transactions that have waited too long and have not begun.
  private static func expire(_ queue: PostgresQueue, after milliseconds: Int32) {
    for job in queue.takeLate(after: milliseconds) { job.fail(.late) }
  }

  private static func loop(_ queue: PostgresQueue, _ writer: PostgresWriter) {
    while true {
      writer.announceIfDue()
      switch queue.takeFirst(milliseconds: writer.wakeMilliseconds) {
      case .batch(let batch):
        writer.process(batch.map(\.job))
        queue.finish(batch, isFirst: true)
      case .command(let body): body(writer)
      case .nothing: writer.connect()
      case .end:
        writer.announceIfDue(isLast: true)
        writer.close()
        queue.noteEnd()
        return
      }
    }
  }

  /// Runs a writer other than the first. It connects when there is work, and closes an idle connection after a while.
  private static func loopBeside(_ queue: PostgresQueue, _ writer: PostgresWriter) {
    while true {
      switch queue.takeBeside(milliseconds: idleMilliseconds) {
      case .batch(let batch):
        let isDone = writer.processBeside(batch.map(\.job))
        queue.finish(batch, isFirst: false, rest: isDone ? [] : batch)
        if !isDone { queue.waitForClose(milliseconds: pauseMilliseconds) }
      case .command: break
      case .nothing: writer.close()
      case .end:
        writer.close()
        queue.noteOther(by: -1)
        return
      }
    }
  }
}
