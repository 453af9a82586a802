// The parts that one event loop has for itself: the published state, an output buffer, the Date, the counters, and its connections.

internal import Glibc
internal import NIOCore

/// The state that is published to every event loop: answers that lie ready, and the snapshot all other answers are made from.
package struct LoopState<App: ServerApp>: Sendable {
  /// Answers that lie ready.
  package var ready: ReadyAnswers
  /// The snapshot that handlers find in ``Request/snapshot``; a reference to something immutable.
  package var snapshot: App.Snapshot

  /// A state.
  package init(ready: ReadyAnswers = ReadyAnswers(), snapshot: App.Snapshot) {
    self.ready = ready
    self.snapshot = snapshot
  }
}

/// One event loop's own things; never touched from elsewhere, so nothing here is locked. What depends on the application is in ``AppLoop``.
class ServingLoop {
  final let eventLoop: any EventLoop
  /// Carries answers made elsewhere here.
  final let completions: EventLoopCompletionQueue
  final let limits: ServerLimits
  /// Answers that lie ready.
  final var ready: ReadyAnswers { didSet { kept.removeAll() } }
  /// Answers made from the state that serve everybody.
  final var kept = ResponseCache()
  final var counters: ServerCounters
  /// The last time that each answer was given.
  final let marks: ReadMarks
  /// True while somebody looks at the answers of this loop.
  final var isObserved = false
  final var isDraining = false
  /// Threads for what would hold the loop for too long.
  final let workshop: FairExecutor
  /// The memory that the users of this loop take, and that those take who have memory of their own.
  final let rooms: (common: Room, own: Room)
  final private var shares: [ShareOwner: UserShare] = [:]
  /// Users of whom connections wait for their turn; the connections are in their shares.
  final private var usersInTurn = LeastServedQueue<UserShare>()
  final private var turnsAreDue = false
  /// Users of whom connections are held back.
  final private var sharesHeldBack: [UserShare] = []
  final private var looksAgain = false
  final var connections: [ObjectIdentifier: Connection] = [:]
  /// Called when the last connection is gone while draining.
  final var whenEmpty: [EventLoopPromise<Void>] = []

  final var output: ByteBuffer
  final var scratch: [UInt8] = []
  final private(set) var date: [UInt8] = []
  final private(set) var now: NIODeadline
  /// The wall clock's second that ``date`` says.
  final private(set) var second = 0
  final private var dateExpires: NIODeadline
  final private let wallClock: () -> (seconds: Int, nanoseconds: Int)

  init(
    on eventLoop: any EventLoop, routes: [String], limits: ServerLimits, ready: ReadyAnswers, marks: ReadMarks,
    workshop: FairExecutor, wallClock: @escaping () -> (seconds: Int, nanoseconds: Int)
  ) {
    self.workshop = workshop
    rooms = (
      Room(bodyBytesMax: limits.bodyBytesHeldMax, answerBytesMax: limits.answerBytesMax),
      Room(bodyBytesMax: limits.bodyBytesHeldPerUserMax, answerBytesMax: limits.answerBytesPerUserMax)
    )
    self.eventLoop = eventLoop
    completions = EventLoopCompletionQueue(to: eventLoop)
    self.limits = limits
    self.ready = ready
    self.marks = marks
    self.wallClock = wallClock
    counters = ServerCounters(routes: routes)
    output = ByteBufferAllocator().buffer(capacity: 4_096)
    now = eventLoop.now
    dateExpires = now
    _ = tick()
  }

  /// Looks at the clock, once for each read, and stamps the Date when its second is over.
  final func tick() -> NIODeadline {
    now = eventLoop.now
    if now >= dateExpires {
      let wall = wallClock()
      second = wall.seconds
      kept.settle(now: second)
      date = HTTPDate.text(secondsSince1970: wall.seconds)
      dateExpires = now + .nanoseconds(Int64(1_000_000_000 - wall.nanoseconds))
    }
    return now
  }

  /// The time since an instant of this loop's clock.
  final func nanoseconds(since start: NIODeadline) -> Int64 { (eventLoop.now - start).nanoseconds }

  /// Lets go of what was sent; the buffer's memory is used again unless a channel holds it.
  final func clearOutput() {
    // One large answer must not hold its memory for ever.
    if output.capacity > limits.outputSliceBytes * 4 {
      output = ByteBufferAllocator().buffer(capacity: 4_096)
    } else {
      output.clear()
    }
  }

  final func remove(_ connection: Connection) {
    connections[ObjectIdentifier(connection)] = nil
    leaveShare(connection)
    guard isDraining, connections.isEmpty else { return }
    let waiting = whenEmpty
    whenEmpty = []
    for promise in waiting { promise.succeed(()) }
  }

