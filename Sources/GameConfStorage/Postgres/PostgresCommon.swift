// The parts that the writers of one store in PostgreSQL share.
import Synchronization

/// The readers and the listener, each over a connection of its own.
enum PostgresObserver: Hashable, Comparable {
  case reader(Int), listener
}

/// Known to every writer of a store.
final class PostgresCommon: Sendable {
  private struct Missing {
    /// The writes of an acknowledged batch that the database does not have, in words; nil when nothing is missing.
    var words: String?
    /// The number of times that everything was raised above what was served.
    var raises = 0
  }

  private let shared: StoreMonitor
  private let publishing = Monitor((isTaken: false, batches: Int64(0)))
  private let missing = Mutex(Missing())
  private let full = Atomic(false)
  private let late = Atomic(false)
  private let sessions = Atomic(0)
  private let servedFleet = Mutex<String?>(nil)
  private let unconnected = Mutex<[PostgresObserver: (error: DatabaseFailure, times: Int)]>([:])
  /// So often in a row one finds no connection before that is reported: after a server's restart one comes a moment later than another.
  private static let timesMin = 2

  init(_ shared: StoreMonitor) { self.shared = shared }

  /// True if the server's disk was full when something was written last, or when that was tried since.
  var isFull: Bool {
    get { full.load(ordering: .relaxed) }
    set { full.store(newValue, ordering: .relaxed) }
  }

  /// True if the last commit of a writer did not come back in time, and none has come back since.
  var isCommitLate: Bool {
    get { late.load(ordering: .relaxed) }
    set { late.store(newValue, ordering: .relaxed) }
  }

  /// The id of the fleet from whose database this process serves; nil before the first.
  var fleet: String? {
    get { servedFleet.withLock { $0 } }
    set { servedFleet.withLock { $0 = newValue } }
  }

  /// The number of times that the database was found to have lost something, and was raised above it.
  var raises: Int { missing.withLock { $0.raises } }

  /// The writes that were found missing, until everything is raised above them.
  var missed: String? { missing.withLock { $0.words } }

  /// An acknowledged batch is missing.
  func miss(_ words: String) { missing.withLock { $0.words = words } }

  /// Everything is raised above what was served.
  func noteRaise() { missing.withLock { $0 = Missing(words: nil, raises: $0.raises + 1) } }

  /// The number of sessions that the writers beside the first one have.
  var sessionsBeside: Int { sessions.load(ordering: .relaxed) }

  /// One more of them, or one less.
  func noteSessionBeside(by count: Int) { sessions.add(count, ordering: .relaxed) }

  /// An observer finds no connection, or one again.
  /// - Returns: whether that is another state than before.
  func note(_ observer: PostgresObserver, lacks error: DatabaseFailure?) -> Bool {
    unconnected.withLock { unconnected in
      let was = unconnected[observer]
      unconnected[observer] = error.map { ($0, (was?.times ?? 0) + 1) }
      return (was == nil) != (error == nil)
    }
  }

  /// The reason why no reader, or not the listener, has a connection while the writers have theirs; nil when there is nothing to report.
  var lack: DatabaseFailure? {
    unconnected.withLock { unconnected in
      var lacking = unconnected.filter { $0.value.times >= Self.timesMin }
      // One reader does what two do.
      if lacking.keys.count(where: { $0 != .listener }) < PostgresReaders.threads { lacking = lacking.filter { $0.key == .listener } }
      guard let (observer, (error, _)) = lacking.min(by: { $0.key < $1.key }) else { return nil }
      let what = observer == .listener ? "changes by other hosts are not read" : "players that are not in memory cannot be read"
      return .failing("\(what), because there is no further connection to the database: \(error)")
    }
  }

  /// Publishes changes, after those that came before there was a publication, and waits until they are served; one writer after the other.
  func publish(_ changes: [StoreChange]) {
    publishing.wait { publishing -> Void? in
      if publishing.isTaken { return nil }
      publishing.isTaken = true
      return ()
    }
    defer { publishing.change { $0.isTaken = false } }
    // Changes that the publication missed are taken within this turn; otherwise another writer's would come before them.
    guard let (publication, changes) = shared.published(changes) else { return }
    let number = publishing.change { publishing in
      publishing.batches += 1
      return publishing.batches
    }
    if let rest = publication(CommittedBatch(number: number, changes: changes, state: shared.served)) { WorkerThread.wait(for: rest) }
  }
}
