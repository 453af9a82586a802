// The queue of a PostgreSQL store's writers, which never lets two writers decide about the same player at a time.

/// The queue of transactions and commands for a PostgreSQL store's writers.
///
/// The first writer accepts any transaction. The others accept only transactions about players. They do so while the first is busy and
/// enough transactions wait to justify a second batch, because each batch has a fixed cost for the server and the disk.
final class PostgresQueue: Sendable {
  /// A waiting transaction and the start of its wait.
  struct WaitingJob {
    let job: any WriterJob
    let since: ContinuousClock.Instant
  }

  enum WriterTask {
    case batch([WaitingJob])
    case command(@Sendable (PostgresWriter) -> Void)
    /// No item arrived within the time.
    case nothing
    case end
  }

  fileprivate enum QueuedItem {
    case transaction(WaitingJob)
    case command(@Sendable (PostgresWriter) -> Void)
  }

  fileprivate struct GuardedState {
    var items: [QueuedItem] = []
    var isClosed = false
    var hasEnded = false
    /// True if the full queue was reported and has not been half empty since.
    var isFullReported = false
    /// True if a command to read other daemons' changes is queued for the first writer.
    var isCatchUpQueued = false
    /// The players that writers are deciding about.
    var busy: Set<PlayerID> = []
    /// True if the first writer is processing a batch; and true if that batch must run alone.
    var (isFirstAtWork, isAlone) = (false, false)
    /// The number of other writers that are processing a batch, and the number of other writers that are running.
    var (othersAtWork, others) = (0, 0)
  }

  /// The minimum number of waiting transactions for a batch of a writer other than the first.
  static let transactionsBesideMin = 10
  private let guarded = Monitor(GuardedState())
  /// True when there may be a batch for a writer other than the first. It has its own monitor, so that these writers do not wake up for
  /// each transaction.
  private let bell = Monitor(false)
  private let times: StoreTiming
  private let filled: @Sendable () -> Void

  /// - Parameter filled: Called when a transaction is refused because ``StoreLimits/writesWaitingMax`` others wait; called again only after
  ///   the queue was half empty.
  init(times: StoreTiming = StoreTiming(), filled: @escaping @Sendable () -> Void) {
    self.times = times
    self.filled = filled
  }

  var count: Int { guarded.change { $0.items.count } }

  /// Enqueues a transaction.
  /// - Returns: The error if the queue is full or closed; otherwise nil.
  func add(_ job: any WriterJob) -> StoreError? { add(.transaction(WaitingJob(job: job, since: times.now()))) }

  /// Enqueues a command for the first writer.
  /// - Returns: The error if the queue is full or closed; otherwise nil.
  func add(_ command: @escaping @Sendable (PostgresWriter) -> Void) -> StoreError? { add(.command(command)) }

  private func add(_ item: QueuedItem) -> StoreError? {
    var (reports, rings) = (false, false)
    defer {
      if reports { filled() }
      if rings { ring() }
    }
    return guarded.change { queue in
      if queue.isClosed { return .unavailable("the daemon is stopping") }
      if queue.items.count >= StoreLimits.writesWaitingMax {
        (reports, queue.isFullReported) = (!queue.isFullReported, true)
        return .overloaded
      }
      if queue.items.count <= StoreLimits.writesWaitingMax / 2 { queue.isFullReported = false }
      queue.items.append(item)
      rings = queue.mayBeWorthwhile
      return nil
    }
  }

  private func ring() { bell.change { $0 = true } }

  /// Enqueues a command of the store itself, even if the queue is full.
  func insist(_ command: @escaping @Sendable (PostgresWriter) -> Void) { guarded.change { $0.items.append(.command(command)) } }

  /// Enqueues a command to read other daemons' changes, unless one is queued already.
  func requestCatchUp() {
    guarded.change { queue in
      if queue.isCatchUpQueued { return }
      queue.isCatchUpQueued = true
      queue.items.append(
        .command { [weak self] writer in
          self?.guarded.change { $0.isCatchUpQueued = false }
          writer.catchUp()
        })
    }
  }

  /// Removes and returns the transactions that have waited longer than this and have not begun.
  func takeLate(after milliseconds: Int32) -> [any WriterJob] {
    guarded.change { queue in
      let oldest = times.now() - .milliseconds(Int(milliseconds))
      var late: [any WriterJob] = []
      queue.items.removeAll { item in
        guard case .transaction(let waiting) = item, waiting.since < oldest, !waiting.job.survivesLoss else { return false }
        late.append(waiting.job)
        return true
      }
      return late
    }
  }

  /// Stops accepting items; the queued ones are still processed.
  func close() {
    guarded.change { $0.isClosed = true }
    ring()
  }

  /// Waits until all writers have ended.
  func waitForEnd() { guarded.wait { $0.hasEnded ? () : nil } }

