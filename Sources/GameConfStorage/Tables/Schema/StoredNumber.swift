// The ranges of the numbers that the store's tables hold.
import GameConfCore

/// The kind of a stored number, with its valid range.
///
/// A database that is restored, moved or checked must be within ``range``. In a database in use, revisions and ordinals may have grown
/// further, so its reads only check ``ReadableNumber/range``.
enum StoredNumber: Sendable {
  /// The revision of a game, a key or a player.
  case revision
  /// The number of a row in its table: each is assigned once, and they rise.
  case ordinal
  /// A count of rows or bytes.
  case count
  /// Milliseconds since 1970.
  case instant
  /// A span of time in milliseconds, possibly negative.
  case milliseconds
  /// The rate of a simulated clock, in thousandths.
  case rate
  /// The seconds of a scenario's lease.
  case lease
  /// A Unix user id.
  case uid
  /// A Unix user id, or −1 if there is no user.
  case uidOrNobody
  case pid
  case flag
  /// The status of an HTTP answer.
  case status
  case score
  /// A digest: any 64 bits.
  case bits

  private static let calendarMilliseconds = Instant.latest.milliseconds - Instant.earliest.milliseconds

  /// The range of the numbers that gameconfd writes. The limits of revisions and ordinals are far below those of ``ReadableNumber/range``,
  /// because both continue to rise.
  var range: ClosedRange<Int64> {
    switch self {
    case .revision, .count: 0...1 << 52
    case .ordinal: 0...1 << 60
    case .instant: Instant.earliest.milliseconds...Instant.latest.milliseconds
    case .milliseconds: -Self.calendarMilliseconds...Self.calendarMilliseconds
    case .rate: 0...SimulatedClock.rateThousandthsMax
    case .lease: 1...ScenarioLimits.leaseSecondsMax
    case .uid: 0...Int64(UInt32.max)
    case .uidOrNobody: -1...Int64(UInt32.max)
    case .pid: Int64(Int32.min)...Int64(Int32.max)
    case .flag: 0...1
    case .status: 100...599
    case .score: 0...Int64.max
    case .bits: Int64.min...Int64.max
    }
  }

  /// Returns the kind of a named number; nil for an unused name.
  static func named(_ name: String) -> StoredNumber? {
    switch name {
    case RevisionRows.playerMax, RevisionRows.playerFloor: .revision
    case RevisionRows.lookedAt, PlayerLineRows.passBeganName, PostgresGrammar.passedAt: .instant
    case RevisionRows.epoch: .bits
    case RepeatRows.seen: .milliseconds
    case StreamRows.tailName, PlayerLineRows.passedName: .ordinal
    case _ where name.hasPrefix(RevisionRows.catalogDigest) || name.hasPrefix(CatalogRows.reverted): .bits
    case _ where name.hasPrefix(ClockRows.hostSeen): .instant
    case _ where PostgresGrammar.ownNumbers.contains { name.hasPrefix($0) }: .ordinal
    default: nil
    }
  }
}
