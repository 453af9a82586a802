// The client that sends requests to the daemon over its Unix socket.

import Synchronization

/// An HTTP/1.1 client on a Unix socket.
///
/// Connections are pooled and reused; any number of tasks may share one client. Each call waits on a separate thread.
///
///     let client = UnixHTTPClient(socketPath: "/run/gameconfd/games.sock")
///     let response = try await client.send(OutgoingRequest(.get, "/v1/games"))
public final class UnixHTTPClient: Sendable {
  /// The maximum number of idle connections in the pool; others are closed after their call.
  public static let idleConnectionsMax = 8
  /// The maximum size in bytes of a response's body that ``send(_:)`` accepts.
  public static let bodyBytesMax = 64 << 20

  /// The path of the Unix socket, at most 107 bytes.
  public let socketPath: String
  /// The name in the header `Gameconf-Program`, by which the daemon distinguishes requests of its own programs from those of games; nil in
  /// a game.
  public let program: String?
  private let idle = Mutex<[ClientConnection]>([])

  /// Creates a client without a connection; the first call opens one.
  public init(socketPath: String, program: String? = nil) { (self.socketPath, self.program) = (socketPath, program) }

  deinit { closeIdle() }

  /// Makes a call and waits for the whole response.
  public func send(_ request: OutgoingRequest) async throws(TransportError) -> Response {
    let cancellation = CallCancellation()
    return try await cancellation.run { () throws(TransportError) in try self.send(request, cancellation) }
  }

  /// Makes a call and waits for the response's head; the body is then read piece by piece.
  public func open(_ request: OutgoingRequest) async throws(TransportError) -> StreamedResponse {
    let cancellation = CallCancellation()
    return try await cancellation.run { () throws(TransportError) in
      try self.open(request, until: CallDeadline(seconds: request.timeoutSeconds), cancellation)
    }
  }

  /// Makes a call and blocks the thread until the whole response has arrived.
  package func sendWaiting(_ request: OutgoingRequest) throws(TransportError) -> Response { try send(request, CallCancellation()) }

  /// Makes a call and blocks the thread until the response's head has arrived.
  package func openWaiting(_ request: OutgoingRequest) throws(TransportError) -> StreamedResponse {
    try open(request, until: CallDeadline(seconds: request.timeoutSeconds), CallCancellation())
  }

  private func send(_ request: OutgoingRequest, _ cancellation: CallCancellation) throws(TransportError) -> Response {
    var deadline = CallDeadline(seconds: request.timeoutSeconds)
    let streamed = try open(request, until: deadline, cancellation)
    // An upload may have taken longer than the timeout, so the response has a new deadline.
    if case .pieces = request.body { deadline = CallDeadline(seconds: request.timeoutSeconds) }
    var body: [UInt8] = []
    while let piece = try streamed.body.next(until: deadline) {
      guard body.count + piece.count <= Self.bodyBytesMax else { throw .answerTooLarge(bytesMax: Self.bodyBytesMax) }
      body += piece
    }
    return Response(head: streamed.head, body: body)
  }

  /// Adds the header `Gameconf-Program` with this program's name, unless the request has that header.
  private func named(_ request: OutgoingRequest) -> OutgoingRequest {
    guard let program, !request.headers.contains(where: { $0.name == "Gameconf-Program" }) else { return request }
    var request = request
    request.headers.append((name: "Gameconf-Program", value: program))
    return request
  }

  private func open(
    _ request: OutgoingRequest, until deadline: CallDeadline, _ cancellation: CallCancellation
  ) throws(TransportError) -> StreamedResponse {
    let head = try named(request).head()
    while let connection = idle.withLock({ $0.popLast() }) {
      guard connection.begin() else { continue }
      do throws(TransportError) {
        return try exchange(request, head, on: connection, until: deadline, cancellation)
      } catch {
        // The daemon may close an idle connection just as the client sends the request. A request that changes nothing is repeated if no
        // byte of its response has arrived.
        guard error == .connectionClosed, request.method == .get, !connection.hasBegun, !cancellation.isCancelled else { throw error }
      }
    }
    let connection = try ClientConnection(to: socketPath, until: deadline) { cancellation.isCancelled }
    guard connection.begin() else { throw .connectionClosed }
    return try exchange(request, head, on: connection, until: deadline, cancellation)
  }

  /// Closes the pool's idle connections.
  public func closeIdle() {
    for connection in idle.withLock({ connections in
      defer { connections = [] }
      return connections
    }) {
      connection.close()
    }
  }

  private func exchange(
    _ request: OutgoingRequest, _ head: [UInt8], on connection: ClientConnection, until deadline: CallDeadline,
    _ cancellation: CallCancellation
  ) throws(TransportError) -> StreamedResponse {
    do throws(TransportError) {
      try cancellation.use(connection)
      let deadline = try write(request, head, on: connection, until: deadline)
      guard case .head(let head) = try connection.next(until: deadline) else { throw .connectionClosed }
      return StreamedResponse(
        head: head,
        body: ResponseBody(connection) { [weak self] connection in self?.keep(connection) ?? connection.close() })
    } catch {
      connection.close()
      throw error
    }
  }

  /// Sends a request with its body.
  /// - Returns: The deadline of the response. Each piece of a streamed body has the whole timeout.
  private func write(
    _ request: OutgoingRequest, _ head: [UInt8], on connection: ClientConnection, until deadline: CallDeadline
  ) throws(TransportError) -> CallDeadline {
    switch request.body {
    case .none: _ = try connection.send(head, until: deadline)
    case .bytes(let bytes, _): _ = try connection.send(head + bytes, until: deadline)
    case .pieces(_, let length, let next):
      var deadline = deadline
      // The daemon may refuse the request before it has received the whole body. The rest of the body is then not sent, and the daemon's
      // response is read.
      var isTaken = try connection.send(head, until: deadline)
      while isTaken, let piece = try take(next) {
        deadline = CallDeadline(seconds: request.timeoutSeconds)
        if !piece.isEmpty { isTaken = try connection.send(length == nil ? Self.chunk(piece) : piece, until: deadline) }
      }
      if isTaken, length == nil { _ = try connection.send(Array("0\r\n\r\n".utf8), until: deadline) }
      return deadline
    }
    return deadline
  }

  private func take(_ next: @Sendable () throws -> [UInt8]?) throws(TransportError) -> [UInt8]? {
    do {
      return try next()
    } catch {
      throw .malformedRequest(detail: "the body cannot be read: \(error)")
    }
  }

  private static func chunk(_ piece: [UInt8]) -> [UInt8] {
    Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
  }

  private func keep(_ connection: ClientConnection) {
    let isPooled = idle.withLock { connections in
      guard connections.count < Self.idleConnectionsMax else { return false }
      connections.append(connection)
      return true
    }
    if !isPooled { connection.close() }
  }
}
