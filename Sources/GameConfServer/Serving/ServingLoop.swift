// The data of one event loop of the HTTP server: the published state, the output buffer, the time, the counters, and the connections.

internal import Glibc
internal import NIOCore

/// The state that is published to every event loop: precomputed answers, and the snapshot from which handlers make all other answers.
package struct LoopState<App: ServerApp>: Sendable {
  package var ready: ReadyAnswers
  /// The snapshot that handlers read as ``Request/snapshot``.
  package var snapshot: App.Snapshot

  /// Creates a state; without precomputed answers (`ready`) every request reaches its handler.
  package init(ready: ReadyAnswers = ReadyAnswers(), snapshot: App.Snapshot) {
    self.ready = ready
    self.snapshot = snapshot
  }
}

/// The data of one event loop of the HTTP server. Only that loop uses it, so it has no locks. The subclass ``AppLoop`` has the parts that
/// depend on the application.
class ServingLoop {
  final let eventLoop: any EventLoop
  /// The queue by which other threads deliver finished answers to this loop.
  final let completions: EventLoopCompletionQueue
  final let limits: ServerLimits
  final var ready: ReadyAnswers { didSet { cached.removeAll() } }
  /// The cache of answers that are the same for every caller.
  final var cached = ResponseCache()
  final var counters: ServerCounters
  /// The table with the last read of each key that this loop answered.
  final let marks: ReadMarks
  /// True if the loop has an observer of answers.
  final var isObserved = false
  final var isDraining = false
  /// The threads that run handlers which would block this loop.
  final let workshop: FairExecutor
  /// The memory that the users of this loop take, separately for ordinary sockets (`common`) and for sockets with reserved memory (`own`).
  final let pools: (common: MemoryPool, own: MemoryPool)
  final private var shares: [ShareOwner: UserShare] = [:]
  /// The users with connections that wait to be served. The queue of a user's connections is in the ``UserShare``.
  final private var waitingUsers = LeastServedQueue<UserShare>()
  final private var slicesAreDue = false
  final private var sharesHeldBack: [UserShare] = []
  final private var looksAgain = false
  final var connections: [ObjectIdentifier: Connection] = [:]
  /// The promises to complete when the last connection has closed during a drain of the server.
  final var whenEmpty: [EventLoopPromise<Void>] = []

  final var output: ByteBuffer
  final var scratch: [UInt8] = []
  final private(set) var date: [UInt8] = []
  final private(set) var now: NIODeadline
  /// The second of the wall clock, since 1970, that ``date`` shows.
  final private(set) var second = 0
  final private var dateExpires: NIODeadline
  final private let wallClock: () -> (seconds: Int, nanoseconds: Int)

