// Checking, copying and bringing back the database.
public import GameConfCore

/// What an administrator does with a database; a store in memory has none.
public protocol StoreAdministration: Sendable {
  /// Looks, at little cost, whether the database still is the one that was opened; if not, it is put aside and the store is lost.
  func look() async throws(StoreError)

  /// Checks the database beside the running daemon. A damaged one is put aside, and the store is lost from then on.
  func check() async throws(StoreError) -> StoreCheck

  /// Copies the database as it is now to a file of its own, consistent and complete.
  /// - Returns: the copy; whoever gets it discards it.
  func backup() async throws(StoreError) -> StoreBackup

  /// Makes an empty file beside the database for a backup that is on its way in, so that it takes the space the database itself may take.
  /// - Returns: its path; whoever asked removes the file. What a killed daemon left is removed at the next start.
  func makePlaceForBackup() throws(StoreError) -> String

  /// Replaces the database by a backup.
  ///
  /// The file is checked first: that it is a gameconfd database, whole, and of a version that is known. Revisions continue above the highest
  /// that were ever served. The database it replaces is put aside.
  /// - Parameter path: the backup, on any file system; it is copied, not moved.
  /// - Returns: what is served from then on; it has been published.
  func restore(from path: String, by change: StoreRestoration) async throws(RestoreRefusal) -> StoreReplacement

  /// Replaces a lost database by one that holds what the last good state has: its overrides and revisions, and nothing else.
  func rebuild(by change: StoreRestoration) async throws(RestoreRefusal) -> StoreReplacement
}

/// A database in another's place.
public struct StoreReplacement: Sendable {
  /// What is served from then on; of a dry run, what is served.
  public var contents: StoreContents
  /// Where the database that stood there was put; nil when none stood there, and of a dry run.
  public var asidePath: String?

  /// A replacement.
  public init(contents: StoreContents, asidePath: String? = nil) {
    self.contents = contents
    self.asidePath = asidePath
  }
}

/// A copy of the database in a file.
public struct StoreBackup: Sendable, Hashable {
  /// Where it lies.
  public var path: String
  /// How many bytes it has.
  public var bytesCount: Int64

  /// A copy.
  public init(path: String, bytesCount: Int64) {
    self.path = path
    self.bytesCount = bytesCount
  }
}

/// Why a database is not replaced. Nothing has changed then.
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

/// Who brings a database back, when and why.
public struct StoreRestoration: Sendable, Hashable {
  /// Who.
  public var author: Author
  /// Why, in their words.
  public var reason: String?
  /// When, by the host's clock.
  public var at: Instant
  /// Whether everything is checked and nothing replaced.
  public var isDryRun: Bool

  /// A restoration, meant seriously unless said.
  public init(author: Author, reason: String?, at: Instant, isDryRun: Bool = false) {
    self.author = author
    self.reason = reason
    self.at = at
    self.isDryRun = isDryRun
  }
}
