// One connection to a server, which carries at most one call at a time.

import Glibc
import Synchronization

/// A connection to a server. It reads from the socket only while a caller waits for data, so that a slow caller slows the server down
/// (back-pressure).
///
/// One thread at a time sends and reads. Any thread may close the connection.
final class ClientConnection: Sendable {
  private struct State {
    var parser = ResponseParser()
    /// True before the first call on the connection. The server may then have sent a refusal already, because it may refuse a peer on
    /// connecting.
    var isFresh = true
    var failure: TransportError?
  }

  private static let pieceBytes = 64 << 10

  /// The socket's descriptor, so that a caller can poll it together with other descriptors.
  let descriptor: Int32
  private let state = Mutex(State())

  /// Connects to the Unix socket at a path. While the server's backlog of connections is full, retries until the deadline.
  init(to path: String, until deadline: CallDeadline, isCancelled: () -> Bool) throws(TransportError) {
    descriptor = try BlockingSocket.connect(to: path, until: deadline, isCancelled: isCancelled)
  }

  deinit { Glibc.close(descriptor) }

  /// Shuts the socket down, which ends the wait of another thread with `connectionClosed`.
  func close() {
    state.withLock { if $0.failure == nil { $0.failure = .connectionClosed } }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Claims the connection for a call.
  /// - Returns: False if the server has closed the connection, or has sent bytes that belong to no call.
  func begin() -> Bool {
    state.withLock { state in
      defer { state.isFresh = false }
      if state.isFresh { return true }
      var byte: UInt8 = 0
      guard state.failure == nil, recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0, errno == EAGAIN else {
        return false
      }
      state.parser.begin()
      return true
    }
  }

  /// True if any byte of the present call's response has arrived.
  var hasBegun: Bool { state.withLock { $0.parser.hasBegun } }

  /// Sends all bytes to the server.
  /// - Returns: False if the server has closed the connection, or responds before it has read everything. Its response can still be read.
  func send(_ bytes: [UInt8], until deadline: CallDeadline) throws(TransportError) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      if count > 0 {
        sent += count
        continue
      }
      guard errno == EAGAIN || errno == EINTR else { return false }
      if try wait(for: POLLIN | POLLOUT, until: deadline) & Int16(POLLOUT) == 0 { return false }
    }
    return true
  }

  /// Waits for the next part of the response: its head, a piece of its body, or its end.
  /// - Parameter deadline: The end of the wait; nil to wait forever.
  func next(until deadline: CallDeadline?) throws(TransportError) -> ResponseParser.Event {
    while true {
      if let event = try ready() { return event }
      _ = try wait(for: POLLIN, until: deadline)
    }
  }

  /// Returns the next part of the response without waiting; nil if it has not arrived.
  func ready() throws(TransportError) -> ResponseParser.Event? {
    try keepingFailure { state throws(TransportError) in
      if let event = try Self.parsed(&state) { return event }
      let count = withUnsafeTemporaryAllocation(byteCount: Self.pieceBytes, alignment: 1) { buffer in
        let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        if count > 0 { state.parser.feed(UnsafeRawBufferPointer(buffer)[..<count]) }
        return count
      }
      if count < 0, errno == EAGAIN || errno == EINTR { return nil }
      if count > 0 { return try Self.parsed(&state) }
      guard count == 0, let end = state.parser.close() else { throw .connectionClosed }
      return end
    }
  }

  private static func parsed(_ state: inout State) throws(TransportError) -> ResponseParser.Event? {
    do throws(ResponseParser.Fault) { return try state.parser.next() } catch { throw .malformedAnswer(detail: error.detail) }
  }

  /// Waits until the socket is ready for one of these `poll()` events.
  /// - Returns: The events that occurred.
  private func wait(for events: Int32, until deadline: CallDeadline?) throws(TransportError) -> Int16 {
    while true {
      var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let count = poll(&polled, 1, deadline?.milliseconds ?? -1)
      if count > 0 { return polled.revents }
      if count < 0, errno == EINTR { continue }
      return try keepingFailure { _ throws(TransportError) in throw deadline.map { .timedOut(seconds: $0.seconds) } ?? .connectionClosed }
    }
  }

  /// Runs `body` on the connection's state. After a failure every later operation throws the same failure.
  private func keepingFailure<Outcome>(_ body: (inout State) throws(TransportError) -> Outcome) throws(TransportError) -> Outcome {
    try state.withLock { state throws(TransportError) in
      if let failure = state.failure { throw failure }
      do throws(TransportError) { return try body(&state) } catch {
        state.failure = error
        shutdown(descriptor, Int32(SHUT_RDWR))
        throw error
      }
    }
  }
}
