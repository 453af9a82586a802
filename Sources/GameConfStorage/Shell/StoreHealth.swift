// The health of the store, for status, health and the journal.
public import GameConfCore

/// The health of the store.
public struct StoreHealth: Sendable, Hashable {
  /// The condition of the store.
  public enum Condition: Sendable, Hashable {
    /// Everything.
    case good
    /// Reads, and writes that fit: the last one found no space.
    case noSpace
    /// Reads, and writes once the disk takes them: the last one found it read-only.
    case readOnly
    /// Reads, and writes unless they fail again; the text has the last failure's words.
    case failing(String)
    /// Nothing: the database is lost, and overrides are served from the last good state. The text says why and what to do.
    case lost(String)
  }

  /// The condition of the store.
  public var condition: Condition
  /// The instant since when; nil while it is good.
  public var since: Instant?
  /// True if the database is not lost, but a newer version's: nothing was moved, and that version goes on from it.
  public var isNewer = false
  /// The path to which the lost database was moved; nil when it was not, and when nothing is lost.
  public var asidePath: String?
  /// The instant when the last good state was written; nil when it never was.
  public var lastGoodSavedAt: Instant?
  /// True if something was committed that the last good state does not have yet.
  public var lastGoodIsBehind: Bool
  /// The reason why the last good state could not be written or read the last time; nil when it could.
  public var lastGoodFault: String?
  /// The last check of the database; nil before the first has ended.
  public var lastCheck: StoreCheck?
  /// The files beside the store that are another store's, so that they were not used; in sentences.
  public var disregarded: [String] = []
  /// Rows that were met and cannot be read, the first ``StoreLimits/unreadableRowsMax`` of them; those about them alone are refused.
  public var unreadable: [UnreadableRow] = []
  /// The number of transactions that wait for the writer.
  public var writesWaiting: Int
  /// The version of the database's tables.
  public var schemaVersion: Int
  /// The database's size; nil where it is not a file of this host.
  public var databaseBytes: Int64?
  /// The size of the write-ahead log beside it.
  public var logBytes: Int64?
  /// The free space of the disk that holds it.
  public var freeBytes: Int64?
  /// The hosts that share the store; nil where none does.
  public var fleet: StoreFleet?

  /// A good store of that version.
  public init(schemaVersion: Int) {
    condition = .good
    lastGoodIsBehind = false
    writesWaiting = 0
    self.schemaVersion = schemaVersion
  }

  /// True if everything is as it should be.
  public var isGood: Bool { condition == .good && lastGoodFault == nil }
}

/// The findings of a check of the database.
public struct StoreCheck: Sendable, Hashable {
  /// The instant when it ended, by the host's clock.
  public var at: Instant
  /// The time that it took.
  public var durationMilliseconds: Int64
  /// The faults, in the database's words; empty when there are none.
  public var findings: [String]

  /// A check's outcome.
  public init(at: Instant, durationMilliseconds: Int64, findings: [String]) {
    self.at = at
    self.durationMilliseconds = durationMilliseconds
    self.findings = findings
  }

  /// True if nothing is wrong.
  public var isGood: Bool { findings.isEmpty }
}
