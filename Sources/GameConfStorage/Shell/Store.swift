// The port to durable storage: one writer, whose transactions read and decide, and concurrent readers.
package import GameConfCore

/// The store of the daemon's state: SQLite for one host, PostgreSQL for many, and a database in memory in tests.
///
/// A use case passes a closure, its *transaction*, to ``submit(_:_:by:then:)`` or `write`. Transactions run one after another. Each sees
/// the writes of earlier ones, including those of the same uncommitted batch. A transaction that throws rolls back only its own writes. A
/// batch is committed durably, then published, and then answered: when `write` returns, the change is durable and visible to every reader.
///
/// ```swift
/// let revision = try await store.write(refusing: ChangeRefusal.self) { transaction in
///   let revision = try transaction.nextRevision(of: "wheresthedot")
///   try transaction.put(overrides, revision: revision)
///   return revision
/// }
/// ```
package protocol Store: Sendable {
  /// Runs a transaction on the writer and passes on its answer after its batch is committed and published.
  ///
  /// A transaction may run more than once (after space was freed, or when another transaction of its batch must be rolled back), so it must
  /// have no effects outside the transaction object.
  /// - Parameters:
  ///   - completions: The completion queue that delivers the answer; nil to call `take` on the writer's thread.
  ///   - take: Receives the answer, the transaction's refusal, or the store's failure as `.store`. A failed transaction writes and
  ///     publishes nothing. Called once, possibly on the caller's thread if the transaction cannot be queued, so it must not block.
  func submit<Answer: Sendable, Refusal: StoreRefusal>(
    _ mode: WriteMode, _ body: TransactionBody<Answer>, by completions: (any CompletionQueue)?,
    then take: @escaping @Sendable (Result<Answer, Refusal>) -> Void
  )

  /// Reads committed data on a reader thread.
  /// - Parameter deadlineMilliseconds: The time after which the read is cancelled with `.late`.
  /// - Throws: ``StoreError``.
  func read<Answer: Sendable>(
    deadlineMilliseconds: Int, _ body: @escaping @Sendable (ReadTransaction) throws -> Answer
  ) async throws(StoreError) -> Answer

  /// Returns the state to serve at the start: from the database, or from the last good state if the database is lost.
  func contents() async throws(StoreError) -> StoreContents

  /// Sets the observer of committed batches, which runs before the batch's writes are answered.
  ///
  /// Changes between ``contents()`` and this call are published first, as one ``StoreChange/replaced(_:)``.
  func publish(to publication: @escaping Publication)

  /// Returns the override slots (a key of a game, for all or for one player) with a window whose beginning or end is due but not applied,
  /// or applied but not stored. Answers from memory.
  func slotsWithEdges(at now: Instant) -> [OverrideSlot]

  /// The health of the store, read from memory, so that a busy disk does not delay it.
  var health: StoreHealth { get }
}

extension Store {
  /// Runs a transaction on the writer and returns its answer after its batch is committed and published; see ``submit(_:_:by:then:)``.
  /// - Parameter refusal: The use case's error type; any other error of the transaction becomes a failure of the store.
  /// - Throws: The transaction's refusal, or the store's failure as `.store`. Nothing is written or published then.
  package func write<Answer: Sendable, Refusal: StoreRefusal>(
    _ mode: WriteMode, refusing refusal: Refusal.Type, _ transaction: @escaping @Sendable (WriteTransaction) throws -> Answer
  ) async throws(Refusal) -> Answer {
    try await run(mode, .stored(transaction), refusing: refusal)
  }

  /// Runs a transaction that also works on the served state while the database is lost or read-only; see ``StateTransaction``.
  /// - Throws: The transaction's refusal, or the store's failure as `.store`.
  package func writeSurviving<Answer: Sendable, Refusal: StoreRefusal>(
    _ mode: WriteMode, refusing refusal: Refusal.Type, _ body: @escaping @Sendable (any StateTransaction) throws -> Answer
  ) async throws(Refusal) -> Answer {
    try await run(mode, .surviving(body), refusing: refusal)
  }

