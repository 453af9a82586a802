// Checking, copying and bringing back the database.
public import GameConfCore

/// The operations of an administrator on a database; a store in memory has none.
public protocol StoreAdministration: Sendable {
  /// Looks, at little cost, whether the database still is the one that was opened, and whether what ailed it has passed. One that is another, and
  /// still is after a second look, is put aside, and the store is lost.
  func look() async throws(StoreError)

  /// Checks the database beside the running daemon. One that is still damaged at a second look is put aside, and the store is lost from then on.
  /// A check is given up when ``StoreLimits/logBytesDuringCheckMax`` are written meanwhile.
  func check() async throws(StoreError) -> StoreCheck

  /// Copies the database as it is now to a file of its own, consistent and complete.
  /// - Returns: the copy; whoever gets it discards it.
  func backup() async throws(StoreError) -> StoreBackup

  /// Copies the database beside itself, where the copy stays, before something that cannot be taken back. The newest three of a kind are kept.
  func keepCopy(_ kind: StoreCopy.Kind) async throws(StoreError) -> StoreCopy

  /// Makes an empty file beside the database for a backup that is on its way in, so that it takes the space the database itself may take.
  /// - Returns: its path; the caller removes the file. What a killed daemon left is removed at the next start.
  func makePlaceForBackup() throws(StoreError) -> String

  /// Replaces the database by a backup.
  ///
  /// The file is checked first: that it is a gameconfd database, whole, and of a version that is known. Revisions continue above the highest
  /// that were ever served. The database it replaces is put aside.
  /// - Parameter path: the backup, on any file system; it is copied, not moved. A write-ahead log beside it (`path` and `-wal`) is part of it.
  /// - Returns: what is served from then on; it has been published.
  func restore(from path: String, by change: StoreRestoration) async throws(RestoreRefusal) -> StoreReplacement

  /// The databases that lie beside the one in use, the newest first.
  func copies() async throws(StoreError) -> [StoreCopy]

  /// Removes one of them.
  /// - Returns: whether there was one of that name.
  func removeCopy(named name: String) async throws(StoreError) -> Bool

  /// Removes what restores have replaced, but the newest three of the last 30 days.
  func dropReplacedCopies() async throws(StoreError)

  /// Replaces a lost database by one that holds what the last good state has: its overrides and revisions, and nothing else.
  func rebuild(by change: StoreRestoration) async throws(RestoreRefusal) -> StoreReplacement
}

/// A database in another's place.
public struct StoreReplacement: Sendable {
  /// The contents that are served from then on; of a dry run, those that are served.
  public var contents: StoreContents
  /// The path to which the former database was moved; nil when there was none, and of a dry run.
  public var asidePath: String?
  /// The backup beside the database in use; set by a dry run only.
  public var comparison: StoreComparison?
  /// The distance by which revisions were raised where the database was lost; nil elsewhere. Values served in its last second may be unknown, and no
  /// revision may name two values.
  public var revisionsRaisedBy: Int64?

  /// A replacement.
  public init(contents: StoreContents, asidePath: String? = nil, comparison: StoreComparison? = nil) {
    self.contents = contents
    self.asidePath = asidePath
    self.comparison = comparison
  }
}

/// A backup beside the database in use.
public struct StoreComparison: Sendable, Hashable {
  /// The newest change in the backup; nil where it has none.
  public var newestAt: Instant?
  /// The number of audit lines in use that the backup does not have; nil where the database in use cannot be read.
  public var lostAuditLines: Int64?
  /// The number of players who are not in the backup or have changed since; nil where the database in use cannot be read.
  public var lostPlayers: Int64?

  /// A comparison that has found nothing yet.
  public init() {}
}

/// A database that lies beside the one in use.
public struct StoreCopy: Sendable, Hashable {
  /// The reasons why a copy is there.
  public enum Kind: String, Sendable, CaseIterable {
    /// It was damaged, or knew less than was served; it never goes by itself.
    case damaged
    /// A restore put another in its place.
    case replaced
    /// It is of an older version, copied before it was brought up to date.
    case beforeVersion = "before-version"
    /// It was copied before a game's simulated clock was reset.
    case beforeReset = "before-clock-reset"
  }

  /// The file's name.
  public var name: String
  /// The path of the copy.
  public var path: String
  /// The reason why the copy is there.
  public var kind: Kind
  /// The instant when it was put there; nil where its name does not say.
  public var at: Instant?
  /// The number of bytes that it has, its write-ahead log among them.
  public var bytesCount: Int64

  /// A copy.
  public init(name: String, path: String, kind: Kind, at: Instant?, bytesCount: Int64) {
    self.name = name
    self.path = path
    self.kind = kind
    self.at = at
    self.bytesCount = bytesCount
  }
}

/// A copy of the database in a file.
public struct StoreBackup: Sendable, Hashable {
  /// The path of the file.
  public var path: String
  /// The number of bytes that it has.
  public var bytesCount: Int64

  /// A copy.
  public init(path: String, bytesCount: Int64) {
    self.path = path
    self.bytesCount = bytesCount
  }
}

/// The reason why a database is not replaced. Nothing has changed then.
public enum RestoreRefusal: StoreRefusal, Hashable {
  /// The file is no backup of gameconfd, or is damaged; the text says what was found.
  case unfit(String)
  /// The file was written by a newer gameconfd.
  case newer(version: Int, known: Int)
  /// Nothing is lost, so nothing is rebuilt.
  case nothingLost
  /// There is no last good state to rebuild from.
  case noLastGood
  /// The store's own trouble.
  case store(StoreError)
}

/// The author, reason and instant of a restore.
public struct StoreRestoration: Sendable, Hashable {
  /// The author.
  public var author: Author
  /// The reason, in their words.
  public var reason: String?
  /// The instant, by the host's clock.
  public var at: Instant
  /// True if everything is checked and nothing replaced.
  public var isDryRun: Bool
  /// The backup's name, for the audit log.
  public var file: String?

  /// A restoration; a dry run only if it says so.
  public init(author: Author, reason: String?, at: Instant, isDryRun: Bool = false, file: String? = nil) {
    self.file = file
    self.author = author
    self.reason = reason
    self.at = at
    self.isDryRun = isDryRun
  }
}
