// Bytes to one connection's socket: straight where nothing waits before them, else through its channel.

internal import Glibc
internal import NIOCore

/// The way of a connection's bytes. What nothing waits before is handed to the socket itself: the way through the channel takes as long as
/// reading the request and finding its answer. What the socket does not take goes through the channel, and so does what is wrong with it.
///
/// It lives on the channel's event loop.
final class SocketOutlet {
  let channel: any Channel
  /// The socket beneath the channel; -1 when it is none.
  private let descriptor: Int32
  /// True if the socket has taken everything that was sent, so that nothing waits in the channel.
  private(set) var isDrained: Bool

  init(_ channel: any Channel, descriptor: Int32) {
    self.channel = channel
    self.descriptor = descriptor
    isDrained = descriptor >= 0
  }

  /// Bytes that wait in the channel.
  var bytesQueued: Int {
    guard let options = channel.syncOptions, let bytes = try? options.getOption(.bufferedWritableBytes) else { return 0 }
    return bytes
  }

  /// Sends bytes.
  /// - Returns: how many of them wait in the channel, which then holds the buffer's memory.
  func send(_ bytes: ByteBuffer) -> Int {
    let taken = isFree ? bytes.withUnsafeReadableBytes { offer($0) } : 0
    if taken == bytes.readableBytes { return 0 }
    var rest = bytes
    rest.moveReaderIndex(forwardBy: taken)
    return wait(rest)
  }

  /// Sends bytes that are copied only if the socket does not take them.
  /// - Returns: how many of them wait in the channel, in memory of their own.
  func send(_ bytes: [UInt8]) -> Int {
    let taken = isFree ? bytes.withUnsafeBytes { offer($0) } : 0
    return taken == bytes.count ? 0 : wait(ByteBuffer(bytes: bytes[taken...]))
  }

  private func wait(_ bytes: ByteBuffer) -> Int {
    isDrained = false
    channel.writeAndFlush(bytes, promise: nil)
    return bytes.readableBytes
  }

  /// True if the socket is open, and everything sent before is in it. A channel that is closed has given its descriptor back.
  private var isFree: Bool {
    guard descriptor >= 0, channel.isActive else { return false }
    if !isDrained { isDrained = bytesQueued == 0 }
    return isDrained
  }

  private func offer(_ bytes: UnsafeRawBufferPointer) -> Int {
    max(0, Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)))
  }
}
