// The table of plays. A play pins a player's values at its opening.
public import GameConfCore

/// A play as stored, without its values.
public struct StoredPlay: Sendable, Hashable {
  /// The play's unique id.
  public var id: String
  /// The player's simulated time at which the play opened.
  public var openedAt: Instant
  /// The player's simulated time at which the play closed; nil while it is open.
  public var closedAt: Instant?
  /// The host time of the closing, from which the age of a closed play is counted.
  public var closedAtHost: Instant?
  /// The game's revision at which the play's values were read.
  public var revision: Int64
  /// The number of keys whose values the play pins.
  public var keysCount: Int
  /// The SHA-256 digest of the pinned values in stored form, in hexadecimal. Plays with equal values share one stored copy.
  public var digest: String
  /// The size of the pinned values in stored form, in bytes.
  public var bytesCount: Int
  /// The Unix user who opened the play.
  public var uid: UInt32
  /// The context of the call that opened the play, without the player's id.
  public var context: ObjectValue

  /// Creates a play, by default an open one.
  public init(
    id: String, openedAt: Instant, closedAt: Instant? = nil, closedAtHost: Instant? = nil, revision: Int64, keysCount: Int, digest: String,
    bytesCount: Int, uid: UInt32, context: ObjectValue = ObjectValue()
  ) {
    self.id = id
    self.openedAt = openedAt
    self.closedAt = closedAt
    self.closedAtHost = closedAtHost
    self.revision = revision
    self.keysCount = keysCount
    self.digest = digest
    self.bytesCount = bytesCount
    self.uid = uid
    self.context = context
  }

  /// The bytes charged to the play's player: for the row and the context, and for the values.
  public var chargedBytes: Int64 { Int64(bytesCount) + ownBytes }

  /// The bytes charged for the row and the context, without the values.
  public var ownBytes: Int64 { PlayLimits.rowBytes + (context.isEmpty ? 0 : Int64(JSONWriter.bytes(.object(context)).count)) }
}

/// The counts of a player's plays, and the bytes charged for them.
public struct PlayCounts: Sendable, Hashable {
  /// The number of open plays, which have no ``StoredPlay/closedAt``.
  public var open: Int
  /// The number of closed plays, which have a ``StoredPlay/closedAt``.
  public var closed: Int
  /// The bytes charged to the player for all plays.
  public var bytes: Int64

  /// Creates counts; zero by default.
  public init(open: Int = 0, closed: Int = 0, bytes: Int64 = 0) {
    self.open = open
    self.closed = closed
    self.bytes = bytes
  }
}

extension PlayCounts {
  /// True if a player's oldest closed play is no longer retained.
  public func lets(go oldest: StoredPlay, host: Instant) -> Bool {
    if bytes > PlayLimits.playerBytesMax { return true }
    guard closed > PlayLimits.closedMax, let closedAt = oldest.closedAtHost else { return false }
    return closedAt.milliseconds < host.milliseconds - PlayLimits.retentionMilliseconds
  }
}
