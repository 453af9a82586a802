// What one event loop has for itself: the published state, an output buffer, the Date, the counters, and its connections.

internal import Glibc
internal import NIOCore

/// What is published to every event loop: answers that lie ready, and the snapshot all other answers are made from.
package struct LoopState<App: ServerApp>: Sendable {
  /// Answers that lie ready.
  package var ready: ReadyAnswers
  /// What handlers find in ``Request/snapshot``; a reference to something immutable.
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
  final let courier: LoopCourier
  final let limits: ServerLimits
  /// Answers that lie ready.
  final var ready: ReadyAnswers { didSet { kept.removeAll() } }
  /// Answers made from the state that serve everybody.
  final var kept = KeptAnswers()
  final var counters: ServerCounters
  final var isDraining = false
  /// Bytes of bodies that are not whole yet, over all connections.
  final var bodyBytes = 0
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
    on eventLoop: any EventLoop, routes: [String], limits: ServerLimits, ready: ReadyAnswers,
    wallClock: @escaping () -> (seconds: Int, nanoseconds: Int)
  ) {
    self.eventLoop = eventLoop
    courier = LoopCourier(to: eventLoop)
    self.limits = limits
    self.ready = ready
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

  /// Takes what was written, to be sent; the buffer's memory is used again when the channel has let go of it.
  final func takeOutput() -> ByteBuffer? {
    output.readableBytes == 0 ? nil : output
  }

  final func clearOutput() {
    // One large answer must not hold its memory for ever.
    if output.capacity > limits.outputSliceBytes * 8 {
      output = ByteBufferAllocator().buffer(capacity: 4_096)
    } else {
      output.clear()
    }
  }

  final func remove(_ connection: Connection) {
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

/// An event loop of one application.
final class AppLoop<App: ServerApp>: ServingLoop {
  let router: Router<App>
  var state: LoopState<App> { didSet { ready = state.ready } }

  init(
    on eventLoop: any EventLoop, router: Router<App>, limits: ServerLimits, state: LoopState<App>,
    wallClock: @escaping () -> (seconds: Int, nanoseconds: Int) = ServingLoop.realtime
  ) {
    self.router = router
    self.state = state
    super.init(on: eventLoop, routes: router.ids, limits: limits, ready: state.ready, wallClock: wallClock)
  }
}
