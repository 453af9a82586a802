// What one event loop has for itself: the published state, an output buffer, the Date, the counters, and its connections.

internal import Glibc
internal import NIOCore

/// What is published to every event loop: answers that lie ready, and the snapshot all other answers are made from.
public struct LoopState: Sendable {
  /// Answers that lie ready.
  public var ready: ReadyAnswers
  /// What handlers find in ``Request/snapshot``; a reference to something immutable.
  public var snapshot: any Sendable

  /// A state.
  public init(ready: ReadyAnswers = ReadyAnswers(), snapshot: any Sendable) {
    self.ready = ready
    self.snapshot = snapshot
  }
}

/// One event loop's own things; never touched from elsewhere, so nothing here is locked.
final class ServingLoop {
  let eventLoop: any EventLoop
  /// Carries the store's answers here.
  let courier: LoopCourier
  let limits: ServerLimits
  let router: Router
  var state: LoopState { didSet { kept.removeAll() } }
  /// Answers made from the state that serve everybody.
  var kept = KeptAnswers()
  var counters: ServerCounters
  var isDraining = false
  /// Bytes of bodies that are not whole yet, over all connections.
  var bodyBytes = 0
  var connections: [ObjectIdentifier: Connection] = [:]
  /// Called when the last connection is gone while draining.
  var whenEmpty: [EventLoopPromise<Void>] = []

  var output: ByteBuffer
  var scratch: [UInt8] = []
  private(set) var date: [UInt8] = []
  private(set) var now: NIODeadline
  /// The wall clock's second that ``date`` says.
  private(set) var second = 0
  private var dateExpires: NIODeadline
  private let wallClock: () -> (seconds: Int, nanoseconds: Int)

  init(
    on eventLoop: any EventLoop, router: Router, limits: ServerLimits, state: LoopState,
    wallClock: @escaping () -> (seconds: Int, nanoseconds: Int) = ServingLoop.realtime
  ) {
    self.eventLoop = eventLoop
    courier = LoopCourier(to: eventLoop)
    self.limits = limits
    self.router = router
    self.state = state
    self.wallClock = wallClock
    counters = ServerCounters(endpoints: router.endpoints.map(\.id))
    output = ByteBufferAllocator().buffer(capacity: 4_096)
    now = eventLoop.now
    dateExpires = now
    _ = tick()
  }

  /// Looks at the clock, once for each read, and stamps the Date when its second is over.
  func tick() -> NIODeadline {
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

  /// Takes what was written, to be sent; the buffer's memory is used again when the channel has let go of it.
  func takeOutput() -> ByteBuffer? {
    output.readableBytes == 0 ? nil : output
  }

  func clearOutput() {
    // One large answer must not hold its memory for ever.
    if output.capacity > limits.outputSliceBytes * 8 {
      output = ByteBufferAllocator().buffer(capacity: 4_096)
    } else {
      output.clear()
    }
  }

  func remove(_ connection: Connection) {
    connections[ObjectIdentifier(connection)] = nil
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
}
