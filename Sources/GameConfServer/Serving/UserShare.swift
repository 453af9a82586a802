// The amounts of an event loop's resources that one user takes: bytes of request bodies, bytes of unread answers, and time.

/// The key of a ``UserShare``. On sockets with reserved memory a user has a second share, so that a game cannot use up the share of an
/// admin with the same uid.
struct ShareOwner: Hashable, Sendable {
  /// The user's id; nil for clients over TCP, which have no credentials.
  let uid: UInt32?
  let hasReservedMemory: Bool
}

/// Decides when a costly measurement runs again. The pause is longer if the last measurement took longer. Times are nanoseconds of one
/// monotonic clock.
struct MeasurementInterval: Sendable {
  /// The minimum pause after a measurement, in nanoseconds.
  static let pauseMin: Int64 = 5_000_000
  /// The pause after a measurement as a multiple of its duration, so that measuring takes at most 1/64 of the time.
  static let part: Int64 = 64

  private var due = Int64.min

  func isTime(at now: Int64) -> Bool { now >= due }

  mutating func measured(from began: Int64, to ended: Int64) { due = ended + max(Self.pauseMin, (ended - began) * Self.part) }
}

/// The memory that request bodies and unread answers take on an event loop. One pool is for all users of ordinary sockets, another for all
/// users of sockets with reserved memory.
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
  /// The open connections of the user on this event loop.
  var connections: [ObjectIdentifier: Connection] = [:]
  /// The records of request handlers that were recently slow for this user, by the position of their route.
  var slowHandlers: [Int: SlowHandlerRecord] = [:]
  /// The pace at which the user's unread bytes are measured.
  var pace = MeasurementInterval()
  /// The bytes of answers that were sent to the user's clients since the last measurement of unread bytes.
  var sentSinceMeasured = 0
  /// The nanoseconds of the event loop's time that the user's connections have used.
  var loopTime: Int64 = 0
  /// True while one of the user's connections is served. Other connections of the user are queued during that time.
  var isInSlice = false
  /// The user's connections that wait to be served, in this order.
  var waiting = ReusableQueue<Connection>()
  /// The connections that wait until the user's clients have read some of their answers, in the order in which they are checked.
  var heldBack = ReusableQueue<Connection>()
  private(set) var answerBytes = 0

  private let limits: ServerLimits

  init(_ owner: ShareOwner, _ pool: MemoryPool, _ limits: ServerLimits) {
    self.owner = owner
    self.pool = pool
    self.limits = limits
    pool.users += 1
  }

  /// The bytes of unread answers that each of the user's connections may have although the user's limit is reached. A client that reads on
  /// one connection is served there, even if it ignores its other connections.
  var partOfOne: Int { limits.answerBytesPerUserMax / max(limits.connectionsPerUserMax, connections.count) }

  /// Counts bytes of a request body. If a limit would be exceeded, counts nothing and returns that limit.
  func hold(bodyBytes count: Int) -> ExceededLimit? {
    let bound = pool.bodies.bound(of: owner, adding: count, userMax: limits.bodyBytesHeldPerUserMax, max: pool.bodyBytesMax)
    if bound == nil { pool.bodies.add(count, of: owner) }
    return bound
  }

  func release(bodyBytes count: Int) { pool.bodies.add(-count, of: owner) }

  /// Adds to the user's unread bytes of answers; a negative count subtracts.
  func count(answerBytes count: Int) {
    answerBytes += count
    pool.answerBytes += count
    sentSinceMeasured += max(0, count)
  }

  /// Returns the limit of unread bytes that an answer of this size would exceed; nil if neither the user's limit nor the limit of all users
  /// would be exceeded. An answer is always admitted if the user has no unread bytes. The limit of all users applies only to users with
  /// more than an equal part of it.
  func bound(answerBytes count: Int = 0) -> ExceededLimit? {
    if answerBytes == 0 { return nil }
    if answerBytes + count > limits.answerBytesPerUserMax { return .user }
    if pool.answerBytes + count > pool.answerBytesMax, answerBytes + count > pool.answerBytesMax / max(1, pool.users) { return .all }
    return nil
  }
}
