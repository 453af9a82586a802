// A connection on an event loop whose time is moved by hand.

import NIOCore
import NIOEmbedded

@testable import GameConfServer

/// One connection without a socket.
final class EmbeddedConnection {
  let eventLoop = EmbeddedEventLoop()
  let channel: EmbeddedChannel
  let serving: AppLoop<Greeter>
  let fixture: Fixture
  let reads = ReadCount()
  private(set) var closings = 0

  init(
    limits: ServerLimits = ServerLimits(), ready: [String] = [], refusal: Problem? = nil,
    socket: ServerSocket = .games, credentials: PeerCredentials? = PeerCredentials(uid: 1, gid: 1, pid: 1)
  ) throws {
    fixture = try Fixture()
    serving = AppLoop(
      on: eventLoop, router: fixture.router, limits: limits, state: LoopState(ready: Fixture.ready(ready), snapshot: "first"),
      wallClock: { [eventLoop] in
        let nanoseconds = Int(eventLoop.now.uptimeNanoseconds)
        return (784_111_777 + nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000)
      })
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
    if channel.isActive { try channel.writeInbound(ByteBuffer(bytes: bytes)) }
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// All bytes sent since the last time this was asked.
  func output() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
    return bytes
  }

  func answers() throws -> [RawAnswer] { try RawAnswer.all(try output()) }

  func setWritable(_ isWritable: Bool) {
    channel.isWritable = isWritable
    channel.pipeline.syncOperations.fireChannelWritabilityChanged()
  }

  func closeInput() { channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }

  func pass(_ time: TimeAmount) { eventLoop.advanceTime(by: time) }

  /// Counts how often the connection asked for more bytes.
  final class ReadCount: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    private(set) var count = 0
    func read(context: ChannelHandlerContext) {
      count += 1
      context.read()
    }
  }
}
