// A user's use of an event loop: bytes of bodies, bytes of unread answers, and time.

/// The user of a share. Sockets with reserved memory have separate shares, so that a game cannot use up the share of an admin with the same uid.
struct ShareOwner: Hashable, Sendable {
  /// The user's id; nil for clients over TCP, which have no credentials.
  let uid: UInt32?
  let hasReservedMemory: Bool
}

/// Decides how often a costly measurement runs: the longer it took, the longer the pause. Times are nanoseconds of one monotonic clock.
struct MeasuringPace: Sendable {
  /// The minimum pause after a measurement, in nanoseconds.
  static let pauseMin: Int64 = 5_000_000
  /// The pause is this multiple of the measurement's duration, so that measuring takes at most 1/64 of the time.
  static let part: Int64 = 64

  private var due = Int64.min

  func isTime(at now: Int64) -> Bool { now >= due }

  mutating func measured(from began: Int64, to ended: Int64) { due = ended + max(Self.pauseMin, (ended - began) * Self.part) }
}

/// The bytes of bodies and of unread answers, of all users on ordinary sockets together, or of all users on sockets with reserved memory.
final class MemoryPool {
  let bodyBytesMax: Int
  let answerBytesMax: Int
  var bodies = Quota<ShareOwner>()
  var answerBytes = 0
  var users = 0

  init(bodyBytesMax: Int, answerBytesMax: Int) {
    self.bodyBytesMax = bodyBytesMax
    self.answerBytesMax = answerBytesMax
  }
}

/// The memory and the time that one user's connections use on an event loop.
final class UserShare {
  typealias ExceededLimit = Quota<ShareOwner>.ExceededLimit

  let owner: ShareOwner
  let pool: MemoryPool
  /// The user's connections that are served.
  var connections: [ObjectIdentifier: Connection] = [:]
  /// The handlers that were recently slow for this user, by route.
  var slowHandlers: [Int: SlowHandler] = [:]
  /// The pace of measurements of unread bytes, and the bytes sent since the last one.
  var pace = MeasuringPace()
  var sentSinceMeasured = 0
  /// The nanoseconds of the loop's time that the user's connections have used.
  var loopTime: Int64 = 0
  /// True while one of the user's connections has its turn; others are queued meanwhile.
  var isInSlice = false
  /// The connections that wait for a turn.
  var waiting = ReusableQueue<Connection>()
  /// The connections that wait until the user's clients have read some of their answers, in order.
  var heldBack = ReusableQueue<Connection>()
  private(set) var answerBytes = 0

  private let limits: ServerLimits

  init(_ owner: ShareOwner, _ pool: MemoryPool, _ limits: ServerLimits) {
    self.owner = owner
    self.pool = pool
    self.limits = limits
    pool.users += 1
  }

  /// The unread bytes that each of the user's connections may have although the user's limit is reached. A client that reads on one connection is
  /// served there, even if it ignores its others.
  var partOfOne: Int { limits.answerBytesPerUserMax / max(limits.connectionsPerUserMax, connections.count) }

  /// Counts bytes of a body. If a limit would be exceeded, counts nothing and returns that limit.
  func hold(bodyBytes count: Int) -> ExceededLimit? {
    let bound = pool.bodies.bound(of: owner, adding: count, userMax: limits.bodyBytesHeldPerUserMax, max: pool.bodyBytesMax)
    if bound == nil { pool.bodies.add(count, of: owner) }
    return bound
  }

  func release(bodyBytes count: Int) { pool.bodies.add(-count, of: owner) }

  /// Adds to the user's unread bytes; a negative count subtracts.
  func count(answerBytes count: Int) {
    answerBytes += count
    pool.answerBytes += count
    sentSinceMeasured += max(0, count)
  }

  /// Returns the limit that an answer of this size would exceed; nil if none. The first answer is always admitted. The limit of all users applies
  /// only to users with more than an equal part of it.
  func bound(answerBytes count: Int = 0) -> ExceededLimit? {
    if answerBytes == 0 { return nil }
    if answerBytes + count > limits.answerBytesPerUserMax { return .user }
    if pool.answerBytes + count > pool.answerBytesMax, answerBytes + count > pool.answerBytesMax / max(1, pool.users) { return .all }
    return nil
  }
}
