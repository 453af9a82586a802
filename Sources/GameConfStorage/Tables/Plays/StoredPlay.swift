// The table of plays. A play pins a player's values at its opening.
public import GameConfCore

/// A play as stored, without its values.
public struct StoredPlay: Sendable, Hashable {
  /// The play's unique id.
  public var id: String
  /// The player's simulated time at which it opened.
  public var openedAt: Instant
  /// The player's simulated time at which it closed; nil while it is open.
  public var closedAt: Instant?
  /// The host's instant of the closing, from which the age of a closed play is counted.
  public var closedAtHost: Instant?
  /// The game's revision at which its values were read.
  public var revision: Int64
  /// The number of keys whose values it pins.
  public var keysCount: Int
  /// The SHA-256 digest of its values in stored form, in hex. Plays with equal values share them.
  public var digest: String
  /// The size of its values in bytes.
  public var bytesCount: Int
  /// The user who opened it.
  public var uid: UInt32
  /// The context of the call that opened it, without the player's id.
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

  /// The bytes charged to its player: its own and its values'.
  public var chargedBytes: Int64 { Int64(bytesCount) + ownBytes }

  /// The bytes charged for the row and the context, without the values.
  public var ownBytes: Int64 { PlayLimits.rowBytes + (context.isEmpty ? 0 : Int64(JSONWriter.bytes(.object(context)).count)) }
}

/// The numbers of a player's plays.
public struct PlayCounts: Sendable, Hashable {
  /// Plays without a ``StoredPlay/closedAt``.
  public var open: Int
  /// Plays with a ``StoredPlay/closedAt``.
  public var closed: Int
  /// The bytes that all of them charge.
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
