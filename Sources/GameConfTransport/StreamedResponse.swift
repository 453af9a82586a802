// A response whose body is read piece by piece.

import Synchronization

/// A response whose head has arrived and whose body is still to be read.
public struct StreamedResponse: Sendable {
  /// The status and the headers, which have arrived before the body.
  public let head: ResponseHead
  /// The body. The connection carries no other call until the body has been read to its end.
  public let body: ResponseBody
}

/// A body that is read from the socket only as fast as the caller reads it.
public final class ResponseBody: Sendable {
  private let connection: ClientConnection
  private let whenReusable: @Sendable (ClientConnection) -> Void
  private let hasEnded = Mutex(false)

  init(_ connection: ClientConnection, whenReusable: @escaping @Sendable (ClientConnection) -> Void) {
    self.connection = connection
    self.whenReusable = whenReusable
  }

  deinit { cancel() }

  /// Waits for the next piece of the body; returns nil after the last one. Only one task at a time may call this.
  /// - Parameter timeoutSeconds: The timeout of the wait in seconds; nil to wait forever.
  public func next(timeoutSeconds: Double? = nil) async throws(TransportError) -> [UInt8]? {
    if hasEnded.withLock({ $0 }) { return nil }
    if Task.isCancelled { throw .cancelled }
    if let event = try connection.ready() { return try piece(of: event) }
    let connection = connection
    let deadline = timeoutSeconds.map { CallDeadline(seconds: $0) }
    let cancellation = CallCancellation()
    try cancellation.use(connection)
    return try piece(of: await cancellation.run { () throws(TransportError) in try connection.next(until: deadline) })
  }

  /// Blocks the thread until the next piece of the body has arrived; returns nil after the last one.
  func next(until deadline: CallDeadline) throws(TransportError) -> [UInt8]? {
    hasEnded.withLock({ $0 }) ? nil : try piece(of: connection.next(until: deadline))
  }

  /// The socket's descriptor, so that a caller can poll it together with other descriptors.
  package var descriptor: Int32 { connection.descriptor }

  /// Returns the bytes of the body that have arrived, which may be empty, without waiting; nil after the last.
  package func ready() throws(TransportError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while !hasEnded.withLock({ $0 }) {
      guard let event = try connection.ready() else { return bytes }
      bytes += try piece(of: event) ?? []
    }
    return bytes.isEmpty ? nil : bytes
  }

  private func piece(of event: ResponseParser.Event) throws(TransportError) -> [UInt8]? {
    switch event {
    case .body(let piece): return piece
    case .head: throw .malformedAnswer(detail: "a second head came")
    case .end(let isReusable):
      hasEnded.withLock { $0 = true }
      if isReusable { whenReusable(connection) } else { connection.close() }
      return nil
    }
  }

  /// Closes the connection if the body has not been read to its end.
  public func cancel() {
    let wasOpen = hasEnded.withLock { ended in
      defer { ended = true }
      return !ended
    }
    if wasOpen { connection.close() }
  }
}
