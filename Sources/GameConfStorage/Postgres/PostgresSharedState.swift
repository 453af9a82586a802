// The state that the writers of one PostgreSQL store share.
import Synchronization

/// The threads that observe the database, each on its own connection.
enum ObserverThread: Hashable, Comparable {
  case reader(Int), listener
}

final class PostgresSharedState: Sendable {
  private struct LostBatches {
    /// The acknowledged batches that the database does not have, in words; nil if it has all.
    var words: String?
    /// The number of times that all revisions were raised because the database had lost batches.
    var raises = 0
  }

  private let shared: StoreMonitor
  private let publishing = Monitor((isTaken: false, batches: Int64(0)))
  private let missing = Mutex(LostBatches())
  private let full = Atomic(false)
  private let late = Atomic(false)
  private let sessions = Atomic(0)
  private let servedFleet = Mutex<String?>(nil)
  private let unconnected = Mutex<[ObserverThread: (error: DatabaseFailure, times: Int)]>([:])
  /// The number of consecutive failures to connect from which the failures are reported. After a restart of the server, connections return
  /// one by one.
  private static let timesMin = 2

  init(_ shared: StoreMonitor) { self.shared = shared }

  /// True if the server's disk was full at the last write or attempt to write.
  var isFull: Bool {
    get { full.load(ordering: .relaxed) }
    set { full.store(newValue, ordering: .relaxed) }
  }

  /// True if a writer's last commit timed out, and no commit has returned since.
  var isCommitLate: Bool {
    get { late.load(ordering: .relaxed) }
    set { late.store(newValue, ordering: .relaxed) }
  }

  /// The id of the fleet that this process serves; nil before the first connection.
  var fleet: String? {
    get { servedFleet.withLock { $0 } }
    set { servedFleet.withLock { $0 = newValue } }
  }

  /// The number of losses that were found in the database, each followed by a raise of all revisions.
  var raises: Int { missing.withLock { $0.raises } }

  /// The acknowledged batches that the database has lost, in words; nil after all revisions were raised above them.
  var missed: String? { missing.withLock { $0.words } }

  /// Records that the database has lost an acknowledged batch.
  func miss(_ words: String) { missing.withLock { $0.words = words } }

  /// Records that every revision was raised above the served ones.
  func noteRaise() { missing.withLock { $0 = LostBatches(words: nil, raises: $0.raises + 1) } }

  /// The number of sessions of all writers but the first.
  var sessionsBeside: Int { sessions.load(ordering: .relaxed) }

  /// Adds to the number of sessions of all writers but the first.
  func noteSessionBeside(by count: Int) { sessions.add(count, ordering: .relaxed) }

  /// Records that a reader or the listener has no connection, or has one again.
  /// - Returns: True if the thread lost its connection with this call, or got one again.
  func note(_ observer: ObserverThread, failure error: DatabaseFailure?) -> Bool {
    unconnected.withLock { unconnected in
      let was = unconnected[observer]
      unconnected[observer] = error.map { ($0, (was?.times ?? 0) + 1) }
      return (was == nil) != (error == nil)
    }
  }

  /// The failure to report if all readers, or the listener, have no connection while the writers have theirs; otherwise nil.
  var connectionFailure: DatabaseFailure? {
    unconnected.withLock { unconnected in
      var failing = unconnected.filter { $0.value.times >= Self.timesMin }
      // While one reader has a connection, all reads are served, so failures of the other reader are not reported.
      if failing.keys.count(where: { $0 != .listener }) < PostgresReaders.threads { failing = failing.filter { $0.key == .listener } }
      guard let (observer, (error, _)) = failing.min(by: { $0.key < $1.key }) else { return nil }
      let what = observer == .listener ? "changes by other hosts are not read" : "players that are not in memory cannot be read"
      return .failing("\(what), because there is no further connection to the database: \(error)")
    }
  }

  /// Publishes changes, after committed ones that are not published yet, and waits until they are served. Only one writer publishes at a
  /// time.
  func publish(_ changes: [StoreChange]) {
    publishing.wait { publishing -> Void? in
      if publishing.isTaken { return nil }
      publishing.isTaken = true
      return ()
    }
    defer { publishing.change { $0.isTaken = false } }
    // The changes that the publication missed are taken while only this writer publishes, so that another writer's changes cannot precede
    // them.
    guard let (publication, changes) = shared.published(changes) else { return }
    let number = publishing.change { publishing in
      publishing.batches += 1
      return publishing.batches
    }
    if let rest = publication(CommittedBatch(number: number, changes: changes, state: shared.served)) { WorkerThread.wait(for: rest) }
  }
}
