// The queue of the writers of a store in PostgreSQL, and the players who are decided about now: two writers never decide about one player.

/// The line in front of the writers.
///
/// The first writer takes whatever is next. The others take players only, and only while the first has its hands full and enough wait to be worth a
/// transaction of their own: a batch costs the server and the disk something, however little is in it.
final class PostgresQueue: Sendable {
  /// A transaction that waits, and since when.
  struct WaitingJob {
    let job: any WriterJob
    let since: ContinuousClock.Instant
  }

  /// The next task of a writer.
  enum WriterTask {
    case batch([WaitingJob])
    case command(@Sendable (PostgresWriter) -> Void)
    /// Nothing came for a while.
    case nothing
    case end
  }

  fileprivate enum Item {
    case transaction(WaitingJob)
    case command(@Sendable (PostgresWriter) -> Void)
  }

  fileprivate struct GuardedState {
    var items: [Item] = []
    var isClosed = false
    var hasEnded = false
    /// True if it was reported to be full, and it has not been half empty since.
    var isToldFull = false
    /// True if the first writer is already asked to read what is new.
    var isNewsWaiting = false
    /// The players that writers decide about now.
    var busy: Set<PlayerID> = []
    /// True if the first writer works at a batch; and true if nothing may be decided beside that.
    var (isFirstAtWork, isAlone) = (false, false)
    /// The number of other writers that work at a batch, and the number of those that have not ended.
    var (othersAtWork, others) = (0, 0)
  }

  /// The number of transactions that must wait for a batch beside the first writer's.
  static let turnsBesideMin = 10
  private static let reopenMilliseconds = 1_000

  private let guarded = Monitor(GuardedState())
  /// Rung when there may be a batch for another writer than the first: who waits for less is not woken for each transaction that comes.
  private let bell = Monitor(false)
  private let times: StoreTimes
  private let filled: @Sendable () -> Void

  /// - Parameter filled: called when ``StoreLimits/writesWaitingMax`` wait and one more is refused; again only when half of them were gone.
  init(times: StoreTimes = StoreTimes(), filled: @escaping @Sendable () -> Void) {
    self.times = times
    self.filled = filled
  }

  /// The number of waiting transactions.
  var count: Int { guarded.change { $0.items.count } }

  /// Lets a transaction wait.
  /// - Returns: why it may not.
  func add(_ job: any WriterJob) -> StoreError? { add(.transaction(WaitingJob(job: job, since: times.now()))) }

  /// Lets what is to be done by the first writer wait.
  /// - Returns: why it may not.
  func add(_ command: @escaping @Sendable (PostgresWriter) -> Void) -> StoreError? { add(.command(command)) }

  private func add(_ item: Item) -> StoreError? {
    var (tells, rings) = (false, false)
    defer {
      if tells { filled() }
      if rings { ring() }
    }
    return guarded.change { queue in
      if queue.isClosed { return .unavailable("the daemon is stopping") }
      if queue.items.count >= StoreLimits.writesWaitingMax {
        (tells, queue.isToldFull) = (!queue.isToldFull, true)
        return .overloaded
      }
      if queue.items.count <= StoreLimits.writesWaitingMax / 2 { queue.isToldFull = false }
      queue.items.append(item)
      rings = queue.mayBeWorthwhile
      return nil
    }
  }

  private func ring() { bell.change { $0 = true } }

  /// Lets what the store itself is to do wait, however many wait already.
  func insist(_ command: @escaping @Sendable (PostgresWriter) -> Void) { guarded.change { $0.items.append(.command(command)) } }

  /// Asks the first writer to read what other daemons have changed, unless that is asked already.
  func askForNews() {
    guarded.change { queue in
      if queue.isNewsWaiting { return }
      queue.isNewsWaiting = true
      queue.items.append(
        .command { [weak self] writer in
          self?.guarded.change { $0.isNewsWaiting = false }
          writer.catchUp()
        })
    }
  }

  /// Takes out transactions that have waited too long; nothing of them was done.
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

  /// Nothing is taken any more but what waits.
  func close() {
    guarded.change { $0.isClosed = true }
    ring()
  }

  /// Waits until the writers have ended.
  func waitForEnd() { guarded.wait { $0.hasEnded ? () : nil } }

  /// There is no first writer.
  func endAtOnce() { guarded.change { ($0.isClosed, $0.hasEnded) = (true, true) } }

  /// The first writer has ended.
  func noteEnd() { guarded.change { $0.hasEnded = true } }

  /// Another writer begins, or ends.
  func noteOther(by count: Int) { guarded.change { $0.others += count } }

  /// Waits until it is closed, but no longer than that.
  func waitForClose(milliseconds: Int) { _ = guarded.wait(milliseconds: milliseconds) { $0.isClosed ? () : nil } }
}

extension PostgresQueue {
  /// The next task of the first writer; waits for it.
  /// - Parameter retries: whether the database is to be looked for when nothing comes.
  func takeFirst(retries: Bool) -> WriterTask {
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
    return retries ? guarded.wait(milliseconds: Self.reopenMilliseconds, next) ?? .nothing : guarded.wait(next)
  }

  /// The next task of another writer; waits for it.
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

  /// A writer is done with a batch.
  /// - Parameter rest: what it could not even begin with.
  func finish(_ batch: [WaitingJob], isFirst: Bool, rest: [WaitingJob] = []) {
    guarded.change { queue in
      if isFirst { (queue.isFirstAtWork, queue.isAlone) = (false, false) } else { queue.othersAtWork -= 1 }
      for waiting in batch { queue.busy.subtract(waiting.job.mode.scope.players) }
      queue.items.insert(contentsOf: rest.map { .transaction($0) }, at: 0)
    }
  }
}

extension PostgresQueue.GuardedState {
  /// True if there may be a batch for another writer than the first.
  fileprivate var mayBeWorthwhile: Bool { isFirstAtWork && !isAlone && items.count >= PostgresQueue.turnsBesideMin }

  /// The transactions for a batch, in order. Whoever is decided about now is left, and so is what waits behind it of the same players.
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
      // Only the first decides about more than players, or writes when there is no database.
      let isMine = isFirst || !players.isEmpty && !waiting.job.survivesLoss
      guard isMine, busy.isDisjoint(with: players), left.isDisjoint(with: players) else {
        left.formUnion(players)
        continue
      }
      places.append(place)
      batch.append(waiting)
    }
    if !isFirst, batch.count < PostgresQueue.turnsBesideMin { return [] }
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
  /// The players that are decided about, where only players are.
  fileprivate var players: [PlayerID] { if case .players(let ids) = self { ids } else { [] } }
}
