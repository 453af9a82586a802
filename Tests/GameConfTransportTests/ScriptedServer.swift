// A server on a real socket that sends the responses of a script.

import NIOCore
import NIOPosix
import Synchronization
import TestSupport

final class ScriptedServer: Sendable {
  /// The server's reaction to received bytes.
  enum Step: Sendable {
    case answer(String)
    case answerAndClose(String)
    case close
    case silence
  }

  /// The bytes that the server sends to a client that has connected, before it closes the connection; nil to wait for requests.
  let greeting: String?

  let path: String
  private let folder: TemporaryFolder
  let requests = Mutex<[String]>([])
  let connections = Mutex(0)
  let closed = Mutex(0)
  private let steps: Mutex<[Step]>
  private let channel: Mutex<(any Channel)?> = Mutex(nil)

  init(_ steps: [Step], greeting: String? = nil) async throws {
    self.greeting = greeting
    folder = try TemporaryFolder()
    path = folder.path + "/s"
    self.steps = Mutex(steps)
    let server = self
    let bound = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { channel in
        server.connections.withLock { $0 += 1 }
        return channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Answering(server)) }
      }
      .bind(unixDomainSocketPath: path).get()
    channel.withLock { $0 = bound }
  }

  func stop() async throws {
    try await channel.withLock { $0 }?.close().get()
  }

  private func step(for request: String) -> Step {
    requests.withLock { $0.append(request) }
    return steps.withLock { $0.isEmpty ? .close : $0.removeFirst() }
  }

  private final class Answering: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let server: ScriptedServer

    init(_ server: ScriptedServer) { self.server = server }

    func channelActive(context: ChannelHandlerContext) {
      guard let greeting = server.greeting else { return }
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: greeting)), promise: nil)
      // Like the daemon, the server closes only its output. It still reads the client's bytes, because a reset would discard the response.
      context.close(mode: .output, promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
      server.closed.withLock { $0 += 1 }
      context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let text = String(buffer: unwrapInboundIn(data))
      switch server.step(for: text) {
      case .answer(let answer): context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
      case .answerAndClose(let answer):
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        context.close(promise: nil)
      case .close: context.close(promise: nil)
      case .silence: break
      }
    }
  }
}
