// The errors of the store.
public import GameConfCore

/// A failure of the store itself, as opposed to a refusal by a use case.
public enum StoreError: StoreRefusal, Hashable {
  /// The database is lost, cannot be opened, or is closing. While it is lost, the daemon serves the last good state. The text has the
  /// reason.
  case unavailable(String)
  /// No space is left on the disk of the state directory. The next write tries again.
  case noSpace
  /// No space is left on the database server's disk; the text has the server's words. The next write tries again.
  case serverDiskFull(String)
  /// The disk of the state directory is read-only. The next write tries again.
  case readOnly
  /// More writes wait than ``StoreLimits/writesWaitingMax``, or more reads than ``StoreLimits/readsWaitingMax``.
  case overloaded
  /// The read took longer than its deadline.
  case late
  /// The disk or the database failed, possibly temporarily; the text has the message of the failure.
  case failed(String)
  /// A row that the request needs exists but cannot be decoded. Requests that do not need the row are served.
  case unreadable(UnreadableRow)
  /// The database's answer to a commit was lost, so it is unknown whether the change was made. A repeat of the request with the same
  /// idempotency key finds out.
  case unknown(String)
  /// The operation is left to the tools of the database server, such as `pg_dump` for a backup of PostgreSQL. The text names the tool.
  case elsewhere(String)

  /// Returns the error unchanged: `StoreError` is itself a ``StoreRefusal``, for a transaction without refusals of its own.
  public static func store(_ error: StoreError) -> StoreError { error }
}

/// An error with which a use case refuses a request. An enum conforms by having `case store(StoreError)`.
public protocol StoreRefusal: Error {
  static func store(_ error: StoreError) -> Self

  /// True if the refusal is stored, so that a repeat of the request gets the same refusal.
  var isRemembered: Bool { get }
}

extension StoreRefusal {
  /// True by default: a refusal is stored for repeats of its request, like any other answer.
  public var isRemembered: Bool { true }

  /// Converts an error that a transaction threw. A refusal of this type is unchanged, and any other error becomes a ``StoreError``.
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

extension StoreError: CustomStringConvertible {
  /// The failure in a sentence, the same for callers and for the journal.
  public var description: String {
    switch self {
    case .unavailable(let words), .unknown(let words), .elsewhere(let words): words
    case .noSpace: "The disk of the state directory is full; reads go on. Free some space and try again."
    case .serverDiskFull(let words):
      "The disk of the database server is full; reads go on. Free some space there and try again. It says: \(words)"
    case .readOnly: "The state directory cannot be written; reads go on. The next write tries it again."
    case .overloaded: "Too many writes are waiting; try again in a second."
    case .late: "The database answers, but not in time: the host is busy. Try again."
    case .failed(let words): "The database failed: \(words)"
    case .unreadable(let row): "A stored row cannot be read: \(row.phrase)."
    }
  }
}

extension StoreError {
  /// The code of the failure, for callers and for the journal.
  public var code: ProblemCode {
    switch self {
    case .unavailable, .readOnly, .failed: .storeUnavailable
    case .late: .storeLate
    case .noSpace, .serverDiskFull: .noSpace
    case .overloaded: .rateLimited
    case .unreadable(let row): row.player == nil ? .rowUnreadable : .playerUnreadable
    case .unknown: .outcomeUnknown
    case .elsewhere: .storeElsewhere
    }
  }
}

/// The limits of the store's queues, and the times for which it retains data.
public enum StoreLimits {
  /// The number of a game's accepted catalogs that are stored with their bytes, so that an acceptance can be reverted.
  public static let catalogsMax = 20
  /// The most bytes of a game's stored catalogs together: 32 MiB. The newest two are retained regardless of their size.
  public static let catalogBytesMax = 32 << 20
  /// The timeout of a read whose data the answer to a request needs. A read that exceeds it shows a busy host, not a broken store.
  public static let readMilliseconds = 1_000
  /// The timeout of the read of a player's data for a request for values. After it, the answer has the values without the player's own.
  public static let optionalReadMilliseconds = 50
  /// The most transactions that may wait for the writer.
  public static let writesWaitingMax = 8_192
  /// The most transactions that one commit may hold.
  public static let batchTransactionsMax = 256
  /// The most reads that may wait for a reader thread.
  public static let readsWaitingMax = 4_096
  /// The time for which rows of the audit log are retained: 400 days.
  public static let auditRetentionMilliseconds: Int64 = 400 * 86_400_000
  /// The time for which an answer is stored for repeats of its request: 24 hours that the daemon has observed, regardless of the host's
  /// clock.
  public static let repeatsRetentionMilliseconds: Int64 = 86_400_000
  /// The interval at which the daemon stores the amount of time that it has observed: 10 minutes. Stored answers may be retained longer by
  /// this interval.
  public static let timeStepMilliseconds: Int64 = 600_000
  /// The most bytes of all answers that are stored for repeats: 256 MiB. Beyond it, the oldest answers of the user with the most bytes are
  /// evicted.
  public static let repeatsBytesMax: Int64 = 256 << 20
  /// The most bytes of one user's stored answers: 32 MiB. Beyond it, that user's oldest answers are evicted.
  public static let repeatsBytesPerUserMax: Int64 = 32 << 20
  /// The most unreadable rows that the store reports to the journal and lists in its health.
  public static let unreadableRowsMax = 32
  /// The longest body of an answer that is stored for repeats, in bytes. Of an answer with a longer body, the status and the headers are
  /// stored.
  public static let repeatBytesMax = 65_536
  /// The size of the write-ahead log at which a check of the whole database is cancelled: 64 MiB.
  public static let logBytesDuringCheckMax: Int64 = 64 << 20
  /// The size of the write-ahead log at which a backup copy is cancelled: 512 MiB.
  public static let logBytesDuringBackupMax: Int64 = 512 << 20
  /// The time for which lines of the games' event streams are retained, except each player's newest: 30 days.
  public static let linesRetentionMilliseconds: Int64 = 30 * 86_400_000
  /// The number of newest lines of the event streams that SQLite retains for all games together. Each player's newest lines are retained
  /// besides. PostgreSQL retains lines by age only.
  public static let linesMax: Int64 = 1_000_000
  /// The most rows that retention removes in one transaction.
  public static let retentionRowsMax = 500
  /// The maximum number of retained database copies from restores, and of those from clock resets. Older copies are removed.
  public static let copiesMax = 3
  /// The most removed overrides of players, in one game, whose last revision is retained.
  public static let revisionsOfRemovedMax = 100_000
  /// The number of revisions skipped after the loss of a database, so that no revision is used twice. It exceeds the number that can be
  /// assigned in the second by which the last good state may be behind.
  public static let revisionGapAfterLoss: Int64 = 100_000
}
