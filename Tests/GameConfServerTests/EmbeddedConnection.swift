// A connection on an event loop whose time is moved by hand.

import NIOCore
import NIOEmbedded

@testable import GameConfServer

/// One connection without a socket.
final class EmbeddedConnection {
  let eventLoop: EmbeddedEventLoop
  let channel: EmbeddedChannel
  let serving: AppLoop<Greeter>
  let fixture: Fixture
  let reads: ReadCount
  /// The order in which users were sent bytes, on all connections of the event loop.
  let order: WriteOrder
  private(set) var closings = 0

  convenience init(
    limits: ServerLimits = ServerLimits(), ready: [String] = [], refusal: Problem? = nil,
    socket: ServerSocket = .games, credentials: PeerCredentials? = PeerCredentials(uid: 1, gid: 1, pid: 1)
  ) throws {
    let eventLoop = EmbeddedEventLoop()
    let fixture = try Fixture()
    // Disables work on other threads, because an event loop moved by hand would not receive its result.
    var limits = limits
    limits.bodyBytesOnLoopMax = .max
    limits.handlerMicroseconds = 1_000_000_000
    let serving = AppLoop(
      on: eventLoop, router: fixture.router, limits: limits, state: LoopState(ready: Fixture.ready(ready), snapshot: "first"),
      wallClock: {
        let nanoseconds = Int(eventLoop.now.uptimeNanoseconds)
        return (784_111_777 + nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000)
      })
    try self.init(eventLoop, serving, fixture, WriteOrder(), refusal, socket, credentials)
  }

  /// Creates another connection on the same event loop.
  convenience init(
    beside other: EmbeddedConnection, socket: ServerSocket = .games, uid: UInt32 = 1
  ) throws {
    try self.init(
      other.eventLoop, other.serving, other.fixture, other.order, nil, socket, PeerCredentials(uid: uid, gid: uid, pid: 1))
  }

  private init(
    _ eventLoop: EmbeddedEventLoop, _ serving: AppLoop<Greeter>, _ fixture: Fixture, _ order: WriteOrder, _ refusal: Problem?,
    _ socket: ServerSocket, _ credentials: PeerCredentials?
  ) throws {
    (self.eventLoop, self.serving, self.fixture, self.order) = (eventLoop, serving, fixture, order)
    reads = ReadCount(credentials?.uid ?? 0, order)
    channel = EmbeddedChannel(loop: eventLoop)
    let session =
      refusal.map { AppSession(serving, refusing: $0, on: socket, credentials) }
      ?? AppSession(serving, Peer(socket: socket, credentials: credentials, role: ()))
    let connection = Connection(serving, session, usesReadyAnswers: refusal == nil) { [weak self] in self?.closings += 1 }
    try channel.pipeline.syncOperations.addHandler(reads)
    try channel.pipeline.syncOperations.addHandler(connection)
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "x")).wait()
  }

  deinit { _ = try? channel.finish(acceptAlreadyClosed: true) }

  func send(_ bytes: [UInt8]) throws {
    try receive(bytes)
    runSlices()
  }

  /// Delivers bytes to the connection without running a slice of requests.
  func receive(_ bytes: [UInt8]) throws {
    if channel.isActive { try channel.writeInbound(ByteBuffer(bytes: bytes)) }
  }

  /// Runs the event loop until no connection waits for its user's slice of time.
  func runSlices() {
    eventLoop.run()
    while serving.hasWaitingSlices { eventLoop.advanceTime(by: .microseconds(20)) }
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Returns the bytes that were sent since the last call, after running the event loop.
  func output() throws -> [UInt8] {
    runSlices()
    return try written()
  }

  /// Returns the bytes that were sent since the last call, without running the event loop.
  func written() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
    return bytes
  }

  func answers() throws -> [RawAnswer] { try RawAnswer.all(try output()) }

  func setWritable(_ isWritable: Bool) {
    channel.isWritable = isWritable
    channel.pipeline.syncOperations.fireChannelWritabilityChanged()
    runSlices()
  }

  func closeInput() { channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }

  func pass(_ time: TimeAmount) { eventLoop.advanceTime(by: time) }

  /// The users who were sent bytes, in order.
  final class WriteOrder { var uids: [UInt32] = [] }

  /// Counts the connection's read requests, and records the bytes that it sends.
  final class ReadCount: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    private(set) var count = 0
    private let uid: UInt32
    private let order: WriteOrder

    init(_ uid: UInt32, _ order: WriteOrder) { (self.uid, self.order) = (uid, order) }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      order.uids.append(uid)
      context.write(data, promise: promise)
    }

    func read(context: ChannelHandlerContext) {
      count += 1
      context.read()
    }
  }
}

/// A channel for one handler, whose reads are counted.
final class EmbeddedEventLoopHolder {
  let eventLoop = EmbeddedEventLoop()
  let reads = EmbeddedConnection.ReadCount(0, EmbeddedConnection.WriteOrder())
  private var channel: EmbeddedChannel?

  func channel(with handler: any ChannelHandler) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel(loop: eventLoop)
    self.channel = channel
    try channel.pipeline.syncOperations.addHandler(reads)
    try channel.pipeline.syncOperations.addHandler(handler)
    return channel
  }

  func pass(_ time: TimeAmount) { eventLoop.advanceTime(by: time) }

  func close() { _ = try? channel?.finish(acceptAlreadyClosed: true) }
}
