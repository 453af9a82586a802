// An answer's body that is sent as it is made: server-sent events, backups.

package import NIOCore

/// An answer whose body follows piece by piece.
package struct StreamedAnswer: Sendable {
  /// Status and fields; its body is not used.
  package var head: Answer
  /// The body's length where it is known; else it is sent in chunks, and to HTTP/1.0 until the connection closes.
  package var contentLength: Int?
  let begin: @Sendable (OutgoingStream) -> Void

  /// A stream written on the event loop, such as events that are broadcast; `begin` is called there and keeps the stream.
  package init(_ head: Answer, contentLength: Int? = nil, begin: @escaping @Sendable (OutgoingStream) -> Void) {
    self.head = head
    self.contentLength = contentLength
    self.begin = begin
  }

  /// A stream without an end, written by a task, which is held while the client does not read and cancelled when the client goes away. The
  /// server's drain ends it between two writes.
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

  /// A stream written by a task, which is held while the client does not read; a thrown error breaks the connection off, so that the
  /// client sees that the body is not whole.
  package init(_ head: Answer, contentLength: Int? = nil, produce: @escaping @Sendable (StreamWriter) async throws -> Void) {
    self.init(head, contentLength: contentLength) { stream in
      let writer = StreamWriter(stream)
      // Cut off by the drain's deadline, but never ended early: half a backup must not look whole.
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

/// The body of a streamed answer, on its event loop; not to be touched from elsewhere.
package final class OutgoingStream {
  enum Framing: Equatable { case chunked, length(Int), untilClose }
  enum Ending { case whole, broken }

  /// Called when the client has taken enough for more to be written.
  package var onWritable: (() -> Void)?
  /// Called once, when the stream has ended, whoever ended it.
  package var onClosed: (() -> Void)?
  /// Called when the server begins to drain; without it the stream is finished then.
  package var onDrain: (() -> Void)?
  /// The event loop it lives on.
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

  /// True if it has not ended.
  package var isOpen: Bool { ended != nil }

  /// Bytes that wait for the client.
  package var bytesQueued: Int { isOpen ? outlet.bytesQueued : 0 }

  /// True if the client takes what it is sent; while this is false a producer waits, and a broadcast may drop the client.
  package var isWritable: Bool { isOpen && (outlet.isDrained || outlet.channel.isWritable) }

  /// Sends bytes; false when the stream has ended or the announced length would be passed.
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

  /// Sends two runs of bytes together, copied once; false as ``write(_:)`` says it.
  @discardableResult
  package func write(_ head: [UInt8], _ rest: [UInt8]) -> Bool {
    if isChunked { return write(framed: OutgoingStream.framed(head, rest)) }
    var bytes = ByteBufferAllocator().buffer(capacity: head.count + rest.count)
    bytes.writeBytes(head)
    bytes.writeBytes(rest)
    return write(bytes)
  }

  /// Two runs of bytes as one chunk, copied once, to be framed once and sent to many.
  package static func framed(_ head: [UInt8], _ rest: [UInt8]) -> ByteBuffer {
    var framed = ByteBufferAllocator().buffer(capacity: head.count + rest.count + 20)
    framed.writeString(String(head.count + rest.count, radix: 16))
    framed.writeStaticString("\r\n")
    framed.writeBytes(head)
    framed.writeBytes(rest)
    framed.writeStaticString("\r\n")
    return framed
  }

  /// Bytes as one chunk, to be framed once and sent to many.
  package static func framed(_ bytes: ByteBuffer) -> ByteBuffer {
    var framed = ByteBufferAllocator().buffer(capacity: bytes.readableBytes + 12)
    framed.writeString(String(bytes.readableBytes, radix: 16))
    framed.writeStaticString("\r\n")
    framed.writeImmutableBuffer(bytes)
    framed.writeStaticString("\r\n")
    return framed
  }

  /// True if ``write(framed:)`` may be used: the stream is sent in chunks.
  package var isChunked: Bool { framing == .chunked }

  /// Sends what ``framed(_:)`` made; false when the stream has ended or is not sent in chunks.
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

  /// Ends the body; the connection goes on with the next request. A body shorter than announced breaks the connection off.
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

  /// Breaks the connection off, so that the client sees that the body is not whole.
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
  /// The client went away, or more was written than announced.
  package struct StreamClosed: Error, Sendable {}

  private let stream: NIOLoopBound<OutgoingStream>
  private let eventLoop: any EventLoop

  init(_ stream: OutgoingStream) {
    eventLoop = stream.eventLoop
    self.stream = NIOLoopBound(stream, eventLoop: stream.eventLoop)
  }

  /// Sends bytes and waits until the client takes more.
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
        // The write met a closed socket: nobody will call again.
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
