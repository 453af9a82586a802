// The port to what is durable: one writer whose transactions read and decide, and readers beside it.
package import GameConfCore

/// The store of the daemon's state: SQLite for one host, PostgreSQL for many, and a database in memory in tests.
///
/// A use case hands ``submit(_:_:by:then:)`` or `write` a closure, its *transaction*. Transactions run one after the other; each sees the writes of
/// earlier ones, also those of the same batch that is not committed yet. A transaction that throws undoes its own writes only. Batches are committed
/// durably, then published, and only then answered: when `write` returns, the change is kept and every reader sees it.
///
/// ```swift
/// let revision = try await store.write(refusing: ChangeRefusal.self) { transaction in
///   let revision = try transaction.nextRevision(of: "wheresthedot")
///   try transaction.put(overrides, revision: revision)
///   return revision
/// }
/// ```
package protocol Store: Sendable {
  /// Runs a transaction on the writer and hands over its answer when its batch is committed and published.
  ///
  /// A transaction may run more than once (when space was made for it, and when another transaction of its batch must be undone), so it keeps its
  /// effects to the transaction it is given.
  /// - Parameters:
  ///   - completions: the completion queue that takes the answer to where it is awaited; nil lets `take` be called on the writer's thread.
  ///   - take: given the answer, the refusal of the transaction, or the store's failure as `.store`; nothing is written or published of what did not
  ///     come to its end. Called once, also on the caller's thread where the transaction cannot even wait; so it must not wait itself.
  func submit<Answer: Sendable, Refusal: StoreRefusal>(
    _ mode: WriteMode, _ body: TransactionBody<Answer>, by completions: (any CompletionQueue)?,
    then take: @escaping @Sendable (Result<Answer, Refusal>) -> Void
  )

  /// Reads what is committed, on a reader thread.
  /// - Parameter deadlineMilliseconds: how long to wait before `.late`; the read is given up then.
  /// - Throws: ``StoreError``.
  func read<Answer: Sendable>(
    deadlineMilliseconds: Int, _ body: @escaping @Sendable (ReadTransaction) throws -> Answer
  ) async throws(StoreError) -> Answer

  /// The contents that must be served at start: read from the store, or from the last good state when the store is lost.
  func contents() async throws(StoreError) -> StoreContents

  /// Sets the observer of every committed batch, notified before its writes are answered.
  ///
  /// Changes between ``contents()`` and this call are published first, as one ``StoreChange/replaced(_:)``.
  func publish(to publication: @escaping Publication)

  /// The slots whose windows have an edge to apply, or one that was applied and could not be kept; answers from memory.
  func slotsWithEdges(at now: Instant) -> [OverrideSlot]

  /// The health of the store, from memory.
  var health: StoreHealth { get }
}

extension Store {
  /// Runs a transaction on the writer and answers when its batch is committed and published; see ``submit(_:_:by:then:)``.
  /// - Parameter refusal: the error the use case refuses with; any other error of the transaction counts as the store's.
  /// - Throws: what the transaction refused with, or the store's trouble as `.store`. Nothing is written or published then.
  package func write<Answer: Sendable, Refusal: StoreRefusal>(
    _ mode: WriteMode, refusing refusal: Refusal.Type, _ transaction: @escaping @Sendable (WriteTransaction) throws -> Answer
  ) async throws(Refusal) -> Answer {
    try await run(mode, .stored(transaction), refusing: refusal)
  }

  /// Runs a transaction that also runs while the database is lost or cannot be written, then over what is served: see ``StateTransaction``.
  /// - Throws: what the transaction refused with, or the store's trouble as `.store`.
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

  /// Runs a transaction on the writer and answers when its batch is committed and published.
  package func write<Answer: Sendable, Refusal: StoreRefusal>(
    refusing refusal: Refusal.Type, _ transaction: @escaping @Sendable (WriteTransaction) throws -> Answer
  ) async throws(Refusal) -> Answer {
    try await write(WriteMode(), refusing: refusal, transaction)
  }

  /// Reads what is committed, within a second.
  package func read<Answer: Sendable>(_ body: @escaping @Sendable (ReadTransaction) throws -> Answer) async throws(StoreError) -> Answer {
    try await read(deadlineMilliseconds: StoreLimits.readMilliseconds, body)
  }
}

extension Store {
  /// Reads what is committed: beside the writer or, where no reader can, in a transaction that changes nothing.
  package func readOnAnyThread<Answer: Sendable>(
    deadlineMilliseconds: Int, _ body: @escaping @Sendable (ReadTransaction) throws -> Answer
  ) async throws(StoreError) -> Answer {
    do throws(StoreError) { return try await read(deadlineMilliseconds: deadlineMilliseconds, body) } catch {
      return try await write(WriteMode(isDryRun: true, scope: .players([])), refusing: StoreError.self) { try body($0) }
    }
  }
}

/// Carries the answers of a batch to a thread of its own, all at once: a thread that is woken for each of them does little else.
public protocol CompletionQueue: AnyObject, Sendable {
  /// Calls each of these, in order, on the thread it carries to.
  func enqueue(_ answers: [@Sendable () -> Void])
}

/// The closure that a transaction runs.
package enum TransactionBody<Answer: Sendable>: Sendable {
  /// Needs the database.
  case stored(@Sendable (WriteTransaction) throws -> Answer)
  /// Also runs while the database is lost or cannot be written.
  case surviving(@Sendable (any StateTransaction) throws -> Answer)

  /// True if it also runs while the database is lost or cannot be written.
  package var survivesLoss: Bool { if case .surviving = self { true } else { false } }

  /// Runs it over the database.
  ///
  /// A change of a game that the scope does not have is refused: the game is not locked, and beside another writer what is served would lose the change.
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

/// The way in which a transaction is run.
public struct WriteMode: Sendable, Hashable {
  /// True if the transaction is a dry run: it is undone after it has answered, and nothing is published.
  public var isDryRun: Bool
  /// True if the transaction has a batch of its own: no other transaction runs between it and the publication of what it wrote. For transactions
  /// after which others must decide by what was published, such as the acceptance of a catalog.
  public var isAlone: Bool
  /// The scope of the transaction's decision, which a store that several daemons share locks meanwhile; others ignore it. What is read beyond
  /// it is read all the same, one row after the other.
  public var scope: WriteScope
  /// True if the transaction will read the rows of the players that it decides about, since nothing is in memory of them: a store that is far away
  /// brings them along with what it locks. Others ignore it, and where it is wrong only time is lost.
  public var readsPlayers: Bool
  /// The leaderboards on whose lists of everybody the players' scores are in memory: a store that is far away does not bring them along.
  public var knownBoards: Set<String> = []

  /// None of these, and about everything, unless said.
  public init(
    isDryRun: Bool = false, isAlone: Bool = false, scope: WriteScope = .all, readsPlayers: Bool = false
  ) {
    self.isDryRun = isDryRun
    self.isAlone = isAlone
    self.scope = scope
    self.readsPlayers = readsPlayers
  }
}

/// The scope of a transaction's decision. Changes of games beyond it are refused.
public enum WriteScope: Sendable, Hashable {
  /// These players alone, by what is stored of each.
  case players([PlayerID])
  /// A game: its overrides, its template, its catalog, its clock.
  case game(String)
  /// Every game.
  case all

  /// True if what is served of a game may change.
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
