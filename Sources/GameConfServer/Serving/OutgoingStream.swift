// An answer body that is sent while it is produced, such as server-sent events or a backup.

package import NIOCore

/// An answer whose body is sent while it is produced.
package struct StreamedAnswer: Sendable {
  /// The status and fields. Its body is ignored.
  package var head: Answer
  /// The body's length if it is known. Otherwise the body is sent in chunks; to HTTP/1.0, until the connection closes.
  package var contentLength: Int?
  let begin: @Sendable (OutgoingStream) -> Void

  /// Creates a stream that is written on the event loop, such as broadcast events. `begin` runs there and must store the stream.
  package init(_ head: Answer, contentLength: Int? = nil, begin: @escaping @Sendable (OutgoingStream) -> Void) {
    self.head = head
    self.contentLength = contentLength
    self.begin = begin
  }

  /// Creates an endless stream that a task writes. The task is suspended while the client does not read, and cancelled when the client disconnects.
  /// A drain of the server ends the stream between two writes.
  package init(endless head: Answer, produce: @escaping @Sendable (StreamWriter) async throws -> Void) {
    self.init(head) { stream in
      let writer = StreamWriter(stream)
      let task = Task {
        do {
          try await produce(writer)
          await writer.finish()
        } catch {
          await writer.abort()
        }
      }
      stream.onClosed = { task.cancel() }
    }
  }

  /// Creates a stream that a task writes. The task is suspended while the client does not read. If it throws, the connection closes early, so that
  /// the client notices the incomplete body.
  package init(_ head: Answer, contentLength: Int? = nil, produce: @escaping @Sendable (StreamWriter) async throws -> Void) {
    self.init(head, contentLength: contentLength) { stream in
      let writer = StreamWriter(stream)
      // A drain does not end this stream early, because half a backup must not look complete. The drain's deadline closes the connection.
      stream.onDrain = {}
      Task {
        do {
          try await produce(writer)
          await writer.finish()
        } catch {
          await writer.abort()
        }
      }
    }
  }
}