  /// Ends the queue because the first writer could not be started.
  func endAtOnce() { guarded.change { ($0.isClosed, $0.hasEnded) = (true, true) } }

  /// Records that the first writer has ended.
  func noteEnd() { guarded.change { $0.hasEnded = true } }

  /// Records the start or the end of a writer other than the first.
  func noteOther(by count: Int) { guarded.change { $0.others += count } }

  /// Waits until the queue is closed, at most this long.
  func waitForClose(milliseconds: Int) { _ = guarded.wait(milliseconds: milliseconds) { $0.isClosed ? () : nil } }
}

extension PostgresQueue {
  /// Waits for the first writer's next task and returns it.
  /// - Parameter milliseconds: The time after which `nothing` is returned; nil to wait without limit.
  func takeFirst(milliseconds: Int?) -> WriterTask {
    var rings = false
    defer { if rings { ring() } }
    let next: (inout GuardedState) -> WriterTask? = { queue in
      if case .command(let body)? = queue.items.first {
        queue.items.removeFirst()
        return .command(body)
      }
      let batch = queue.takeBatch(forFirst: true)
      if !batch.isEmpty {
        queue.isFirstAtWork = true
        rings = queue.mayBeWorthwhile
        return .batch(batch)
      }
      return queue.isClosed && queue.items.isEmpty && queue.others == 0 ? .end : nil
    }
    guard let milliseconds else { return guarded.wait(next) }
    return guarded.wait(milliseconds: milliseconds, next) ?? .nothing
  }

  /// Waits for the next task of a writer other than the first, at most this long.
  func takeBeside(milliseconds: Int) -> WriterTask {
    while true {
      let taken: WriterTask? = guarded.change { queue in
        if queue.isClosed { return .end }
        let batch = queue.mayBeWorthwhile ? queue.takeBatch(forFirst: false) : []
        if batch.isEmpty { return nil }
        queue.othersAtWork += 1
        return .batch(batch)
      }
      if let taken { return taken }
      let isRung: Void? = bell.wait(milliseconds: milliseconds) { isRung in
        defer { isRung = false }
        return isRung ? () : nil
      }
      if isRung == nil { return .nothing }
    }
  }

  /// Records that a writer has finished a batch.
  /// - Parameter rest: The transactions that the writer could not begin; they return to the front of the queue.
  func finish(_ batch: [WaitingJob], isFirst: Bool, rest: [WaitingJob] = []) {
    guarded.change { queue in
      if isFirst { (queue.isFirstAtWork, queue.isAlone) = (false, false) } else { queue.othersAtWork -= 1 }
      for waiting in batch { queue.busy.subtract(waiting.job.mode.scope.players) }
      queue.items.insert(contentsOf: rest.map { .transaction($0) }, at: 0)
    }
  }
}

extension PostgresQueue.GuardedState {
  /// True if there may be a batch for a writer other than the first.
  fileprivate var mayBeWorthwhile: Bool { isFirstAtWork && !isAlone && items.count >= PostgresQueue.transactionsBesideMin }

  /// Removes and returns the transactions of the next batch, in order. Skips transactions about busy players, and later transactions about
  /// players of skipped ones, so that each player's order is preserved.
  fileprivate mutating func takeBatch(forFirst isFirst: Bool) -> [PostgresQueue.WaitingJob] {
    var places: [Int] = []
    var batch: [PostgresQueue.WaitingJob] = []
    var left: Set<PlayerID> = []
    for (place, item) in items.prefix(2 * StoreLimits.batchTransactionsMax).enumerated() {
      guard case .transaction(let waiting) = item, batch.count < StoreLimits.batchTransactionsMax else { break }
      let mode = waiting.job.mode
      if mode.isAlone {
        guard isFirst, batch.isEmpty, left.isEmpty, othersAtWork == 0 else { break }
        (places, batch, isAlone) = ([place], [waiting], true)
        break
      }
      let players = mode.scope.players
      // Only the first writer runs transactions about more than players, and transactions that need no database.
      let isMine = isFirst || !players.isEmpty && !waiting.job.survivesLoss
      guard isMine, busy.isDisjoint(with: players), left.isDisjoint(with: players) else {
        left.formUnion(players)
        continue
      }
      places.append(place)
      batch.append(waiting)
    }
    if !isFirst, batch.count < PostgresQueue.transactionsBesideMin { return [] }
    for waiting in batch { busy.formUnion(waiting.job.mode.scope.players) }
    if places.last == places.count - 1 {
      items.removeFirst(places.count)
    } else {
      for place in places.reversed() { items.remove(at: place) }
    }
    return batch
  }
}

extension WriteScope {
  /// The players of the scope; empty if the scope is larger.
  fileprivate var players: [PlayerID] { if case .players(let ids) = self { ids } else { [] } }
}
