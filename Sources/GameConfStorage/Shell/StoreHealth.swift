// The health of the store, for status, health and the journal.
public import GameConfCore

/// The condition of the store with the facts that status and health report.
public struct StoreHealth: Sendable, Hashable {
  /// The states from full service to the loss of the database.
  public enum Condition: Sendable, Hashable {
    /// Reads and writes work.
    case good
    /// Reads work, and small writes may. The last write found no space on the disk.
    case noSpace
    /// Reads work. The last write found the disk read-only.
    case readOnly
    /// Reads work, and writes may. The text has the message of the last failure.
    case failing(String)
    /// The database is lost, and overrides are served from the last good state. The text has the reason and the remedy.
    case lost(String)
  }

  /// The ability to read and to write, as the last operations found it.
  public var condition: Condition
  /// The beginning of the condition; nil if it is good.
  public var since: Instant?
  /// True if a newer version wrote the database: nothing was renamed, and that version can continue with it.
  public var isNewer = false
  /// The new path of the lost database; nil if it was not renamed or nothing is lost.
  public var asidePath: String?
  /// The instant of the last save of the last good state; nil if there was none.
  public var lastGoodSavedAt: Instant?
  /// True if a commit is not in the last good state yet.
  public var lastGoodIsBehind: Bool
  /// The reason why the last save or read of the last good state failed; nil if it succeeded.
  public var lastGoodFault: String?
  /// The last check of the database; nil before the end of the first.
  public var lastCheck: StoreCheck?
  /// Sentences about files that belong to another store and are not used.
  public var disregarded: [String] = []
  /// Unreadable rows, the first ``StoreLimits/unreadableRowsMax`` of them. Only requests that need them are refused.
  public var unreadable: [UnreadableRow] = []
  /// The number of transactions in the writer's queue.
  public var writesWaiting: Int
  /// The version of the schema that this release of the daemon uses.
  public var schemaVersion: Int
  /// The size of the database in bytes; nil if it is not a file on this host.
  public var databaseBytes: Int64?
  /// The size of the write-ahead log beside the database, in bytes; nil if there is no such file.
  public var logBytes: Int64?
  /// The free space on the database's disk in bytes; nil if unknown.
  public var freeBytes: Int64?
  /// The hosts that share the store; nil for a single host's store.
  public var fleet: StoreFleet?

  /// Creates the health of a good store with a schema version.
  public init(schemaVersion: Int) {
    condition = .good
    lastGoodIsBehind = false
    writesWaiting = 0
    self.schemaVersion = schemaVersion
  }

  /// True if reads and writes work and the last good state has no fault.
  public var isGood: Bool { condition == .good && lastGoodFault == nil }
}

/// The result of a check of the database.
public struct StoreCheck: Sendable, Hashable {
  /// The instant when the check ended, by the host's clock.
  public var at: Instant
  /// The duration of the check.
  public var durationMilliseconds: Int64
  /// The faults, in the database's words; empty if the check found no fault.
  public var findings: [String]

  /// Creates the result of a finished check.
  public init(at: Instant, durationMilliseconds: Int64, findings: [String]) {
    self.at = at
    self.durationMilliseconds = durationMilliseconds
    self.findings = findings
  }

  /// True if the check found no fault.
  public var isGood: Bool { findings.isEmpty }
}
