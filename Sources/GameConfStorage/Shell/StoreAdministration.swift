// Checks, copies and restores the database.
public import GameConfCore

/// The administrative operations on a database; a store in memory has none.
public protocol StoreAdministration: Sendable {
  /// Checks cheaply that the database is still the one that was opened, and whether a failure is over. If a second check confirms that the
  /// database is another one, it is renamed, and the store is lost.
  func look() async throws(StoreError)

  /// Checks the whole database while the daemon runs. A damage that a second check confirms makes the store lost, and the database is
  /// renamed. The check is cancelled when the write-ahead log reaches ``StoreLimits/logBytesDuringCheckMax``.
  func check() async throws(StoreError) -> StoreCheck

  /// Copies the current database to a temporary file, consistent and complete.
  /// - Returns: The copy, which the caller removes.
  func backup() async throws(StoreError) -> StoreBackup

  /// Copies the database into a file beside it before an irreversible change. The newest three copies of a kind are retained.
  func keepCopy(_ kind: StoreCopy.Kind) async throws(StoreError) -> StoreCopy

  /// Creates an empty file beside the database for an incoming backup, on the disk that the restored database will use.
  /// - Returns: The path of the file, which the caller removes. The next start removes the file of a killed daemon.
  func makePlaceForBackup() throws(StoreError) -> String

  /// Replaces the database by a backup.
  ///
  /// The backup is checked first: it must be an intact gameconfd database of a known version. Revisions continue above the highest served
  /// ones. The old database is renamed.
  /// - Parameter path: The backup, on any file system; it is copied, not moved. A write-ahead log beside it (its path with `-wal`) belongs
  ///   to it.
  /// - Returns: The contents served from then on, which have been published.
  func restore(from path: String, by change: StoreRestoration) async throws(RestoreRefusal) -> StoreReplacement

  /// Returns the copies beside the database, newest first.
  func copies() async throws(StoreError) -> [StoreCopy]

  /// Removes a copy beside the database, with its write-ahead log.
  /// - Returns: True if a copy had that name.
  func removeCopy(named name: String) async throws(StoreError) -> Bool

  /// Removes databases that restores have replaced, except the newest three of the last 30 days.
  func dropReplacedCopies() async throws(StoreError)

  /// Replaces a lost database by one with the overrides and revisions of the last good state, and nothing else.
  func rebuild(by change: StoreRestoration) async throws(RestoreRefusal) -> StoreReplacement
}

/// The result of replacing the database.
public struct StoreReplacement: Sendable {
  /// The contents served after the replacement; for a dry run, the current ones.
  public var contents: StoreContents
  /// The new path of the old database; nil if there was none, and for a dry run.
  public var asidePath: String?
  /// The comparison of the backup with the database in use; only set by a dry run.
  public var comparison: StoreComparison?
  /// The number of revisions that were skipped because the database was lost; otherwise nil. The revisions of its last second may be
  /// unknown, and no revision may name two values.
  public var revisionsRaisedBy: Int64?

  /// Creates the result of a replacement; `comparison` is only for a dry run.
  public init(contents: StoreContents, asidePath: String? = nil, comparison: StoreComparison? = nil) {
    self.contents = contents
    self.asidePath = asidePath
    self.comparison = comparison
  }
}

/// A comparison of a backup with the database in use.
public struct StoreComparison: Sendable, Hashable {
  /// The instant of the newest change in the backup; nil if it has none.
  public var newestAt: Instant?
  /// The number of audit lines that the backup does not have; nil if the database in use cannot be read.
  public var lostAuditLines: Int64?
  /// The number of players that are not in the backup or have changed since; nil if the database in use cannot be read.
  public var lostPlayers: Int64?

  /// Creates a comparison in which every fact is unknown.
  public init() {}
}

/// A copy beside the database in use.
public struct StoreCopy: Sendable, Hashable {
  /// The reasons why a copy exists.
  public enum Kind: String, Sendable, CaseIterable {
    /// The database was damaged, or had less than was served; such a copy is never removed automatically.
    case damaged
    /// A restore replaced the database.
    case replaced
    /// The database was of an older version and was copied before its migration.
    case beforeVersion = "before-version"
    /// The database was copied before a game's simulated clock was reset.
    case beforeReset = "before-clock-reset"
  }

  /// The name by which a request removes the copy.
  public var name: String
  /// The path on the daemon's host, beside the database in use.
  public var path: String
  /// The reason why the copy is there.
  public var kind: Kind
  /// The instant in the copy's name; nil if the name has no instant. For `beforeVersion`, the time at which the file was last written.
  public var at: Instant?
  /// The size in bytes, including the write-ahead log.
  public var bytesCount: Int64

  /// Creates the description of a copy that exists.
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
  /// The path on the daemon's host.
  public var path: String
  /// The size of the file in bytes.
  public var bytesCount: Int64

  /// Creates the description of a backup whose file is complete.
  public init(path: String, bytesCount: Int64) {
    self.path = path
    self.bytesCount = bytesCount
  }
}

/// The reason why a restore does not replace the database. Nothing has changed then.
public enum RestoreRefusal: StoreRefusal, Hashable {
  /// The file is not a backup of gameconfd, or is damaged; the text has the finding.
  case unfit(String)
  /// The file was written by a newer gameconfd.
  case newer(version: Int, known: Int)
  /// Nothing is lost, so nothing is rebuilt.
  case nothingLost
  /// There is no last good state to rebuild from.
  case noLastGood
  case store(StoreError)
}

/// The author, reason and instant of a restore.
public struct StoreRestoration: Sendable, Hashable {
  /// The user who requested the restore.
  public var author: Author
  /// The reason in the author's words.
  public var reason: String?
  /// The instant of the request by the host's clock.
  public var at: Instant
  /// True to check everything without replacing the database.
  public var isDryRun: Bool
  /// The backup's name, for the audit log.
  public var file: String?

  /// Creates the description of a restore, by default of one that is not a dry run.
  public init(author: Author, reason: String?, at: Instant, isDryRun: Bool = false, file: String? = nil) {
    self.file = file
    self.author = author
    self.reason = reason
    self.at = at
    self.isDryRun = isDryRun
  }
}
