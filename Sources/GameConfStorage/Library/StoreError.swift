// The reasons why the store did not do what was requested.
public import GameConfCore

/// The store's own trouble.
public enum StoreError: StoreRefusal, Hashable {
  /// The database is lost or cannot be opened; what is served comes from the last good state. The text says what to do.
  case unavailable(String)
  /// No space is left; it is tried again with the next write.
  case noSpace
  /// No space is left on the disk of the database server; the text has its words. It is tried again with the next write.
  case serverDiskFull(String)
  /// The disk cannot be written; it is tried again with the next write.
  case readOnly
  /// More writes wait than ``StoreLimits/writesWaitingMax``, or more reads than ``StoreLimits/readsWaitingMax``.
  case overloaded
  /// The read took longer than its deadline.
  case late
  /// The disk or the database failed in a way that may pass; the text has its words.
  case failed(String)
  /// A row that is needed is there and cannot be read; everything that does not need it goes on.
  case unreadable(UnreadableRow)
  /// The answer to a commit was lost: whether the change was made is not known, and repeating it with the same id finds out. The text says so.
  case unknown(String)
  /// This is done by the tools of the database that the store is in; the text names them.
  case elsewhere(String)

  /// The store's own trouble is itself.
  public static func store(_ error: StoreError) -> StoreError { error }
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

extension StoreError: CustomStringConvertible {
  /// The trouble in a sentence, the same for callers and for the journal.
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
  /// The code of the trouble, for callers and for the journal.
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

/// The limits of what may wait for the store, and of how long things are stored.
public enum StoreLimits {
  /// The number of acceptances of a game's catalog that are kept with their bytes, so that they can be taken back.
  public static let catalogsMax = 20
  /// The number of bytes of those that are kept together; the newest two are kept whatever they have.
  public static let catalogBytesMax = 32 << 20
  /// The longest time that a read may take without which there is no answer: a busy host is late, and not broken.
  public static let readMilliseconds = 1_000
  /// The longest time that a read may take where an answer without it exists: values without the player's own.
  public static let optionalReadMilliseconds = 50
  /// The most transactions that may wait for the writer.
  public static let writesWaitingMax = 8_192
  /// The most transactions that one commit may hold.
  public static let batchTransactionsMax = 256
  /// The most reads that may wait for a reader.
  public static let readsWaitingMax = 4_096
  /// The time for which audit lines are kept: 400 days.
  public static let auditKeptMilliseconds: Int64 = 400 * 86_400_000
  /// The time for which answers to repeats are kept: 24 hours of time seen passing, whatever the host's clock is set to meanwhile.
  public static let repeatsKeptMilliseconds: Int64 = 86_400_000
  /// The most time that passes before the store is notified of it, so that an answer may be kept that much longer: 10 minutes.
  public static let timeStepMilliseconds: Int64 = 600_000
  /// The most bytes that answers to repeats may take in all: 256 MiB. Beyond it, the oldest of the user go who has most.
  public static let repeatsBytesMax: Int64 = 256 << 20
  /// The most bytes that answers to one user's repeats may take: 32 MiB. Beyond it, that user's oldest go.
  public static let repeatsBytesPerUserMax: Int64 = 32 << 20
  /// The most unreadable rows that are reported.
  public static let unreadableRowsMax = 32
  /// The longest answer that is kept for repeats, in bytes; of a longer one the status and headers are kept.
  public static let repeatBytesMax = 65_536
  /// The greatest length of the write-ahead log while the whole database is checked; a check that lets it grow further is given up: 64 MiB.
  public static let logBytesDuringCheckMax: Int64 = 64 << 20
  /// The same while it is copied for a backup: 512 MiB.
  public static let logBytesDuringBackupMax: Int64 = 512 << 20
  /// The time for which lines of the games' events are kept, a player's newest aside: 30 days.
  public static let linesKeptMilliseconds: Int64 = 30 * 86_400_000
  /// The number of the newest lines that are kept in all, players' newest aside.
  public static let linesMax: Int64 = 1_000_000
  /// The number of rows that retention removes in one transaction.
  public static let retentionRowsMax = 500
  /// The number of copies that are stored of those that restores leave, and of those that clock resets make; older ones are removed.
  public static let copiesMax = 3
  /// The number of revisions of removed overrides that are kept a game.
  public static let revisionsOfRemovedMax = 100_000
  /// By how much revisions jump over the last known when a database was lost: more than can be made in the second that
  /// the last good state may be behind.
  public static let revisionGapAfterLoss: Int64 = 100_000
}
