// An answer body that is sent while it is produced, such as server-sent events or a backup.

package import NIOCore

/// An HTTP answer whose body is sent while it is produced, such as server-sent events or a backup.
package struct StreamedAnswer: Sendable {
  /// The status and header fields of the answer. The body of this value is ignored.
  package var head: Answer
  /// The body's length in bytes; nil if unknown. A body of unknown length is sent in chunks. To an HTTP/1.0 client it is sent without
  /// framing, and the end of the connection ends it.
  package var contentLength: Int?
  let begin: @Sendable (OutgoingStream) -> Void

  /// Creates an answer that is written on the event loop, such as events for many clients. `begin` runs on that loop and must store the
  /// stream that it gets.
  package init(_ head: Answer, contentLength: Int? = nil, begin: @escaping @Sendable (OutgoingStream) -> Void) {
    self.head = head
    self.contentLength = contentLength
    self.begin = begin
  }

  /// Creates an endless answer that a task writes. The task is suspended while the client does not read, and cancelled when the client
  /// disconnects. If the server drains, the answer ends between two writes.
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

  /// Creates an answer that a task writes. The task is suspended while the client does not read. If the task throws, the connection closes
  /// early, so that the client notices the incomplete body.
  package init(_ head: Answer, contentLength: Int? = nil, produce: @escaping @Sendable (StreamWriter) async throws -> Void) {
    self.init(head, contentLength: contentLength) { stream in
      let writer = StreamWriter(stream)
      // A drain of the server must not end this body early, because half a backup must not look complete. The drain's deadline closes
      // the connection.
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

/// The body of a streamed answer while it is sent. It must be used only on the event loop of its connection.
package final class OutgoingStream {
  enum Framing: Equatable { case chunked, length(Int), untilClose }
  enum Ending { case whole, broken }

  /// Called when the client has read enough, so that more bytes can be written.
  package var onWritable: (() -> Void)?
  /// Called once when the body has ended, because it is complete or because the connection has closed.
  package var onClosed: (() -> Void)?
  /// Called when the server begins to drain. If nil, a drain finishes a body that is sent in chunks.
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

  /// True until the body is complete or the connection has closed.
  package var isOpen: Bool { ended != nil }

  /// The number of bytes that are queued for the client in this process; 0 after the end of the body.
  package var bytesQueued: Int { isOpen ? outlet.bytesQueued : 0 }

  /// True if the client reads as fast as the body is written. Otherwise a producer waits, and a sender to many clients may send this client
  /// nothing until it has read.
  package var isWritable: Bool { isOpen && (outlet.isDrained || outlet.channel.isWritable) }

  /// Sends bytes of the body. Returns false if the body has ended, or if the bytes exceed the announced length.
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

  /// Sends two byte arrays as one piece of the body. Returns false if the body has ended, or if the bytes exceed the announced length.
  @discardableResult
  package func write(_ head: [UInt8], _ rest: [UInt8]) -> Bool {
    if isChunked { return write(framed: OutgoingStream.framed(head, rest)) }
    var bytes = ByteBufferAllocator().buffer(capacity: head.count + rest.count)
    bytes.writeBytes(head)
    bytes.writeBytes(rest)
    return write(bytes)
  }

  /// Returns two byte arrays as one HTTP chunk with its framing, which can be sent to many clients without encoding it again.
  package static func framed(_ head: [UInt8], _ rest: [UInt8]) -> ByteBuffer {
    var framed = ByteBufferAllocator().buffer(capacity: head.count + rest.count + 20)
    framed.writeString(String(head.count + rest.count, radix: 16))
    framed.writeStaticString("\r\n")
    framed.writeBytes(head)
    framed.writeBytes(rest)
    framed.writeStaticString("\r\n")
    return framed
  }

  /// Returns bytes as one HTTP chunk with its framing, which can be sent to many clients without encoding it again.
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

  /// Sends an HTTP chunk that ``framed(_:)`` has made. Returns false if the body has ended or is not sent in chunks.
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

  /// Ends the body. The connection then continues with the next request, or closes if the body is shorter than the announced length.
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
  /// The error of a write after the client has disconnected, or of bytes that exceed the announced length.
  package struct StreamClosed: Error, Sendable {}

  private let stream: NIOLoopBound<OutgoingStream>
  private let eventLoop: any EventLoop

  init(_ stream: OutgoingStream) {
    eventLoop = stream.eventLoop
    self.stream = NIOLoopBound(stream, eventLoop: stream.eventLoop)
  }

  /// Sends bytes of the body, then waits until the client has read enough for more.
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
        // The write has found that the socket is closed, so `onWritable` would never be called.
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
