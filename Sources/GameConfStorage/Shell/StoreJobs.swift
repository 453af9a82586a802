// The queued transactions and reads, each with the receiver of its answer.
import Synchronization

/// A queued transaction.
protocol WriterJob: AnyObject, Sendable {
  var mode: WriteMode { get }
  /// The completion queue that delivers the answer; nil to answer on the writer's thread.
  var completions: (any CompletionQueue)? { get }
  /// Runs the transaction and stores its answer.
  /// - Returns: True if the transaction did not throw an error.
  func run(in transaction: WriteTransaction) -> Bool
  /// True if the transaction can also run on the served state while the database is lost or read-only.
  var survivesLoss: Bool { get }
  /// Runs the transaction on the served state, and stores its answer.
  /// - Returns: True if the transaction did not throw an error.
  func run(unsaved transaction: any StateTransaction) -> Bool
  /// Delivers the stored answer to the caller.
  func settle()
  /// Delivers a failure of the store to the caller.
  func fail(_ error: StoreError)
}

/// A transaction with its answer. Unchecked, because only the writer's thread accesses the answer until it delivers it.
final class TransactionJob<Answer: Sendable, Refusal: StoreRefusal>: WriterJob, @unchecked Sendable {
  let mode: WriteMode
  let completions: (any CompletionQueue)?
  private let body: TransactionBody<Answer>
  private let take: @Sendable (Result<Answer, Refusal>) -> Void
  private var result: Result<Answer, Refusal>?

  init(
    _ mode: WriteMode, _ body: TransactionBody<Answer>, _ completions: (any CompletionQueue)?,
    _ take: @escaping @Sendable (Result<Answer, Refusal>) -> Void
  ) {
    self.mode = mode
    self.completions = completions
    self.body = body
    self.take = take
  }

  var survivesLoss: Bool { body.survivesLoss && !mode.isDryRun }

  func run(in transaction: WriteTransaction) -> Bool { run { try body(transaction, within: mode.scope) } }

  func run(unsaved transaction: any StateTransaction) -> Bool {
    run {
      guard case .surviving(let body) = body else { throw StoreError.unavailable("the database is lost") }
      return try body(transaction)
    }
  }

  private func run(_ body: () throws -> Answer) -> Bool {
    do {
      result = .success(try body())
      return true
    } catch {
      result = .failure(Refusal(caught: error))
      return false
    }
  }

  func settle() { take(result ?? .failure(.store(.failed("the transaction was not run")))) }

  func fail(_ error: StoreError) { take(.failure(.store(error))) }
}

/// A queued read.
protocol ReaderJob<Connection>: AnyObject, Sendable {
  associatedtype Connection
  /// True if the caller still waits for the answer.
  var isAwaited: Bool { get }
  /// Runs the read and answers.
  /// - Returns: The failure of the connection or the database; nil if the read succeeded or only this read failed.
  func run(on connection: Connection) -> DatabaseFailure?
  func fail(_ error: StoreError)
}

/// A read with its answer, delivered once: by the reader or by the deadline.
final class ReadJob<Connection, Answer: Sendable>: ReaderJob {
  /// Reads over a connection, calls `finish` with an answer, and returns the failure of the connection or the database, if any.
  typealias JobBody = @Sendable (Connection, _ finish: (Result<Answer, StoreError>) -> Void) -> DatabaseFailure?

  private let body: JobBody
  private let continuation: Mutex<CheckedContinuation<Result<Answer, StoreError>, Never>?>
  private let cancelTimer = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ continuation: CheckedContinuation<Result<Answer, StoreError>, Never>, body: @escaping JobBody) {
    self.continuation = Mutex(continuation)
    self.body = body
  }

  func expire(afterMilliseconds milliseconds: Int, by times: StoreTiming) {
    let cancel = times.after(max(milliseconds, times.readDeadlineMin)) { [weak self] in self?.finish(.failure(.late)) }
    cancelTimer.withLock { $0 = cancel }
    if !isAwaited { cancel() }
  }

  var isAwaited: Bool { continuation.withLock { $0 != nil } }

  func run(on connection: Connection) -> DatabaseFailure? { body(connection, finish) }

  func fail(_ error: StoreError) { finish(.failure(error)) }

  private func finish(_ result: Result<Answer, StoreError>) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    guard let waiting else { return }
    cancelTimer.withLock { $0 }?()
    waiting.resume(returning: result)
  }
}

extension [any WriterJob] {
  /// Delivers every answer, with one call for each completion queue.
  func settle() {
    var loads: [(completions: any CompletionQueue, answers: [@Sendable () -> Void])] = []
    for job in self {
      guard let completions = job.completions else {
        job.settle()
        continue
      }
      let at = loads.firstIndex { $0.completions === completions } ?? loads.count
      if at == loads.count { loads.append((completions, [])) }
      loads[at].answers.append { job.settle() }
    }
    for load in loads { load.completions.enqueue(load.answers) }
  }
}

extension WriteTransaction {
  /// Runs a dry run within the batch's database transaction, and rolls back only its writes.
  func dryRun(_ job: any WriterJob) throws {
    let before = notes.mark
    try database.run(.set("turn"))
    _ = job.run(in: self)
    if let failure { throw failure }
    notes.goBack(to: before)
    try database.run(.goBack("turn"))
    try database.run(.release("turn"))
  }
}