/// The body of a streamed answer. It must be used on its event loop only.
package final class OutgoingStream {
  enum Framing: Equatable { case chunked, length(Int), untilClose }
  enum Ending { case whole, broken }

  /// Called when the client has read enough for more to be written.
  package var onWritable: (() -> Void)?
  /// Called once when the stream has ended, by either side.
  package var onClosed: (() -> Void)?
  /// Called when the server begins to drain. If nil, a drain finishes the stream.
  package var onDrain: (() -> Void)?
  package var eventLoop: any EventLoop { outlet.channel.eventLoop }

  private let outlet: SocketOutlet
  private var framing: Framing
  private let wrote: (Int) -> Void
  private var ended: ((Ending) -> Void)?

  init(
    _ framing: Framing, _ outlet: SocketOutlet, wrote: @escaping (Int) -> Void = { _ in }, ended: @escaping (Ending) -> Void
  ) {
    self.framing = framing
    self.outlet = outlet
    self.wrote = wrote
    self.ended = ended
  }

  /// True until the stream has ended.
  package var isOpen: Bool { ended != nil }

  /// The number of bytes queued for the client in this process.
  package var bytesQueued: Int { isOpen ? outlet.bytesQueued : 0 }

  /// True if the client keeps up. While it is false, a producer waits, and a broadcast may drop the client.
  package var isWritable: Bool { isOpen && (outlet.isDrained || outlet.channel.isWritable) }

  /// Sends bytes; false if the stream has ended or the bytes exceed the announced length.
  @discardableResult
  package func write(_ bytes: ByteBuffer) -> Bool {
    guard isOpen else { return false }
    if bytes.readableBytes == 0 { return true }
    switch framing {
    case .chunked: return write(framed: OutgoingStream.framed(bytes))
    case .untilClose: break
    case .length(let left):
      if bytes.readableBytes > left { return false }
      framing = .length(left - bytes.readableBytes)
    }
    send(bytes)
    return true
  }

  /// Sends two byte arrays with one copy; false as for ``write(_:)``.
  @discardableResult
  package func write(_ head: [UInt8], _ rest: [UInt8]) -> Bool {
    if isChunked { return write(framed: OutgoingStream.framed(head, rest)) }
    var bytes = ByteBufferAllocator().buffer(capacity: head.count + rest.count)
    bytes.writeBytes(head)
    bytes.writeBytes(rest)
    return write(bytes)
  }

  /// Returns two byte arrays as one chunk with its framing, to be sent to many clients.
  package static func framed(_ head: [UInt8], _ rest: [UInt8]) -> ByteBuffer {
    var framed = ByteBufferAllocator().buffer(capacity: head.count + rest.count + 20)
    framed.writeString(String(head.count + rest.count, radix: 16))
    framed.writeStaticString("\r\n")
    framed.writeBytes(head)
    framed.writeBytes(rest)
    framed.writeStaticString("\r\n")
    return framed
  }

  /// Returns bytes as one chunk with its framing, to be sent to many clients.
  package static func framed(_ bytes: ByteBuffer) -> ByteBuffer {
    var framed = ByteBufferAllocator().buffer(capacity: bytes.readableBytes + 12)
    framed.writeString(String(bytes.readableBytes, radix: 16))
    framed.writeStaticString("\r\n")
    framed.writeImmutableBuffer(bytes)
    framed.writeStaticString("\r\n")
    return framed
  }

  /// True if the body is sent in chunks, as ``write(framed:)`` requires.
  package var isChunked: Bool { framing == .chunked }

  /// Sends a chunk of ``framed(_:)``; false if the stream has ended or is not sent in chunks.
  @discardableResult
  package func write(framed bytes: ByteBuffer) -> Bool {
    guard isOpen, isChunked else { return false }
    send(bytes)
    return true
  }

  private func send(_ bytes: ByteBuffer) {
    _ = outlet.send(bytes)
    wrote(bytes.readableBytes)
  }

  /// Ends the body. The connection continues with the next request, or closes if the body is shorter than announced.
  package func finish() {
    guard let ended else { return }
    self.ended = nil
    switch framing {
    case .chunked: _ = outlet.send(ByteBuffer(staticString: "0\r\n\r\n"))
    case .untilClose: break
    case .length(let left):
      if left > 0 { return end(ended, .broken) }
    }
    end(ended, .whole)
  }

  /// Closes the connection early, so that the client notices the incomplete body.
  package func abort() {
    guard let ended else { return }
    self.ended = nil
    end(ended, .broken)
  }

  func becameWritable() { onWritable?() }

  func drain() { if let onDrain { onDrain() } else if framing == .chunked { finish() } }

  func closed() {
    guard let ended else { return }
    self.ended = nil
    end(ended, .broken)
  }

  private func end(_ ended: (Ending) -> Void, _ ending: Ending) {
    ended(ending)
    onClosed?()
    onWritable?()
    (onClosed, onWritable, onDrain) = (nil, nil, nil)
  }
}

/// Writes a streamed answer from a task.
package struct StreamWriter: Sendable {
  /// The client disconnected, or the bytes exceed the announced length.
  package struct StreamClosed: Error, Sendable {}

  private let stream: NIOLoopBound<OutgoingStream>
  private let eventLoop: any EventLoop

  init(_ stream: OutgoingStream) {
    eventLoop = stream.eventLoop
    self.stream = NIOLoopBound(stream, eventLoop: stream.eventLoop)
  }

  /// Sends bytes, then waits until the client can take more.
  package func write(_ bytes: [UInt8]) async throws {
    let stream = stream
    let eventLoop = eventLoop
    try await eventLoop.flatSubmit {
      let writable = eventLoop.makePromise(of: Void.self)
      let each = stream.value
      if !each.write(ByteBuffer(bytes: bytes)) {
        writable.fail(StreamClosed())
      } else if each.isWritable {
        writable.succeed(())
      } else if !each.isOpen {
        // The write found the socket closed, so `onWritable` would never be called.
        writable.fail(StreamClosed())
      } else {
        each.onWritable = {
          each.onWritable = nil
          if each.isOpen { writable.succeed(()) } else { writable.fail(StreamClosed()) }
        }
      }
      return writable.futureResult
    }.get()
  }

  func finish() async {
    let stream = stream
    _ = try? await eventLoop.submit { stream.value.finish() }.get()
  }

  func abort() async {
    let stream = stream
    _ = try? await eventLoop.submit { stream.value.abort() }.get()
  }
}
