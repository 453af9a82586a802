// The table of plays: what was pinned for a player when a play opened.
public import GameConfCore

/// One play as the store has it, its values aside.
public struct StoredPlay: Sendable, Hashable {
  /// The play's id, unlike any other's.
  public var id: String
  /// The player's simulated time at which it opened.
  public var openedAt: Instant
  /// The player's simulated time at which it closed; nil while it is open.
  public var closedAt: Instant?
  /// The same by the host's clock, by which closed plays grow old.
  public var closedAtHost: Instant?
  /// The game's revision at which its values were read.
  public var revision: Int64
  /// The number of keys that it pinned.
  public var keysCount: Int
  /// The SHA-256 digest of its values as they are kept, in hex: plays with the same values share them.
  public var digest: String
  /// The number of bytes its values take.
  public var bytesCount: Int
  /// The user who opened it.
  public var uid: UInt32
  /// The context of the call that opened it, without the player's id.
  public var context: ObjectValue

  /// A play.
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

  /// The bytes that it counts against its player's.
  public var chargedBytes: Int64 { Int64(bytesCount) + ownBytes }

  /// The bytes that it counts beside its values.
  public var ownBytes: Int64 { PlayLimits.rowBytes + (context.isEmpty ? 0 : Int64(JSONWriter.bytes(.object(context)).count)) }
}

/// The numbers of a player's plays.
public struct PlayCounts: Sendable, Hashable {
  /// The number of open plays.
  public var open: Int
  /// The number of closed plays.
  public var closed: Int
  /// The number of bytes that all of them count.
  public var bytes: Int64

  /// Counts; none unless said.
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
    return closedAt.milliseconds < host.milliseconds - PlayLimits.keptMilliseconds
  }
}
