// The HTTP server: event loops, listening sockets, publication of the application's state, and the graceful stop.

package import NIOCore
internal import NIOPosix
internal import Synchronization

/// An HTTP/1.1 server on the daemon's sockets.
///
/// Each event loop has everything that a request needs: the last published state, the router, and counters. ``publish(_:)`` passes a new
/// state to every loop and returns when all have it. A change that is acknowledged after that is visible to every later read.
package final class HTTPServer<App: ServerApp>: Sendable {
  private let group: MultiThreadedEventLoopGroup
  private let loops: [ObjectIdentifier: NIOLoopBound<AppLoop<App>>]
  /// For each event loop, a table with the last read that the loop answered, by key.
  package let marks: [ReadMarks]
  private let limits: ServerLimits
  private let policy: PeerPolicy<App>
  private let connectionLimits: ConnectionLimits
  private let listening = Mutex<[(listener: Listener, channel: any Channel)]>([])

  /// Starts the event loops, and accepts connections on the listening sockets.
  /// - Parameters:
  ///   - loops: The number of event loops, each on its own thread.
  ///   - limitReached: Called when a user or the server reaches a limit of connections and clients are refused; see ``ConnectionLimits``.
  ///   - policy: Assigns a role to a client that connects, or refuses it.
  /// - Throws: An error of NIO if a listening socket cannot be used. The other listening sockets are then closed.
  package static func start(
    _ listeners: [Listener], router: Router<App>, state: LoopState<App>, limits: ServerLimits = ServerLimits(), loops: Int = 1,
    limitReached: @escaping @Sendable (LimitReached) -> Void = { _ in }, policy: @escaping PeerPolicy<App>
  ) async throws -> HTTPServer {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, loops))
    let workshop = FairExecutor(threads: min(4, max(1, System.coreCount - 1)))
    var bound: [ObjectIdentifier: NIOLoopBound<AppLoop<App>>] = [:]
    var marks: [ReadMarks] = []
    for eventLoop in group.makeIterator() {
      let own = ReadMarks()
      marks.append(own)
      bound[ObjectIdentifier(eventLoop)] = try await eventLoop.submit {
        NIOLoopBound(
          AppLoop(on: eventLoop, router: router, limits: limits.part(ofLoops: loops), state: state, marks: own, workshop: workshop),
          eventLoop: eventLoop)
      }.get()
    }
    let server = HTTPServer(group, bound, marks, limits, ConnectionLimits(limits, report: limitReached), policy)
    do {
      for listener in listeners { try await server.listen(on: listener) }
    } catch {
      await server.drain(withinSeconds: 0)
      throw error
    }
    return server
  }

  private init(
    _ group: MultiThreadedEventLoopGroup, _ loops: [ObjectIdentifier: NIOLoopBound<AppLoop<App>>], _ marks: [ReadMarks],
    _ limits: ServerLimits,
    _ connectionLimits: ConnectionLimits, _ policy: @escaping PeerPolicy<App>
  ) {
    self.group = group
    self.loops = loops
    self.marks = marks
    self.limits = limits
    self.policy = policy
    self.connectionLimits = connectionLimits
  }

  private func listen(on listener: Listener) async throws {
    let full = App.answer(App.problem(.outOfDescriptors))
    let channel = try await ServerBootstrap(group: group)
      .serverChannelInitializer { [connectionLimits] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            AcceptGuard(listener.descriptor, full) { connectionLimits.report($0) })
        }
      }
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      // A small first buffer limits the memory of connections that are idle or wait to be served. It grows with the input of the client.
      .childChannelOption(.recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 512, maximum: 16 << 10))
      .childChannelInitializer { [self] channel in accept(channel, listener.socket) }
      .withBoundSocket(listener.descriptor).get()
    listener.raiseBacklog()
    listening.withLock { $0.append((listener, channel)) }
  }

  private func accept(_ channel: any Channel, _ socket: ServerSocket) -> EventLoopFuture<Void> {
    guard let loop = loops[ObjectIdentifier(channel.eventLoop)]?.value else {
      return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }
    let pipeline = channel.pipeline.syncOperations
    let found = try? pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { ($0, PeerCredentials.read(from: $0)) }
    let (descriptor, credentials) = found ?? (-1, nil)
    loop.counters.accepted[socket, default: 0] += 1
    var admission: PeerDecision<App>
    if credentials == nil, !socket.mayBeTCP {
      admission = .refused(App.problem(ServerFault(.notPermitted, "The kernel does not report your uid.")))
    } else {
      admission = policy(socket, credentials)
    }
    var isUnwanted: Bool { if case .refused = admission { true } else { false } }
    switch connectionLimits.enter(socket, user: credentials?.uid, isUnwanted: isUnwanted) {
    case .admitted, .unwanted: break
    case .refused(let fault): admission = .refused(App.problem(fault))
    case .shut:
      loop.counters.refused[socket, default: 0] += 1
      return channel.eventLoop.makeFailedFuture(ChannelError.alreadyClosed)
    }
    let session: AppSession<App>
    var usesReadyAnswers = false
    switch admission {
    case .role(let role, let usesReady):
      session = AppSession(loop, Peer(socket: socket, credentials: credentials, role: role))
      usesReadyAnswers = usesReady && credentials != nil
      loop.counters.open[socket, default: 0] += 1
    case .refused(let problem):
      session = AppSession(loop, refusing: problem, on: socket, credentials)
      loop.counters.refused[socket, default: 0] += 1
    }
    let isRefused = isUnwanted
    let connection = Connection(loop, session, descriptor: descriptor, usesReadyAnswers: usesReadyAnswers) { [connectionLimits] in
      if !isRefused { loop.counters.open[socket, default: 0] -= 1 }
      connectionLimits.leave(socket, user: credentials?.uid, wasRefused: isRefused)
    }
    return channel.eventLoop.makeCompletedFuture { try pipeline.addHandler(connection) }
  }

  /// The listening sockets, each with its path or address.
  package var sockets: [(socket: ServerSocket, name: String)] { listening.withLock { $0.map { ($0.listener.socket, $0.listener.name) } } }

  /// Passes a new state of the application to every event loop. Returns when all loops have it. Calls must not overlap.
  package func publish(_ state: LoopState<App>) async {
    await onEveryLoop { $0.state = state }
  }

  /// Sets the observer of each event loop's answers to the object that `make` returns on that loop; nil removes the observer. Returns when
  /// every loop is done.
  package func observe(by make: @escaping @Sendable (any EventLoop) -> (any AnswerObserver<App>)?) async {
    await onEveryLoop { $0.observer = make($0.eventLoop) }
  }

  /// For each event loop, a function that schedules a closure on the loop. The watchdog probes the loops with these functions.
  package var schedulers: [@Sendable (_ work: @escaping @Sendable () -> Void) -> Void] {
    loops.values.map { bound in
      let loop = bound.eventLoop
      return { loop.execute($0) }
    }
  }

  /// Returns the sum of all event loops' counters. They are read on each loop, so a loop that hangs delays the result.
  package func counters() async -> ServerCounters {
    var sum: ServerCounters?
    for bound in loops.values {
      guard let each = try? await bound.eventLoop.submit({ bound.value.counted }).get() else { continue }
      sum = sum.map { $0 + each } ?? each
    }
    return sum ?? ServerCounters(routes: [])
  }

  private func onEveryLoop(_ work: @escaping @Sendable (AppLoop<App>) -> Void) async {
    let all = loops.values.map { bound in bound.eventLoop.submit { work(bound.value) } }
    for each in all { try? await each.get() }
  }

  /// Stops accepting connections, and sends the answers in progress with `Connection: close`. Returns when every connection is closed.
  /// Connections that are still open after `seconds` are aborted.
  ///
  /// The event loops run until the process ends, because other parts of the daemon may still publish or answer.
  ///
  /// Sockets bound by ``Listener/bind(_:mode:as:)`` are removed. Adopted sockets stay open in systemd, which queues connections for the
  /// next daemon.
  package func drain(withinSeconds seconds: Int) async {
    let open = listening.withLock { listening in
      defer { listening = [] }
      return listening
    }
    for (listener, channel) in open {
      listener.unlinkIfOurs()
      try? await channel.close().get()
    }
    let emptied = loops.values.map { bound in
      bound.eventLoop.flatSubmit { () -> EventLoopFuture<Void> in
        let loop = bound.value
        loop.isDraining = true
        for connection in Array(loop.connections.values) { connection.drain() }
        if loop.connections.isEmpty { return loop.eventLoop.makeSucceededVoidFuture() }
        let empty = loop.eventLoop.makePromise(of: Void.self)
        loop.whenEmpty.append(empty)
        loop.eventLoop.assumeIsolated().scheduleTask(in: .seconds(Int64(seconds))) {
          for connection in Array(loop.connections.values) { connection.abort() }
        }
        return empty.futureResult
      }
    }
    for each in emptied { try? await each.get() }
  }
}