  init(
    on eventLoop: any EventLoop, routes: [String], limits: ServerLimits, ready: ReadyAnswers, marks: ReadMarks,
    workshop: FairExecutor, wallClock: @escaping () -> (seconds: Int, nanoseconds: Int)
  ) {
    self.workshop = workshop
    pools = (
      MemoryPool(bodyBytesMax: limits.bodyBytesHeldMax, answerBytesMax: limits.answerBytesMax),
      MemoryPool(bodyBytesMax: limits.bodyBytesHeldPerUserMax, answerBytesMax: limits.answerBytesPerUserMax)
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

  /// Reads the clock of the event loop, and renews the text of the Date header if its second is over.
  final func tick() -> NIODeadline {
    now = eventLoop.now
    if now >= dateExpires {
      let wall = wallClock()
      second = wall.seconds
      cached.settle(now: second)
      date = HTTPDate.text(secondsSince1970: wall.seconds)
      dateExpires = now + .nanoseconds(Int64(1_000_000_000 - wall.nanoseconds))
    }
    return now
  }

  /// Returns the nanoseconds since an instant of this loop's clock.
  final func nanoseconds(since start: NIODeadline) -> Int64 { (eventLoop.now - start).nanoseconds }

  /// Empties the output buffer after its bytes were sent. Its memory is reused unless a channel's queue holds it.
  final func clearOutput() {
    // Replaces a buffer that one large answer has grown, so that the memory is freed.
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

  /// The counters of the loop, with the memory in use at present.
  final var counted: ServerCounters {
    var counters = counters
    counters.bodyBytes = pools.common.bodies.total + pools.own.bodies.total
    counters.answerBytes = pools.common.answerBytes + pools.own.answerBytes
    return counters
  }

  // MARK: Slices of the loop's time for users

  final var hasWaitingSlices: Bool { slicesAreDue }

  /// Queues a connection for its user's next slice of the loop's time. Slices begin when all that is readable has been read, so that all
  /// waiting users are known.
  final func queue(_ connection: Connection) {
    let share = connection.share
    if share.waiting.isEmpty, !share.isInSlice { share.loopTime = waitingUsers.insert(share, had: share.loopTime) }
    share.waiting.append(connection)
    if slicesAreDue { return }
    slicesAreDue = true
    eventLoop.assumeIsolated().execute { self.runSlices() }
  }

  private final func runSlices() {
    let end = tick() + .microseconds(Int64(limits.passMicroseconds))
    while let share = waitingUsers.popFirst() {
      share.isInSlice = true
      share.waiting.popFirst()?.runSlice()
      share.isInSlice = false
      if !share.waiting.isEmpty { share.loopTime = waitingUsers.insert(share, had: share.loopTime) }
      if eventLoop.now >= end { break }
    }
    slicesAreDue = !waitingUsers.isEmpty
    // execute() would run before the sockets are read again. A scheduled task runs after that, so requests of other users can arrive.
    if slicesAreDue { eventLoop.assumeIsolated().scheduleTask(in: .microseconds(Self.pauseMicroseconds)) { self.runSlices() } }
  }

  private static let pauseMicroseconds: Int64 = 20

  // MARK: Memory and connections of users

  final func share(of session: any ClientSession) -> UserShare {
    let owner = ShareOwner(uid: session.credentials?.uid, hasReservedMemory: session.socket.hasReservedMemory)
    if let known = shares[owner] { return known }
    let share = UserShare(owner, owner.hasReservedMemory ? pools.own : pools.common, limits)
    shares[owner] = share
    return share
  }

  private final func leaveShare(_ connection: Connection) {
    let share = connection.share
    share.connections[ObjectIdentifier(connection)] = nil
    if share.connections.isEmpty, shares[share.owner] === share {
      shares[share.owner] = nil
      share.pool.users -= 1
    }
  }

  /// True if a user exceeds a limit of unread bytes of answers. The bytes are measured again if a measurement is due.
  ///
  /// Measuring costs a system call for each of the user's connections. It is limited to 1/64 of the loop's time for each user, and is more
  /// frequent only for users who read their answers. Between two measurements the result of the first one is used.
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

  /// Queues a connection whose user's clients have too many unread bytes. A timer checks it again after 20 ms.
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

  /// Checks the first waiting connections of a user, at most `looksMax`. Those that may have more unread bytes are served again, and the
  /// others move to the end of the queue.
  private final func letOn(_ share: UserShare) {
    var looks = Self.looksMax
    for _ in 0..<share.heldBack.count where looks > 0 {
      guard let connection = share.heldBack.popFirst() else { return }
      if connection.machine.phase == .closed { continue }
      looks -= 1
      if connection.hasCapacity { connection.letOn() } else { share.heldBack.append(connection) }
    }
  }

  /// The most waiting connections of one user that a run of the timer checks, each with a system call.
  private static let looksMax = 64
  private static let heldBackMilliseconds: Int64 = 20

  // MARK: Slow handlers

  /// True if the handler of a route was recently slow for a user, so that the user's calls of it run on another thread.
  final func isSlow(_ route: Int, for share: UserShare) -> Bool {
    if share.slowHandlers.isEmpty { return false }
    return share.slowHandlers[route]?.isElsewhere ?? false
  }

  /// Records the time that a handler took for one request of a user.
  ///
  /// It is the thread's processor time, without waiting. Otherwise every handler would look slow on a busy host, its calls would wait on
  /// another thread behind the long work of others, and they would look slow again.
  final func note(nanoseconds took: Int64, of route: Int, for share: UserShare) {
    if took >= Int64(limits.handlerMicroseconds) * 1_000 {
      let now = Int64(eventLoop.now.uptimeNanoseconds)
      share.slowHandlers[route, default: SlowHandlerRecord()].wasSlow(now: now, limits)
    } else if !share.slowHandlers.isEmpty, share.slowHandlers[route]?.wasFast(now: Int64(now.uptimeNanoseconds), limits) == false {
      share.slowHandlers[route] = nil
    }
  }

}

/// The data of one event loop of the HTTP server, with the application's state and router.
final class AppLoop<App: ServerApp>: ServingLoop {
  let router: Router<App>
  var state: LoopState<App> { didSet { ready = state.ready } }
  /// The observer of the answers that the loop sends; nil while no viewer watches live requests.
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
