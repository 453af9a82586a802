// A store that keeps nothing beyond its own life, for tests and trials.
public import GameConfCore
import Synchronization

/// A store in memory, with the same turns, batches and publications as the one on disk.
public final class MemoryStore: Store {
  private struct Guarded {
    var committed = MemoryState()
    var publication: Publication?
    var batches: Int64 = 0
    var failure: StoreError?
    var waiting = 0
  }

  private typealias Job = @Sendable () async -> Void
  private let guarded = Mutex(Guarded())
  private let jobs: AsyncStream<Job>.Continuation

  /// An empty store.
  public init() {
    let (stream, jobs) = AsyncStream.makeStream(of: Job.self)
    self.jobs = jobs
    Task { for await job in stream { await job() } }
  }

  deinit { jobs.finish() }

  /// Makes every write fail with this, as a disk would, until it is nil again; reads go on.
  public func fail(with error: StoreError?) { guarded.withLock { $0.failure = error } }

  /// Runs a turn when those before it are published.
  public func submit<Answer: Sendable, Refusal: StoreRefusal>(
    _ mode: WriteMode, _ turn: @escaping @Sendable (any StoreTurn) throws -> Answer, by courier: (any AnswerCourier)?,
    then take: @escaping @Sendable (Result<Answer, Refusal>) -> Void
  ) {
    let isAdmitted = guarded.withLock { guarded in
      guard guarded.waiting < StoreLimits.writesWaitingMax else { return false }
      guarded.waiting += 1
      return true
    }
    guard isAdmitted else { return take(.failure(.store(.overloaded))) }
    jobs.yield { [self] in
      let result: Result<Answer, Refusal> = await run(mode, turn)
      guarded.withLock { $0.waiting -= 1 }
      if let courier { courier.carry([{ take(result) }]) } else { take(result) }
    }
  }

  private func run<Answer, Refusal: StoreRefusal>(
    _ mode: WriteMode, _ body: @Sendable (any StoreTurn) throws -> Answer
  ) async -> Result<Answer, Refusal> {
    let (state, failure, publication) = guarded.withLock { ($0.committed, $0.failure, $0.publication) }
    if let failure, !mode.survivesLoss { return .failure(.store(failure)) }
    let turn = MemoryTurn(state)
    let answer: Answer
    do { answer = try body(turn) } catch { return .failure(Refusal(caught: error)) }
    if mode.isDryRun { return .success(answer) }
    let number = guarded.withLock { guarded in
      guarded.committed = turn.state
      guarded.batches += 1
      return guarded.batches
    }
    if !turn.changes.isEmpty { await publication?(CommittedBatch(number: number, changes: turn.changes))?() }
    return .success(answer)
  }

  /// Reads what is committed; it never is late.
  public func read<Answer: Sendable>(
    deadlineMilliseconds: Int, _ body: @escaping @Sendable (any StoreView) throws -> Answer
  ) async throws(StoreError) -> Answer {
    let turn = MemoryTurn(guarded.withLock { $0.committed })
    do { return try body(turn) } catch { throw StoreError(caught: error) }
  }

  /// Everything.
  public func contents() async throws(StoreError) -> StoreContents { StoreContents(origin: .store, state: guarded.withLock { $0.committed.stored }) }

  /// Sets what is told of commits.
  public func publish(to publication: @escaping Publication) { guarded.withLock { $0.publication = publication } }

  /// The slots that have an edge to apply.
  public func slotsWithEdges(at now: Instant) -> [OverrideSlot] { guarded.withLock { $0.committed.stored }.slotsWithEdges(at: now) }

  /// Good, unless it was made to fail.
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
