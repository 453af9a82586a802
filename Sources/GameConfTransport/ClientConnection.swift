// One connection to the daemon, with at most one call on it at a time.

import Glibc
import NIOCore
import NIOPosix

struct ClientConnection: Sendable {
  private let channel: any Channel
  private let handler: NIOLoopBound<ResponseHandler>

  static func open(_ path: String, timeoutSeconds: Double) async throws(TransportError) -> ClientConnection {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(timeoutSeconds)
    while true {
      do {
        return try await connect(path, timeoutSeconds: timeoutSeconds)
      } catch let error as IOError {
        switch error.errnoCode {
        case ENOENT, ENOTDIR: throw .noSocket(path: path)
        case ECONNREFUSED: throw .refused(path: path)
        case EACCES, EPERM: throw .permissionDenied(path: path)
        case EAGAIN where clock.now < deadline: await pause()
        case EAGAIN: throw .timedOut(seconds: timeoutSeconds)
        default: throw .system(path: path, detail: String(cString: strerror(error.errnoCode)))
        }
      } catch is ChannelError {
        throw .timedOut(seconds: timeoutSeconds)
      } catch is SocketAddressError {
        throw .pathTooLong(path: path)
      } catch is CancellationError {
        throw .cancelled
      } catch {
        throw .system(path: path, detail: String(describing: error))
      }
      if Task.isCancelled { throw .cancelled }
    }
  }

  /// A full backlog refuses at once on a Unix socket; a moment later there is room.
  private static func pause() async { try? await Task.sleep(for: .milliseconds(5)) }

  private static func connect(_ path: String, timeoutSeconds: Double) async throws -> ClientConnection {
    try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connectTimeout(.nanoseconds(Int64(min(max(timeoutSeconds, 0.001), 1e9) * 1e9)))
      .channelOption(.autoRead, value: false)
      .connect(unixDomainSocketPath: path) { channel in
        channel.eventLoop.makeCompletedFuture {
          let handler = ResponseHandler()
          try channel.pipeline.syncOperations.addHandler(handler)
          return ClientConnection(channel: channel, handler: NIOLoopBound(handler, eventLoop: channel.eventLoop))
        }
      }
  }

  /// Claims the connection for a call; false when it is no longer good for one.
  func begin() async -> Bool {
    let handler = handler
    let claimed = channel.eventLoop.submit {
      guard handler.value.canBegin else { return false }
      handler.value.begin()
      return true
    }
    return (try? await claimed.get()) ?? false
  }

  /// Sends bytes without waiting; what is broken shows when the answer is read.
  func write(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

  /// Sends bytes and waits until the socket has taken them; hangs up when it does not within that time.
  func write(_ bytes: [UInt8], within seconds: Double) async -> Bool {
    let channel = channel
    let timer = channel.eventLoop.scheduleTask(in: .nanoseconds(Int64(min(max(seconds, 0), 1e9) * 1e9))) { channel.close(promise: nil) }
    defer { timer.cancel() }
    do {
      try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
      return true
    } catch {
      return false
    }
  }

  func next(within seconds: Double?) async throws(TransportError) -> ResponseParser.Event {
    let handler = handler
    let loop = channel.eventLoop
    let channel = channel
    do {
      return try await withTaskCancellationHandler {
        try await loop.flatSubmit { handler.value.next(within: seconds, on: loop) }.get()
      } onCancel: {
        channel.close(promise: nil)
      }
    } catch let error as TransportError {
      throw Task.isCancelled ? .cancelled : error
    } catch {
      throw .connectionClosed
    }
  }

  /// True if any of the present answer has come.
  func hasBegun() async -> Bool {
    let handler = handler
    return (try? await channel.eventLoop.submit { handler.value.hasBegun }.get()) ?? false
  }

  func close() { channel.close(promise: nil) }
}
