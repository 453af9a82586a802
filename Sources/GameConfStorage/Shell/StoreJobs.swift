// Transactions and reads that wait, each with whoever waits for its answer.
import Synchronization

/// A transaction that waits for the writer.
protocol WriterJob: AnyObject, Sendable {
  var mode: WriteMode { get }
  /// The completion queue that takes the answer to where it is awaited; nil when this thread may give it.
  var completions: (any CompletionQueue)? { get }
  /// Runs the transaction and keeps its answer.
  /// - Returns: whether it came to its end.
  func run(in transaction: WriteTransaction) -> Bool
  /// True if it also runs over what is served, when the database cannot keep it.
  var survivesLoss: Bool { get }
  /// Runs it over what is served, and keeps its answer.
  /// - Returns: whether it came to its end.
  func run(unsaved transaction: any StateTransaction) -> Bool
  /// Gives the stored answer to whoever waits.
  func settle()
  /// Gives the store's trouble to whoever waits.
  func fail(_ error: StoreError)
}

/// A transaction and its answer; unchecked, since only the writer's thread touches the answer, until it hands it over.
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

/// A read that waits for a reader.
protocol ReaderJob<Connection>: AnyObject, Sendable {
  associatedtype Connection
  /// True if it is still waited for.
  var isAwaited: Bool { get }
  /// Reads and answers.
  /// - Returns: The failure of the connection or the database; nil if only this read failed, or nothing did.
  func run(on connection: Connection) -> DatabaseFailure?
  func fail(_ error: StoreError)
}

/// A read and its answer: given once, by the reader or by the deadline.
final class ReadJob<Connection, Answer: Sendable>: ReaderJob {
  /// Reads over a connection, finishes with an answer, and returns the failure of the connection or the database, if any.
  typealias Body = @Sendable (Connection, _ finish: (Result<Answer, StoreError>) -> Void) -> DatabaseFailure?

  private let body: Body
  private let continuation: Mutex<CheckedContinuation<Result<Answer, StoreError>, Never>?>
  private let cancelTimer = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ continuation: CheckedContinuation<Result<Answer, StoreError>, Never>, body: @escaping Body) {
    self.continuation = Mutex(continuation)
    self.body = body
  }

  /// Gives the read up when it takes longer.
  func expire(afterMilliseconds milliseconds: Int, by times: StoreTimes) {
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
  /// Gives every answer; each completion queue is filled once.
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
  /// Runs a job and undoes what it wrote, and that alone.
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
