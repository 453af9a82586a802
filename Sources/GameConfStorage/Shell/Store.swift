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

  /// The longest time that a read may take: 50 ms.
  package static var readDeadlineMilliseconds: Int { 50 }

  /// Runs a transaction on the writer and answers when its batch is committed and published.
  package func write<Answer: Sendable, Refusal: StoreRefusal>(
    refusing refusal: Refusal.Type, _ transaction: @escaping @Sendable (WriteTransaction) throws -> Answer
  ) async throws(Refusal) -> Answer {
    try await write(WriteMode(), refusing: refusal, transaction)
  }

  /// Reads what is committed, within 50 ms.
  package func read<Answer: Sendable>(_ body: @escaping @Sendable (ReadTransaction) throws -> Answer) async throws(StoreError) -> Answer
  {
    try await read(deadlineMilliseconds: Self.readDeadlineMilliseconds, body)
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

/// A transaction over the state that is served, and no more. Window edges, catalogs and held clocks need only this, and go on while the database is
/// lost or cannot be written.
///
/// Without the database a change is served and published, and is in `last-good.json`. Its audit line is published and has no number.
package protocol StateTransaction {
  /// Adds a change of no table to those that are published when the batch is committed: a compiled catalog, a player as stored, an event.
  func publish(_ change: StoreChange)

  // MARK: Revisions

  /// The game's last revision; 0 before its first.
  func revision(of game: String) throws(StoreError) -> Int64
  /// The last revision of every game that ever had one.
  func revisions() throws(StoreError) -> [String: Int64]
  /// The revision that last changed a slot: for the game-wide slot any game-wide layer of its key, for a player's the override. Nil before
  /// the first; kept after an unset. Never less than the revision of an override that stands there.
  func revision(at slot: OverrideSlot) throws(StoreError) -> Int64?
  /// The revisions of the game-wide slots, by key.
  func keyRevisions(of game: String) throws(StoreError) -> [String: Int64]
  /// The player's last revision; 0 before the first.
  func playerRevision(_ player: String, in game: String) throws(StoreError) -> Int64
  /// Raises the game's revision by one, and publishes ``StoreChange/revision(game:revision:)``.
  func nextRevision(of game: String) throws(StoreError) -> Int64
  /// Notes that a revision changed the game-wide answers at keys, and publishes ``StoreChange/keys(_:game:revision:)``.
  func setRevision(_ revision: Int64, at keys: Set<String>, of game: String) throws(StoreError)
  /// Raises the player's revision by one.
  func nextPlayerRevision(_ player: String, in game: String) throws(StoreError) -> Int64
  /// The same for many players, of whom none is named twice.
  /// - Returns: their revisions, in order.
  func nextPlayerRevisions(_ players: [String], in game: String) throws(StoreError) -> [Int64]

  // MARK: Overrides

  /// The overrides at a slot; empty when there are none.
  func overrides(at slot: OverrideSlot) throws(StoreError) -> KeyOverrides
  /// The overrides in a game, by slot.
  func overrides(in game: String, _ selection: OverrideSelection) throws(StoreError) -> [KeyOverrides]
  /// The overrides in every game, by slot.
  func overrides() throws(StoreError) -> [KeyOverrides]
  /// The number of overrides of players a game has, windows counted.
  func playerOverridesCount(in game: String) throws(StoreError) -> Int
  /// The slots that have an edge to apply: a window that has ended, should be open and is not, or is open and should not be.
  func slotsWithEdges(at now: Instant) throws(StoreError) -> [OverrideSlot]
  /// The next instant at which a window begins or ends; nil when none does.
  func nextEdge(after now: Instant) throws(StoreError) -> Instant?
  /// Replaces the overrides of slots, notes the revision that changes the slots, and publishes ``StoreChange/overrides(_:revision:playerRevision:)`` for
  /// each.
  func put(_ changed: [ChangedOverrides], revision: Int64) throws(StoreError)
  /// Replaces the overrides of one large change, and publishes ``StoreChange/overridesMany(_:)``.
  /// - Parameters:
  ///   - written: The same overrides as rows.
  ///   - records: The number of overrides of players at these slots, windows counted. If the game has no more, all are removed together.
  func put(_ many: BulkOverrides, written: OverrideRowBatch, over records: Int) throws(StoreError)

  // MARK: Games' clocks

  /// The game's clock; the host's own unless it was ever set.
  func clock(ofGame game: String) throws(StoreError) -> SimulatedClock
  /// The clock of every game that was ever set.
  func clocks() throws(StoreError) -> [String: SimulatedClock]
  /// The latest instant that the host's clock showed when something was written; nil when that is not known.
  func hostSeen() throws(StoreError) -> Instant?
  /// Replaces the game's clock, and publishes ``StoreChange/clock(game:_:)``.
  func put(_ clock: SimulatedClock, ofGame game: String) throws(StoreError)
  /// Notes what the host's clock shows, so that a step back is noticed after a restart too; nil forgets it.
  func see(host: Instant?) throws(StoreError)

  // MARK: Accepted catalogs

  /// The number and the digest of a game's newest acceptance; nil before the first.
  func newestCatalog(of game: String) throws(StoreError) -> (number: Int64, digest: Int64)?
  /// An acceptance; nil where there was none of that number, or it is kept no more.
  func catalog(_ number: Int64, of game: String) throws(StoreError) -> StoredCatalog?
  /// The digest that was taken back of a game, and is not accepted from its files until they change; nil where none was.
  func revertedDigest(of game: String) throws(StoreError) -> Int64?
  /// Adds an acceptance; of the older ones those go that are beyond ``StoreLimits/catalogsMax`` or ``StoreLimits/catalogBytesMax``.
  func append(_ catalog: StoredCatalog, of game: String) throws(StoreError)
  /// Notes what was taken back; nil notes that nothing is.
  func setRevertedDigest(_ digest: Int64?, of game: String) throws(StoreError)
  /// Notes which files the game's catalog was accepted from, as ``AcceptedCatalog/digest(of:)`` distinguishes them, and the revision that changed
  /// keys by it. Publishes ``StoreChange/catalogAccepted(game:digest:keyRevisions:)``.
  func accept(_ digest: Int64, changing keys: Set<String>, at revision: Int64, of game: String) throws(StoreError)
  /// Removes everything about a game's catalogs, and publishes ``StoreChange/catalogForgotten(game:)``.
  func forgetCatalogs(of game: String) throws(StoreError)

  // MARK: The audit log

  /// Adds a line, and publishes ``StoreChange/audited(_:)``.
  /// - Parameter keys: the keys that it is about, where those are many: it is found by each, also by those that its detail has no room for.
  /// - Returns: it with its id.
  @discardableResult
  func append(_ record: AuditRecord, about keys: Set<String>) throws(StoreError) -> AuditRecord
}

extension StateTransaction {
  /// Raises the revisions of players one after the other.
  package func nextPlayerRevisions(_ players: [String], in game: String) throws(StoreError) -> [Int64] {
    var revisions: [Int64] = []
    for player in players { revisions.append(try nextPlayerRevision(player, in: game)) }
    return revisions
  }

  /// Replaces the overrides of one slot.
  package func put(_ overrides: KeyOverrides, revision: Int64, playerRevision: Int64? = nil) throws(StoreError) {
    try put([ChangedOverrides(overrides, playerRevision: playerRevision)], revision: revision)
  }

  /// Adds a line about its own key, or about none, and publishes it.
  /// - Returns: it with its id.
  @discardableResult
  package func append(_ record: AuditRecord) throws(StoreError) -> AuditRecord { try append(record, about: []) }
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
  package func callAsFunction(_ transaction: WriteTransaction) throws -> Answer {
    switch self {
    case .stored(let body): try body(transaction)
    case .surviving(let body): try body(transaction)
    }
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

/// The scope of a transaction's decision.
public enum WriteScope: Sendable, Hashable {
  /// These players alone, by what is stored of each.
  case players([PlayerID])
  /// A game: its overrides, its template, its catalog, its clock.
  case game(String)
  /// Every game.
  case all
}

/// An error with which a use case refuses; an enum gets this by having `case store(StoreError)`.
public protocol StoreRefusal: Error {
  /// The store's own trouble.
  static func store(_ error: StoreError) -> Self

  /// True if a repeat of the request must get the same refusal.
  var isRemembered: Bool { get }
}

extension StoreRefusal {
  /// A refusal is an answer like another.
  public var isRemembered: Bool { true }

  /// The error of a transaction, as the refusal it is, or as the store's failure.
  public init(caught error: any Error) {
    if let refusal = error as? Self {
      self = refusal
    } else if let storeError = error as? StoreError {
      self = .store(storeError)
    } else {
      self = .store(.failed("\(error)"))
    }
  }
}
