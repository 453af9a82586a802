// A store for tests without files: the transactions of the real store over a database in memory.
// It exists only in debug builds, as tests are: a release build of the package cannot import the module for testing.
#if DEBUG
public import GameConfCore
@testable public import GameConfStorage
import Synchronization

/// A store on one connection to a database in memory. Each transaction is a batch.
public final class MemoryStore: Store {
  private struct GuardedState {
    /// The served state; nil before it is first used.
    var served: StoredState?
    /// True if a transaction ran while writes failed, so that the database lacks its state.
    var hasUnsaved = false
    var publication: Publication?
    var batches: Int64 = 0
    var failure: StoreError?
    var waiting = 0
  }

  private typealias Job = @Sendable () async -> Void
  private let guarded = Mutex(GuardedState())
  /// The connection; nil if no database could be created in memory.
  private let database: Mutex<SQLiteConnection?>
  private let jobs: AsyncStream<Job>.Continuation

  /// Creates an empty store.
  public init() {
    let connection = try? SQLiteConnection(path: ":memory:", for: .writing)
    if let connection {
      try? StoreSchema.current.migrate(connection, from: 0)
      try? connection.execute(
        "INSERT INTO numbers (name, number) VALUES ('\(RevisionRows.epoch)', \(Int64.random(in: .min ... .max)))")
    }
    database = Mutex(connection)
    let (stream, jobs) = AsyncStream.makeStream(of: Job.self)
    self.jobs = jobs
    Task { for await job in stream { await job() } }
  }

  deinit {
    jobs.finish()
    database.withLock { $0?.close() }
  }

  /// Makes every write fail with this error, like a disk would, until it is nil again; reads continue.
  public func fail(with error: StoreError?) { guarded.withLock { $0.failure = error } }

  /// Runs a transaction after the earlier ones are published.
  public func submit<Answer: Sendable, Refusal: StoreRefusal>(
    _ mode: WriteMode, _ body: TransactionBody<Answer>, by completions: (any CompletionQueue)?,
    then take: @escaping @Sendable (Result<Answer, Refusal>) -> Void
  ) {
    let isAdmitted = guarded.withLock { guarded in
      guard guarded.waiting < StoreLimits.writesWaitingMax else { return false }
      guarded.waiting += 1
      return true
    }
    guard isAdmitted else { return take(.failure(.store(.overloaded))) }
    jobs.yield { [self] in
      let result: Result<Answer, Refusal> = await run(mode, body)
      guarded.withLock { $0.waiting -= 1 }
      if let completions { completions.enqueue([{ take(result) }]) } else { take(result) }
    }
  }

  private func run<Answer, Refusal: StoreRefusal>(_ mode: WriteMode, _ body: TransactionBody<Answer>) async -> Result<Answer, Refusal> {
    let (answer, changes): (Answer, [StoreChange])
    var state: StoredState
    do {
      state = try served()
      if let failure = guarded.withLock({ $0.failure }) {
        guard case .surviving(let body) = body else { return .failure(.store(failure)) }
        let transaction = UnsavedTransaction(state)
        (answer, changes) = (try body(transaction), transaction.changes)
        if !mode.isDryRun { guarded.withLock { $0.hasUnsaved = true } }
      } else {
        (answer, changes) = try database.withLock { try Self.transact(mode, body, on: $0) }
      }
    } catch { return .failure(Refusal(caught: error)) }
    if mode.isDryRun { return .success(answer) }
    if changes.isEmpty { return .success(answer) }
    state.apply(changes)
    let (number, publication) = guarded.withLock { [state] guarded in
      guarded.served = state
      guarded.batches += 1
      return (guarded.batches, guarded.publication)
    }
    await publication?(CommittedBatch(number: number, changes: changes, state: state))?()
    return .success(answer)
  }

  private static func transact<Answer>(
    _ mode: WriteMode, _ body: TransactionBody<Answer>, on database: SQLiteConnection?
  ) throws -> (Answer, [StoreChange]) {
    guard let database else { throw StoreError.failed("there is no database in memory") }
    try database.run("BEGIN IMMEDIATE")
    let transaction = WriteTransaction(database, floors: ReadTransaction.RevisionFloors())
    do {
      let answer = try body(transaction, within: mode.scope)
      if let failure = transaction.failure { throw failure.storeError }
      try database.run(mode.isDryRun ? "ROLLBACK" : "COMMIT")
      return (answer, transaction.notes.changes)
    } catch {
      try? database.run("ROLLBACK")
      throw error
    }
  }

  /// Reads the committed state; the read never times out.
  public func read<Answer: Sendable>(
    deadlineMilliseconds: Int, _ body: @escaping @Sendable (ReadTransaction) throws -> Answer
  ) async throws(StoreError) -> Answer {
    do {
      return try database.withLock { database in
        guard let database else { throw StoreError.failed("there is no database in memory") }
        return try body(ReadTransaction(database, floors: ReadTransaction.RevisionFloors()))
      }
    } catch { throw StoreError(caught: error) }
  }

  /// Returns the whole state, as a start reads it.
  public func contents() async throws(StoreError) -> StoreContents {
    StoreContents(state: guarded.withLock({ $0.hasUnsaved }) ? try served() : try stored())
  }

  private func served() throws(StoreError) -> StoredState {
    if let served = guarded.withLock({ $0.served }) { return served }
    let state = try stored()
    guarded.withLock { $0.served = state }
    return state
  }

  private func stored() throws(StoreError) -> StoredState {
    do {
      return try database.withLock { database in
        guard let database else { throw StoreError.failed("there is no database in memory") }
        return try StoredState.loaded(from: database) { _ in }.0
      }
    } catch { throw StoreError(caught: error) }
  }

  /// Sets the observer of commits. Unlike the daemon's stores, this one does not publish the commits between ``contents()`` and this call.
  public func publish(to publication: @escaping Publication) { guarded.withLock { $0.publication = publication } }

  /// Returns the slots that have an edge to apply.
  public func slotsWithEdges(at now: Instant) -> [OverrideSlot] { (try? served())?.slotsWithEdges(at: now) ?? [] }

  /// The health, which is good unless the store was made to fail.
  public var health: StoreHealth {
    guarded.withLock { guarded in
      var health = StoreHealth(schemaVersion: 0)
      health.writesWaiting = guarded.waiting
      switch guarded.failure {
      case .none: break
      case .noSpace: health.condition = .noSpace
      case .readOnly: health.condition = .readOnly
      case .unavailable(let why): health.condition = .lost(why)
      case .some(let other): health.condition = .failing("\(other)")
      }
      return health
    }
  }
}
#endif
