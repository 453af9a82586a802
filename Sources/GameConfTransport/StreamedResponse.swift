// An answer whose body is taken piece by piece.

import Synchronization

/// An answer whose body has not come yet.
public struct StreamedResponse: Sendable {
  /// Status and headers.
  public let head: ResponseHead
  /// The body.
  public let body: ResponseBody
}

/// A body that is read from the socket only as fast as it is taken.
public final class ResponseBody: Sendable {
  private let connection: ClientConnection
  private let whenReusable: @Sendable (ClientConnection) -> Void
  private let hasEnded = Mutex(false)

  init(_ connection: ClientConnection, whenReusable: @escaping @Sendable (ClientConnection) -> Void) {
    self.connection = connection
    self.whenReusable = whenReusable
  }

  deinit { cancel() }

  /// The next piece; nil after the last. Called by one task at a time.
  /// - Parameter timeoutSeconds: how long to wait for it; nil waits for ever.
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

  /// Waits for the next piece on this thread; nil after the last.
  func next(until deadline: CallDeadline) throws(TransportError) -> [UInt8]? {
    hasEnded.withLock({ $0 }) ? nil : try piece(of: connection.next(until: deadline))
  }

  /// The socket, to poll it beside others.
  package var descriptor: Int32 { connection.descriptor }

  /// The bytes that have come, none if no more have; nil after the last.
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

  /// Gives up: hangs up unless the body has ended.
  public func cancel() {
    let wasOpen = hasEnded.withLock { ended in
      defer { ended = true }
      return !ended
    }
    if wasOpen { connection.close() }
  }
}
