// A response whose body is read piece by piece.

import Synchronization

/// A response whose body has not arrived yet.
public struct StreamedResponse: Sendable {
  /// The status and the headers.
  public let head: ResponseHead
  /// The body, to be read before the connection can carry another call.
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

  /// Returns the next piece; nil after the last. Only one task at a time may call it.
  /// - Parameter timeoutSeconds: The timeout of the wait; nil to wait forever.
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

  /// Waits for the next piece on this thread; returns nil after the last.
  func next(until deadline: CallDeadline) throws(TransportError) -> [UInt8]? {
    hasEnded.withLock({ $0 }) ? nil : try piece(of: connection.next(until: deadline))
  }

  /// The socket, for polling it together with others.
  package var descriptor: Int32 { connection.descriptor }

  /// Returns the bytes that have arrived, which may be empty; nil after the last.
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

  /// Closes the connection, unless the body has ended.
  public func cancel() {
    let wasOpen = hasEnded.withLock { ended in
      defer { ended = true }
      return !ended
    }
    if wasOpen { connection.close() }
  }
}
