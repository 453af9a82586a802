// The errors of the store.
public import GameConfCore

/// A failure of the store itself, as opposed to a refusal by a use case.
public enum StoreError: StoreRefusal, Hashable {
  /// The database is lost or cannot be opened, and the last good state is served. The text says what to do.
  case unavailable(String)
  /// No space is left. The next write tries again.
  case noSpace
  /// No space is left on the database server's disk; the text has the server's words. The next write tries again.
  case serverDiskFull(String)
  /// The disk is read-only. The next write tries again.
  case readOnly
  /// More writes wait than ``StoreLimits/writesWaitingMax``, or more reads than ``StoreLimits/readsWaitingMax``.
  case overloaded
  /// The read took longer than its deadline.
  case late
  /// The disk or the database failed, possibly temporarily; the text has its words.
  case failed(String)
  /// A required row exists but cannot be read. Everything that does not need it continues.
  case unreadable(UnreadableRow)
  /// The answer to a commit was lost, so it is unknown whether the change was made. A repeat with the same id finds out. The text says so.
  case unknown(String)
  /// The operation belongs to the tools of the database that has the store; the text names them.
  case elsewhere(String)

  /// Makes `StoreError` itself a ``StoreRefusal``.
  public static func store(_ error: StoreError) -> StoreError { error }
}

/// An error with which a use case refuses a request. An enum conforms by having `case store(StoreError)`.
public protocol StoreRefusal: Error {
  static func store(_ error: StoreError) -> Self

  /// True if a repeat of the request must get the same refusal.
  var isRemembered: Bool { get }
}

extension StoreRefusal {
  /// Refusals are stored for repeats by default, like other answers.
  public var isRemembered: Bool { true }

  /// Converts the error of a transaction: a refusal of this type, or a failure of the store.
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
  /// The number of acceptances of a game's catalog retained with their bytes, so that they can be reverted.
  public static let catalogsMax = 20
  /// The total bytes of those acceptances; the newest two are retained regardless of their size.
  public static let catalogBytesMax = 32 << 20
  /// The timeout of a read without which there is no answer. Exceeding it means a busy host, not a broken store.
  public static let readMilliseconds = 1_000
  /// The timeout of a read without which an answer is possible: values without the player's own.
  public static let optionalReadMilliseconds = 50
  /// The most transactions that may wait for the writer.
  public static let writesWaitingMax = 8_192
  /// The most transactions that one commit may hold.
  public static let batchTransactionsMax = 256
  /// The most reads that may wait for a reader.
  public static let readsWaitingMax = 4_096
  /// The time for which audit lines are retained: 400 days.
  public static let auditRetentionMilliseconds: Int64 = 400 * 86_400_000
  /// The time for which answers to repeats are retained: 24 hours of observed time, independent of the host's clock setting.
  public static let repeatsRetentionMilliseconds: Int64 = 86_400_000
  /// The interval at which observed time is reported to the store; answers may be retained that much longer: 10 minutes.
  public static let timeStepMilliseconds: Int64 = 600_000
  /// The most bytes of all stored answers to repeats: 256 MiB. Beyond it, the oldest answers of the user with the most bytes are evicted.
  public static let repeatsBytesMax: Int64 = 256 << 20
  /// The most bytes of one user's stored answers: 32 MiB. Beyond it, that user's oldest answers are evicted.
  public static let repeatsBytesPerUserMax: Int64 = 32 << 20
  /// The most unreadable rows that are reported.
  public static let unreadableRowsMax = 32
  /// The longest answer stored for repeats, in bytes. Of a longer one, the status and the headers are stored.
  public static let repeatBytesMax = 65_536
  /// The size of the write-ahead log at which a check of the whole database is cancelled: 64 MiB.
  public static let logBytesDuringCheckMax: Int64 = 64 << 20
  /// The size of the write-ahead log at which a backup copy is cancelled: 512 MiB.
  public static let logBytesDuringBackupMax: Int64 = 512 << 20
  /// The time for which lines of the games' events are retained, except each player's newest: 30 days.
  public static let linesRetentionMilliseconds: Int64 = 30 * 86_400_000
  /// The number of newest lines retained in total, except each player's newest.
  public static let linesMax: Int64 = 1_000_000
  /// The most rows that retention removes in one transaction.
  public static let retentionRowsMax = 500
  /// The number of copies retained of those made by restores, and of those made by clock resets; older ones are removed.
  public static let copiesMax = 3
  /// The number of revisions of removed overrides retained per game.
  public static let revisionsOfRemovedMax = 100_000
  /// The gap of revisions after a lost database: more than can be assigned in the second by which the last good state may be behind.
  public static let revisionGapAfterLoss: Int64 = 100_000
}