  private func run<Answer: Sendable, Refusal: StoreRefusal>(
    _ mode: WriteMode, _ body: TransactionBody<Answer>, refusing refusal: Refusal.Type
  ) async throws(Refusal) -> Answer {
    let result: Result<Answer, Refusal> = await withCheckedContinuation { waiting in
      submit(mode, body, by: nil) { waiting.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Runs a transaction on the writer and returns its answer after its batch is committed and published.
  package func write<Answer: Sendable, Refusal: StoreRefusal>(
    refusing refusal: Refusal.Type, _ transaction: @escaping @Sendable (WriteTransaction) throws -> Answer
  ) async throws(Refusal) -> Answer {
    try await write(WriteMode(), refusing: refusal, transaction)
  }

  /// Reads committed data on a reader thread, with a deadline of a second.
  package func read<Answer: Sendable>(_ body: @escaping @Sendable (ReadTransaction) throws -> Answer) async throws(StoreError) -> Answer {
    try await read(deadlineMilliseconds: StoreLimits.readMilliseconds, body)
  }
}

extension Store {
  /// Reads committed data on a reader thread or, if that fails, in a dry run on the writer.
  package func readOnAnyThread<Answer: Sendable>(
    deadlineMilliseconds: Int, _ body: @escaping @Sendable (ReadTransaction) throws -> Answer
  ) async throws(StoreError) -> Answer {
    do throws(StoreError) { return try await read(deadlineMilliseconds: deadlineMilliseconds, body) } catch {
      return try await write(WriteMode(isDryRun: true, scope: .players([])), refusing: StoreError.self) { try body($0) }
    }
  }
}

/// Delivers the answers of a batch to another thread with one wakeup, because a wakeup for each answer would cost more than the answers.
public protocol CompletionQueue: AnyObject, Sendable {
  /// Calls these closures, in order, on the queue's thread.
  func enqueue(_ answers: [@Sendable () -> Void])
}

package enum TransactionBody<Answer: Sendable>: Sendable {
  /// A closure that needs the database.
  case stored(@Sendable (WriteTransaction) throws -> Answer)
  /// A closure that also works while the database is lost or read-only.
  case surviving(@Sendable (any StateTransaction) throws -> Answer)

  /// True if the closure also works while the database is lost or read-only.
  package var survivesLoss: Bool { if case .surviving = self { true } else { false } }

  /// Runs the closure over the database.
  ///
  /// Throws if the closure changes a game outside its scope: without a lock on the game, another writer's change could be lost from the
  /// served state.
  package func callAsFunction(_ transaction: WriteTransaction, within scope: WriteScope) throws -> Answer {
    let before = transaction.notes.changes.count
    let answer =
      switch self {
      case .stored(let body): try body(transaction)
      case .surviving(let body): try body(transaction)
      }
    for change in transaction.notes.changes[before...] {
      guard let game = change.game, !scope.has(game: game) else { continue }
      throw StoreError.failed("a transaction about \(scope.name) changed the game \(game)")
    }
    return answer
  }
}

/// The options of a transaction.
public struct WriteMode: Sendable, Hashable {
  /// True for a dry run: the transaction is rolled back after it has answered, and nothing is published.
  public var isDryRun: Bool
  /// True if the transaction needs a batch of its own: no other one runs between it and the publication of its changes. For transactions
  /// after which others must decide by the published state, such as the acceptance of a catalog.
  public var isAlone: Bool
  /// The scope of the transaction's decision, outside which it must not change a game. A store in PostgreSQL locks the scope's rows, and
  /// needs one round trip for each read outside the scope.
  public var scope: WriteScope
  /// True if the transaction will read rows of players that are not in memory. A store in PostgreSQL then reads them in the round trip that
  /// locks them; other stores ignore this. A wrong value only costs time.
  public var readsPlayers: Bool
  /// The leaderboards on which the players' scores are in memory already, so that a store in PostgreSQL does not prefetch them.
  public var knownBoards: Set<String> = []

  /// Creates the options of a transaction of any scope.
  public init(
    isDryRun: Bool = false, isAlone: Bool = false, scope: WriteScope = .all, readsPlayers: Bool = false
  ) {
    self.isDryRun = isDryRun
    self.isAlone = isAlone
    self.scope = scope
    self.readsPlayers = readsPlayers
  }
}

/// The scope of a transaction's decision. Changes of games outside it are refused.
public enum WriteScope: Sendable, Hashable {
  /// Only these players' stored data.
  case players([PlayerID])
  /// A game: its overrides, its template, its catalog, its clock.
  case game(String)
  /// Every game.
  case all

  /// True if the transaction may change the served state of a game.
  func has(game: String) -> Bool {
    switch self {
    case .players: false
    case .game(let own): own == game
    case .all: true
    }
  }

  fileprivate var name: String {
    switch self {
    case .players: "players"
    case .game(let game): "the game \(game)"
    case .all: "every game"
    }
  }
}
