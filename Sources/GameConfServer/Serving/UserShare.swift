// The share of each user in an event loop, and of all of them together: bytes of bodies, bytes of answers that wait.

/// The owner of a share. Sockets with room of their own have shares of their own, so that an admin's is not used up by a game of the same user.
struct ShareOwner: Hashable, Sendable {
  /// Nil for peers without a name: those on TCP.
  let uid: UInt32?
  let hasOwnRoom: Bool
}

/// The pace of a measurement that takes time: the longer it took, the later again. Times are nanoseconds of one clock that does not go
/// back.
struct MeasuringPace: Sendable {
  /// No sooner than this after the last time.
  static let pauseMin: Int64 = 5_000_000
  /// Asking takes one part in so many of all time.
  static let part: Int64 = 64

  private var due = Int64.min

  func isTime(at now: Int64) -> Bool { now >= due }

  mutating func measured(from began: Int64, to ended: Int64) { due = ended + max(Self.pauseMin, (ended - began) * Self.part) }
}

/// The bytes that the users of some sockets take together.
final class Room {
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

/// One user's share of an event loop.
final class UserShare {
  typealias Bound = Quota<ShareOwner>.Bound

  let owner: ShareOwner
  let room: Room
  /// The user's connections; every one that is served is here.
  var connections: [ObjectIdentifier: Connection] = [:]
  /// Handlers that lately took long for this user, by route.
  var slowHandlers: [Int: SlowHandler] = [:]
  /// The pace at which the kernel is asked how many bytes really wait, and the number that were sent since it last was.
  var pace = MeasuringPace()
  var sentSinceMeasured = 0
  /// Nanoseconds of the loop's time that the user's connections have had.
  var loopTime: Int64 = 0
  /// True if one of them has its turn now: those that come meanwhile are queued behind it.
  var isInTurn = false
  /// Connections that wait for their turn.
  var waiting = ReusableQueue<Connection>()
  /// Connections that wait until some of what the user has waiting was taken, in turn.
  var heldBack = ReusableQueue<Connection>()
  private(set) var answerBytes = 0

  private let limits: ServerLimits

  init(_ owner: ShareOwner, _ room: Room, _ limits: ServerLimits) {
    self.owner = owner
    self.room = room
    self.limits = limits
    room.users += 1
  }

  /// Bytes of answers that may wait on each of the user's connections though the bound is reached: who reads on one of them is served
  /// there, whatever is left unread on the others.
  var partOfOne: Int { limits.answerBytesPerUserMax / max(limits.connectionsPerUserMax, connections.count) }

  /// Holds bytes of a body; says which bound stands in the way.
  func hold(bodyBytes count: Int) -> Bound? {
    let bound = room.bodies.bound(of: owner, adding: count, userMax: limits.bodyBytesHeldPerUserMax, max: room.bodyBytesMax)
    if bound == nil { room.bodies.add(count, of: owner) }
    return bound
  }

  func release(bodyBytes count: Int) { room.bodies.add(-count, of: owner) }

  /// Counts bytes of answers that may wait, in the daemon or in the kernel; fewer than before when the count is negative.
  func count(answerBytes count: Int) {
    answerBytes += count
    room.answerBytes += count
    sentSinceMeasured += max(0, count)
  }

  /// The bound that an answer of so many bytes would pass. One answer there may always be. Of all users only those are held to the bound
  /// of all who have more waiting than an equal part of it.
  func bound(answerBytes count: Int = 0) -> Bound? {
    if answerBytes == 0 { return nil }
    if answerBytes + count > limits.answerBytesPerUserMax { return .user }
    if room.answerBytes + count > room.answerBytesMax, answerBytes + count > room.answerBytesMax / max(1, room.users) { return .all }
    return nil
  }
}
