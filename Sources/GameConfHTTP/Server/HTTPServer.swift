// The server: event loops, listeners, publication of a new state, and the orderly end.

public import GameConfAPI
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// Serves HTTP/1.1 on the daemon's sockets.
///
/// Everything a request needs is on its event loop: the state that was published last, the router, the counters. ``publish(_:)`` hands a
/// new state to every loop and returns when all have it, so what is acknowledged after it is seen by every later read.
public final class HTTPServer: Sendable {
  private let group: MultiThreadedEventLoopGroup
  private let loops: [ObjectIdentifier: NIOLoopBound<ServingLoop>]
  private let limits: ServerLimits
  private let policy: PeerPolicy
  private let connectionLimits: ConnectionLimits
  private let listening = Mutex<[(listener: Listener, channel: any Channel)]>([])

  /// Starts to serve.
  /// - Parameters:
  ///   - loops: how many event loops, each a thread.
  ///   - limitReached: is told once when somebody reaches a limit and is refused.
  ///   - policy: judges every peer when it connects.
  /// - Throws: when a listener's descriptor cannot be accepted on; the others are closed then.
  public static func start(
    _ listeners: [Listener], router: Router, state: LoopState, limits: ServerLimits = ServerLimits(), loops: Int = 1,
    limitReached: @escaping @Sendable (LimitReached) -> Void = { _ in }, policy: @escaping PeerPolicy
  ) async throws -> HTTPServer {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, loops))
    var bound: [ObjectIdentifier: NIOLoopBound<ServingLoop>] = [:]
    for eventLoop in group.makeIterator() {
      bound[ObjectIdentifier(eventLoop)] = try await eventLoop.submit {
        NIOLoopBound(ServingLoop(on: eventLoop, router: router, limits: limits, state: state), eventLoop: eventLoop)
      }.get()
    }
    let server = HTTPServer(group, bound, limits, ConnectionLimits(limits, tell: limitReached), policy)
    do {
      for listener in listeners { try await server.listen(on: listener) }
    } catch {
      await server.drain(withinSeconds: 0)
      throw error
    }
    return server
  }

  private init(
    _ group: MultiThreadedEventLoopGroup, _ loops: [ObjectIdentifier: NIOLoopBound<ServingLoop>], _ limits: ServerLimits,
    _ connectionLimits: ConnectionLimits, _ policy: @escaping PeerPolicy
  ) {
    self.group = group
    self.loops = loops
    self.limits = limits
    self.policy = policy
    self.connectionLimits = connectionLimits
  }

  private func listen(on listener: Listener) async throws {
    let channel = try await ServerBootstrap(group: group)
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      // A small first buffer is what an idle connection holds; it grows with what a client sends at once.
      .childChannelOption(.recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 512, maximum: 64 << 10))
      .childChannelInitializer { [self] channel in accept(channel, listener.kind) }
      .withBoundSocket(listener.descriptor).get()
    listener.raiseBacklog()
    listening.withLock { $0.append((listener, channel)) }
  }

  private func accept(_ channel: any Channel, _ kind: SocketKind) -> EventLoopFuture<Void> {
    guard let loop = loops[ObjectIdentifier(channel.eventLoop)]?.value else {
      return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }
    let pipeline = channel.pipeline.syncOperations
    let found = try? pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { PeerCredentials.read(from: $0) }
    let credentials = found ?? nil
    loop.counters.accepted[kind, default: 0] += 1
    var (role, usesReadyAnswers, refusal): (any Sendable, Bool, Problem?) = ((), false, nil)
    if credentials == nil, kind != .metrics {
      refusal = Problem(.notPermitted, "The kernel does not say who you are.")
    } else {
      switch policy(kind, credentials) {
      case .role(let given, let usesReady): (role, usesReadyAnswers) = (given, usesReady && kind != .metrics)
      case .refused(let problem): refusal = problem
      }
    }
    switch connectionLimits.enter(kind, user: credentials?.uid, refusal: refusal) {
    case .admitted: break
    case .refused(let problem): refusal = problem
    case .shut:
      loop.counters.refused[kind, default: 0] += 1
      return channel.eventLoop.makeFailedFuture(ChannelError.alreadyClosed)
    }
    let isRefused = refusal != nil
    if isRefused { loop.counters.refused[kind, default: 0] += 1 } else { loop.counters.open[kind, default: 0] += 1 }
    let connection = Connection(
      loop, peer: Peer(socket: kind, credentials: credentials, role: role), refusal: refusal, usesReadyAnswers: usesReadyAnswers
    ) { [connectionLimits] in
      if !isRefused { loop.counters.open[kind, default: 0] -= 1 }
      connectionLimits.leave(user: credentials?.uid, wasRefused: isRefused)
    }
    return channel.eventLoop.makeCompletedFuture { try pipeline.addHandler(connection) }
  }

  /// The sockets served, by kind and name.
  public var sockets: [(kind: SocketKind, name: String)] { listening.withLock { $0.map { ($0.listener.kind, $0.listener.name) } } }

  /// Hands a state to every event loop; returns when all have taken it. States are to be published one after another.
  public func publish(_ state: LoopState) async {
    await onEveryLoop { $0.state = state }
  }

  /// For each event loop, what runs a closure on it soon: how a watchdog sees that it turns.
  public var turns: [@Sendable (_ work: @escaping @Sendable () -> Void) -> Void] {
    loops.values.map { bound in
      let loop = bound.eventLoop
      return { loop.execute($0) }
    }
  }

  /// The counts of all event loops added up. It passes through every loop, so it also shows that each of them still turns.
  public func counters() async -> ServerCounters {
    var sum: ServerCounters?
    for bound in loops.values {
      guard let each = try? await bound.eventLoop.submit({ bound.value.counters }).get() else { continue }
      sum = sum.map { $0 + each } ?? each
    }
    return sum ?? ServerCounters(endpoints: [])
  }

  private func onEveryLoop(_ work: @escaping @Sendable (ServingLoop) -> Void) async {
    let all = loops.values.map { bound in bound.eventLoop.submit { work(bound.value) } }
    for each in all { try? await each.get() }
  }

  /// Stops accepting, lets answers in flight go out with `Connection: close`, and returns when every connection is closed or the time is over.
  ///
  /// The event loops themselves end with the process: what still wants to publish or to answer finds them alive.
  ///
  /// Sockets bound by ``Listener/bind(_:mode:as:)`` are removed; adopted ones stay open at systemd, which keeps the queue for the next daemon.
  public func drain(withinSeconds seconds: Int) async {
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
