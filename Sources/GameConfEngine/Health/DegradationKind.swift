// The kinds of degradation, declared once for health, status, metrics, the journal, the panel and the guide.

/// A kind of degradation. Its raw value is its code on the wire, in metrics, in the journal and in the guide.
public enum DegradationKind: String, Sendable, Hashable, CaseIterable {
  case storeFull = "no_space"
  /// The database cannot be written.
  case storeReadOnly = "read_only"
  case storeFailing = "failing"
  /// The database is damaged or gone.
  case storeLost = "lost"
  /// A newer version wrote the database.
  case storeNewer = "newer_database"
  /// `last-good.json` cannot be written or read.
  case lastGoodFailing = "last_good"
  /// Rows of the database cannot be read.
  case rowsUnreadable = "unreadable_rows"
  /// The images that games map cannot be written.
  case imagesFailing = "images"
  /// The catalog's file has faults; the last accepted one is in force.
  case catalogRefused = "catalog"
  /// The game has a catalog and is not served.
  case notServed = "not_served"
  /// The catalog's file is gone; the last accepted one is in force.
  case catalogVanished = "catalog_missing"
  /// The catalog's file still has a reverted change; the catalog from before that change is in force until the file changes.
  case catalogDrift = "drift"
  /// The catalog is in force, but its bytes are not stored for the next start.
  case catalogNotStored = "catalog_not_kept"
  /// The store cannot take a new catalog now; the one in force stays, and the daemon tries again.
  case catalogWaits = "catalog_waiting"
  /// The template's source cannot be used; the version in force stays.
  case templateRefused = "template"
  /// A report of gameconf-fetch on a template's source is overdue.
  case templateOverdue = "template_overdue"
  /// The template in force names a time zone that this host does not have.
  case zoneMissing = "zone"
  case overridesQuarantined = "override"
  /// A simulated clock is stopped, because the host's clock stepped back.
  case clockHeld = "clock_held"
}

extension DegradationKind {
  /// The part that a degradation affects: the store, the whole daemon, or a single game.
  public enum AffectedPart: String, Sendable, Hashable, CaseIterable {
    case store, daemon, game
  }

  /// The severity of a degradation, which is the level of its entry in systemd's journal.
  public enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
    case warning, error, critical

    /// Orders a warning before an error, and an error before a critical fault.
    public static func < (first: Severity, second: Severity) -> Bool { first.rank < second.rank }

    private var rank: Int {
      switch self {
      case .warning: 0
      case .error: 1
      case .critical: 2
      }
    }
  }

  /// The texts and properties of a kind. Code in the texts is between “ and ”.
  public struct KindDeclaration: Sendable, Hashable {
    /// The part of the daemon with the fault; `.game` if only one game is affected.
    public let part: AffectedPart
    /// The severity of the fault, which is the level of its entry in systemd's journal.
    public let severity: Severity
    /// A phrase that names the fault.
    public let title: String
    /// The consequence for games while the fault lasts, such as “reads go on; writes get 503”.
    public let effect: String
    /// The step by which an operator ends the fault, with the commands for it.
    public let remedy: String
    /// The condition that ends the degradation.
    public let end: String
    /// The `MESSAGE_ID` of the fault's entry in systemd's journal.
    public let messageID: String
    /// The minimum duration of the fault, in milliseconds, before it is reported.
    public let shownAfterMilliseconds: Int64

    init(
      _ part: AffectedPart, _ severity: Severity, _ title: String, effect: String, remedy: String, end: String, messageID: String,
      shownAfterMilliseconds: Int64 = 0
    ) {
      self.part = part
      self.severity = severity
      self.title = title
      self.effect = effect
      self.remedy = remedy
      self.end = end
      self.messageID = messageID
      self.shownAfterMilliseconds = shownAfterMilliseconds
    }
  }

  /// The texts and properties of the kind, from which the guide and the journal's catalog are generated too.
  public var declaration: KindDeclaration {
    switch self {
    case .storeFull: .storeFull
    case .storeReadOnly: .storeReadOnly
    case .storeFailing: .storeFailing
    case .storeLost: .storeLost
    case .storeNewer: .storeNewer
    case .lastGoodFailing: .lastGoodFailing
    case .rowsUnreadable: .rowsUnreadable
    case .imagesFailing: .imagesFailing
    case .catalogRefused: .catalogRefused
    case .notServed: .notServed
    case .catalogVanished: .catalogVanished
    case .catalogDrift: .catalogDrift
    case .catalogNotStored: .catalogNotStored
    case .catalogWaits: .catalogWaits
    case .templateRefused: .templateRefused
    case .templateOverdue: .templateOverdue
    case .zoneMissing: .zoneMissing
    case .overridesQuarantined: .overridesQuarantined
    case .clockHeld: .clockHeld
    }
  }
}
