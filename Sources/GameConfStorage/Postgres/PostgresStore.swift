// The store in PostgreSQL: writers' threads, readers beside them, a look at what other daemons do, and the last good state.
public import GameConfCore
import Glibc
import Synchronization

/// Keeps the state of a fleet of daemons in one PostgreSQL database.
///
/// The transactions that wait are committed together, in one of the database, decided under the locks of the players or the game they are about.
/// Where much waits, up to three further writers decide about players beside the first, each in transactions of its own. When the database
/// is away, what is served stays served; writes are refused until it is back, which is noticed within about a second.
///
/// ```swift
/// let settings = PostgresSettings(connection: "host=/run/postgresql dbname=gameconf")
/// let store = PostgresStore(settings, writer: "host-1", lastGood: LastGoodFile(in: directory), now: { clock.now })
/// let contents = try await store.contents()
/// ```
public final class PostgresStore: Store, StoreAdministration {
  private static let playersToldAtOnce = 32
  /// The number of writers that decide about players beside the first one, where there is enough to do.
  private static let writersBeside = min(3, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) / 2))
  /// The time for which one of them keeps a connection that it does not need.
  private static let idleMilliseconds = 60_000
  /// The time that one of them leaves all to the first when it finds no connection.
  private static let pauseMilliseconds = 10_000

  /// Reports changed health once the store is made.
  private final class HealthNotifier: Sendable {
    let tell = Mutex<(@Sendable () -> Void)?>(nil)
  }

  private let shared: StoreMonitor
  private let readers: PostgresReaders
  private let listener: PostgresListener
  private let fleet: FleetStatus
  private let keeper: LastGoodKeeper
  private let queue: PostgresQueue
  private let grammar: PostgresGrammar
  private let common: PostgresCommon
  private let times: StoreTimes
  private let schemaVersion: Int

  /// Connects. It never fails: what is wrong is in ``health``, and what can still be served by ``contents()``.
  /// - Parameters:
  ///   - writer: by what this daemon is known among those of the fleet; no two may share it.
  ///   - release: of which release it is, for the other hosts.
  ///   - clock: is taught the database's time, the first time before this returns where the database is there.
  ///   - owner: learns from the database whose store it is; a last good state of another's, or of nobody's, is not used.
  ///   - times: how long it waits for what.
  ///   - conditionChanged: called when the store's condition has changed, for the journal.
  ///   - migrating: called before each step that brings older tables up to date.
  ///   - queueFilled: called when ``StoreLimits/writesWaitingMax`` transactions wait and one more is refused; again only when half of them were gone.
  ///   - rowUnreadable: called once for each row that cannot be read, up to ``StoreLimits/unreadableRowsMax``.
  ///   - catalogsChanged: called with games of which another daemon has accepted a catalog, or let it go.
  ///   - foundLoss: called when the database has less than was served: every revision was raised above it, and an epoch begun.
  public init(
    _ settings: PostgresSettings, writer name: String, release: String = "", clock: FleetClock = FleetClock(over: SystemClock()),
    lastGood: any LastGood, owner: StateOwner = StateOwner(isShared: true), times: StoreTimes = StoreTimes(),
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
    // Until the database says otherwise.
    if let fleet = known?.fleet { owner.belong(to: fleet) }
    fileStatus.savedAt = known?.savedAt
    let queue = PostgresQueue(times: times, filled: queueFilled)
    let teller = HealthNotifier()
    let shared = StoreMonitor(known, of: owner, times: times, now: now, rowUnreadable: rowUnreadable) { teller.tell.withLock { $0 }?() }
    let schema = StoreSchema.current
    let grammar = PostgresGrammar(writer: name)
    let lookAgain: @Sendable (DatabaseFailure) -> Void = { _ in queue.insist { $0.checkRecovery() } }
    let common = PostgresCommon(shared)
    let lacks: @Sendable (PostgresObserver, DatabaseFailure?) -> Void = { observer, error in
      // Who finds none is heard of by `lookAgain`.
      if common.note(observer, lacks: error), error == nil { queue.insist { $0.checkRecovery() } }
    }
    let readers = PostgresReaders(settings, fleet: { common.fleet }, meets: lookAgain, lacks: lacks)
    self.queue = queue
    self.grammar = grammar
    self.shared = shared
    self.readers = readers
    self.times = times
    schemaVersion = schema.version
    // While the store fails too, that has been reported, and is what matters.
    let faultChanged = { @Sendable in if shared.condition == .good { teller.tell.withLock { $0 }?() } }
    keeper = LastGoodKeeper(lastGood, fileStatus: fileStatus, times: times, faultChanged: faultChanged) { shared.lastGood() }
    let fleet = FleetStatus(settings, clock: clock, writer: name, release: release)
    self.fleet = fleet
    self.common = common
    let setup = PostgresWriter.Setup(
      settings: settings, schema: schema, writer: name, fleet: fleet, asksFirst: { queue.insist { $0.checkRecovery() } },
      migrating: migrating, catalogsChanged: catalogsChanged, foundLoss: foundLoss)
    let writer = PostgresWriter(setup, grammar: grammar, shared: shared, common: common, readers: readers)
    writer.connect()
    listener = PostgresListener(
      settings, fleet,
      PostgresListener.Calls(
        fleet: { common.fleet }, looks: { Self.expire(queue, after: settings.patienceMilliseconds) },
        finds: { queue.askForNews() },
        findsLines: { last in queue.insist { $0.publishAuditLines(upTo: last) } },
        findsPlayers: { players in
          // A few at a time, so that what is to be written comes between them.
          var rest = players[...]
          while !rest.isEmpty {
            let part = Array(rest.prefix(Self.playersToldAtOnce))
            rest = rest.dropFirst(part.count)
            queue.insist { $0.publishChanges(of: part) }
          }
        }, meets: lookAgain, lacks: lacks))
    shared.setKeeper { [keeper] in keeper.noteChange() }
    teller.tell.withLock { tell in tell = { [weak self] in if let self { conditionChanged(health) } } }
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
        // Its row among the writers is another than the first one's.
        setup.writer += " +\(place + 1)"
        let writer = PostgresWriter(setup, grammar: grammar, shared: shared, common: common, readers: readers)
        queue.noteOther(by: 1)
        if !WorkerThread.start({ Self.loopBeside(queue, writer) }) { queue.noteOther(by: -1) }
      }
    }
    if health.condition != .good { conditionChanged(health) }
  }

  /// Commits what waits, writes the last good state and closes every connection. The store answers `.unavailable` from then on.
  public func close() {
    queue.close()
    queue.waitForEnd()
    listener.stop()
    readers.stop()
    if shared.isPlayerRevisionUntold { keeper.noteChange() }
    keeper.stop()
  }

  /// Closes it without holding up a thread of the cooperative pool: what is being published may need that one.
  public func stop() async { if await WorkerThread.run({ self.close() }) == nil { close() } }

  /// Runs a transaction in the next batch.
  package func submit<Answer: Sendable, Refusal: StoreRefusal>(
    _ mode: WriteMode, _ body: TransactionBody<Answer>, by completions: (any CompletionQueue)?,
    then take: @escaping @Sendable (Result<Answer, Refusal>) -> Void
  ) {
    let job = TransactionJob(mode, body, completions, take)
    if let error = queue.add(job) { job.fail(error) }
  }

  /// Reads on a reader's thread.
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

  /// The served contents: from the database, or from the last good state.
  public func contents() async throws(StoreError) -> StoreContents { shared.contentsToServe() }

  /// Sets the observer of commits.
  public func publish(to publication: @escaping Publication) {
    shared.setPublication(publication)
    queue.insist { $0.publish([]) }
  }

  /// The slots that have an edge to apply or to save.
  public func slotsWithEdges(at now: Instant) -> [OverrideSlot] { shared.slotsWithEdges(at: now) }

  /// The health of the store.
  public var health: StoreHealth {
    var health = StoreHealth(schemaVersion: schemaVersion)
    shared.fill(&health)
    let fileStatus = keeper.fileStatus
    health.lastGoodSavedAt = fileStatus.savedAt
    health.lastGoodFault = fileStatus.fault
    health.lastGoodIsBehind = fileStatus.isBehind
    health.writesWaiting = queue.count
    // The writers', the readers' and the listener's.
    health.fleet = fleet.present(connectionsCount: shared.closed == nil ? PostgresReaders.threads + 2 + common.sessionsBeside : 0)
    return health
  }

  /// Publishes what other daemons do to players who are watched here.
  /// - Parameter watched: asked twice a second.
  public func follow(players watched: @escaping @Sendable () -> [PlayerID]) { fleet.follow(watched) }

  /// True if this daemon is the one of the fleet that does what only one has to do.
  /// - Parameters:
  ///   - lease: what is to be done.
  ///   - milliseconds: for how long the others leave it to this one, unless it asks again before.
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

  /// Runs something on the writer's thread, alone.
  func command<Answer: Sendable>(_ body: @escaping @Sendable (PostgresWriter) -> Answer) async throws(StoreError) -> Answer {
    let result: Result<Answer, StoreError> = await withCheckedContinuation { continuation in
      if let error = queue.add({ continuation.resume(returning: .success(body($0))) }) {
        continuation.resume(returning: .failure(error))
      }
    }
    return try result.get()
  }

  /// Refuses transactions that have waited too long; nothing of them was done.
  private static func expire(_ queue: PostgresQueue, after milliseconds: Int32) {
    for job in queue.takeLate(after: milliseconds) { job.fail(.late) }
  }

  private static func loop(_ queue: PostgresQueue, _ writer: PostgresWriter) {
    while true {
      switch queue.takeFirst(retries: writer.shouldRetry) {
      case .batch(let batch):
        writer.process(batch.map(\.job))
        queue.finish(batch, isFirst: true)
      case .command(let body): body(writer)
      case .nothing: writer.connect()
      case .end:
        writer.close()
        queue.noteEnd()
        return
      }
    }
  }

  /// Another writer's life. It connects when there is work for it, and lets go of the connection when there was none for a while.
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