  static func realtime() -> (seconds: Int, nanoseconds: Int) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return (time.tv_sec, time.tv_nsec)
  }

  /// The counters with what is taken now.
  final var counted: ServerCounters {
    var counters = counters
    counters.bodyBytes = rooms.common.bodies.total + rooms.own.bodies.total
    counters.answerBytes = rooms.common.answerBytes + rooms.own.answerBytes
    return counters
  }

  // MARK: Turns

  final var hasTurns: Bool { turnsAreDue }

  /// Queues a connection. Turns begin when everything that is readable now has been read, so that all users are known who want one.
  final func queue(_ connection: Connection) {
    let share = connection.share
    if share.waiting.isEmpty, !share.isInTurn { share.loopTime = usersInTurn.insert(share, had: share.loopTime) }
    share.waiting.append(connection)
    if turnsAreDue { return }
    turnsAreDue = true
    eventLoop.assumeIsolated().execute { self.takeTurns() }
  }

  private final func takeTurns() {
    let end = tick() + .microseconds(Int64(limits.passMicroseconds))
    while let share = usersInTurn.popFirst() {
      share.isInTurn = true
      share.waiting.popFirst()?.takeTurn()
      share.isInTurn = false
      if !share.waiting.isEmpty { share.loopTime = usersInTurn.insert(share, had: share.loopTime) }
      if eventLoop.now >= end { break }
    }
    turnsAreDue = !usersInTurn.isEmpty
    // What is only executed again would go before all that has become readable meanwhile; what is scheduled comes after it.
    if turnsAreDue { eventLoop.assumeIsolated().scheduleTask(in: .microseconds(Self.pauseMicroseconds)) { self.takeTurns() } }
  }

  private static let pauseMicroseconds: Int64 = 20

  // MARK: Shares

  final func share(of session: any Session) -> UserShare {
    let owner = ShareOwner(uid: session.credentials?.uid, hasOwnRoom: session.socket.hasOwnRoom)
    if let known = shares[owner] { return known }
    let share = UserShare(owner, owner.hasOwnRoom ? rooms.own : rooms.common, limits)
    shares[owner] = share
    return share
  }

  private final func leaveShare(_ connection: Connection) {
    let share = connection.share
    share.connections[ObjectIdentifier(connection)] = nil
    if share.connections.isEmpty, shares[share.owner] === share {
      shares[share.owner] = nil
      share.room.users -= 1
    }
  }

  /// True if a share is over a bound when the kernel is asked what really waits. That costs a system call for each of its connections, so the
  /// more there are the less often it is done: for each user it takes a sixty-fourth of the loop's time, and more only of users who read what
  /// is sent to them. In between the share counts as being over.
  final func isOverBound(_ share: UserShare, by count: Int = 0) -> Bool {
    if share.pace.isTime(at: Int64(now.uptimeNanoseconds)) || share.sentSinceMeasured >= limits.answerBytesPerUserMax / 8 { measure(share) }
    return share.bound(answerBytes: count) != nil
  }

  private final func measure(_ share: UserShare) {
    let began = eventLoop.now
    for connection in share.connections.values where connection.answerBytes > 0 { connection.measure() }
    share.sentSinceMeasured = 0
    share.pace.measured(from: Int64(began.uptimeNanoseconds), to: Int64(eventLoop.now.uptimeNanoseconds))
  }

  /// Looks again in a while whether a connection can go on whose user has too much waiting.
  final func holdBack(_ connection: Connection) {
    counters.heldBack += 1
    let share = connection.share
    if share.heldBack.isEmpty { sharesHeldBack.append(share) }
    share.heldBack.append(connection)
    if !looksAgain { lookAgain() }
  }

  private final func lookAgain() {
    looksAgain = true
    eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Self.heldBackMilliseconds)) {
      _ = self.tick()
      let shares = self.sharesHeldBack
      self.sharesHeldBack = []
      for share in shares {
        self.letOn(share)
        if !share.heldBack.isEmpty { self.sharesHeldBack.append(share) }
      }
      self.looksAgain = false
      if !self.sharesHeldBack.isEmpty { self.lookAgain() }
    }
  }

  /// Lets those go on that can, of the first few that wait; those that cannot go behind the others.
  private final func letOn(_ share: UserShare) {
    var looks = Self.looksMax
    for _ in 0..<share.heldBack.count where looks > 0 {
      guard let connection = share.heldBack.popFirst() else { return }
      if connection.machine.phase == .closed { continue }
      looks -= 1
      if connection.hasRoom { connection.letOn() } else { share.heldBack.append(connection) }
    }
  }

  /// Connections of one user that are looked at in one go, each with a system call.
  private static let looksMax = 64
  private static let heldBackMilliseconds: Int64 = 20

  // MARK: Slow handlers

  /// True if a route's handler lately took so long for this user that it is called elsewhere.
  final func isSlow(_ route: Int, for share: UserShare) -> Bool {
    if share.slowHandlers.isEmpty { return false }
    return share.slowHandlers[route]?.isElsewhere ?? false
  }

  /// Heeds how long a handler ran.
  ///
  /// Neither the time that others had the processor nor the time in which it waited for its turn counts: where processors are few, every handler
  /// would be slow, wait behind others' long work, and be slow for that again.
  final func note(nanoseconds took: Int64, of route: Int, for share: UserShare) {
    if took >= Int64(limits.handlerMicroseconds) * 1_000 {
      let now = Int64(eventLoop.now.uptimeNanoseconds)
      share.slowHandlers[route, default: SlowHandler()].wasSlow(now: now, limits)
    } else if !share.slowHandlers.isEmpty, share.slowHandlers[route]?.wasFast(now: Int64(now.uptimeNanoseconds), limits) == false {
      share.slowHandlers[route] = nil
    }
  }

}

/// An event loop of one application.
final class AppLoop<App: ServerApp>: ServingLoop {
  let router: Router<App>
  var state: LoopState<App> { didSet { ready = state.ready } }
  /// The observer of the loop's answers, while somebody looks.
  var observer: (any AnswerObserver<App>)? { didSet { isObserved = observer != nil } }

  init(
    on eventLoop: any EventLoop, router: Router<App>, limits: ServerLimits, state: LoopState<App>, marks: ReadMarks = ReadMarks(),
    workshop: FairExecutor = FairExecutor(threads: 1),
    wallClock: @escaping () -> (seconds: Int, nanoseconds: Int) = ServingLoop.realtime
  ) {
    self.router = router
    self.state = state
    super.init(
      on: eventLoop, routes: router.ids, limits: limits, ready: state.ready, marks: marks, workshop: workshop, wallClock: wallClock)
  }
}
