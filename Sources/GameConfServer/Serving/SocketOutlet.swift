// Writes bytes to one connection's socket. They go directly to the socket if its channel has queued no bytes, otherwise through the
// channel.

internal import Glibc
internal import NIOCore

/// Writes the bytes of one connection. If its channel has queued no bytes, they go directly to the socket, because the way through NIO's
/// channel takes as long as parsing the request and finding its answer. Bytes that the socket does not take, and errors, go through the
/// channel.
///
/// The object must be used on the channel's event loop.
final class SocketOutlet {
  let channel: any Channel
  /// The descriptor of the channel's socket; -1 if the channel has no socket.
  private let descriptor: Int32
  /// True if the socket has taken all earlier bytes, so that the channel's queue is empty.
  private(set) var isDrained: Bool

  init(_ channel: any Channel, descriptor: Int32) {
    self.channel = channel
    self.descriptor = descriptor
    isDrained = descriptor >= 0
  }

  /// The number of bytes in the channel's queue.
  var bytesQueued: Int {
    guard let options = channel.syncOptions, let bytes = try? options.getOption(.bufferedWritableBytes) else { return 0 }
    return bytes
  }

  /// Sends bytes. Those that the socket does not take go into the channel's queue.
  /// - Returns: The number of bytes that went into the queue, which then holds the buffer's memory.
  func send(_ bytes: ByteBuffer) -> Int {
    let taken = isFree ? bytes.withUnsafeReadableBytes { offer($0) } : 0
    if taken == bytes.readableBytes { return 0 }
    var rest = bytes
    rest.moveReaderIndex(forwardBy: taken)
    return wait(rest)
  }

  /// Sends bytes. Only those that the socket does not take are copied into the channel's queue.
  /// - Returns: The number of bytes that were copied into the queue.
  func send(_ bytes: [UInt8]) -> Int {
    let taken = isFree ? bytes.withUnsafeBytes { offer($0) } : 0
    return taken == bytes.count ? 0 : wait(ByteBuffer(bytes: bytes[taken...]))
  }

  private func wait(_ bytes: ByteBuffer) -> Int {
    isDrained = false
    channel.writeAndFlush(bytes, promise: nil)
    return bytes.readableBytes
  }

  /// True if the socket is open and has taken all earlier bytes. A closed channel no longer owns its descriptor.
  private var isFree: Bool {
    guard descriptor >= 0, channel.isActive else { return false }
    if !isDrained { isDrained = bytesQueued == 0 }
    return isDrained
  }

  private func offer(_ bytes: UnsafeRawBufferPointer) -> Int {
    max(0, Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)))
  }
}
