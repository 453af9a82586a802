// Asks the daemon over its Unix socket.

import Synchronization

/// An HTTP/1.1 client on a Unix socket.
///
/// Connections are kept and used again; any number of tasks may share one client.
///
///     let client = UnixHTTPClient(socketPath: "/run/gameconfd/games.sock")
///     let response = try await client.send(OutgoingRequest(.get, "/v1/games"))
public final class UnixHTTPClient: Sendable {
  /// The most idle connections that are kept.
  public static let idleConnectionsMax = 8
  /// The longest body ``send(_:)`` takes, in bytes.
  public static let bodyBytesMax = 64 << 20

  /// The socket.
  public let socketPath: String
  /// The name by which the daemon distinguishes this program's requests from a game's; nil for a game.
  public let program: String?
  private let idle = Mutex<[ClientConnection]>([])

  /// A client; nothing is opened before the first call.
  public init(socketPath: String, program: String? = nil) { (self.socketPath, self.program) = (socketPath, program) }

  deinit { closeIdle() }

  /// Makes a call and waits for the whole answer.
  public func send(_ request: OutgoingRequest) async throws(TransportError) -> Response {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(request.timeoutSeconds)
    let streamed = try await open(request)
    var body: [UInt8] = []
    func next() async throws(TransportError) -> [UInt8]? {
      do throws(TransportError) {
        return try await streamed.body.next(timeoutSeconds: max(0, (deadline - clock.now) / .seconds(1)))
      } catch .timedOut {
        // The whole call's time, not what was left of it.
        throw .timedOut(seconds: request.timeoutSeconds)
      } catch { throw error }
    }
    while let piece = try await next() {
      guard body.count + piece.count <= Self.bodyBytesMax else {
        streamed.body.cancel()
        throw .answerTooLarge(bytesMax: Self.bodyBytesMax)
      }
      body += piece
    }
    return Response(head: streamed.head, body: body)
  }

  /// A request with this program's name, unless it has one.
  private func named(_ request: OutgoingRequest) -> OutgoingRequest {
    guard let program, !request.headers.contains(where: { $0.name == "Gameconf-Program" }) else { return request }
    var request = request
    request.headers.append((name: "Gameconf-Program", value: program))
    return request
  }

  /// Makes a call and waits for the answer's head; the body is then taken piece by piece.
  public func open(_ request: OutgoingRequest) async throws(TransportError) -> StreamedResponse {
    let head = try named(request).head()
    while let connection = idle.withLock({ $0.popLast() }) {
      guard await connection.begin() else { continue }
      do throws(TransportError) {
        return try await exchange(request, head, on: connection)
      } catch {
        // The daemon may hang up on an idle connection just as the call goes out. What it never began to answer and what changes
        // nothing can be asked again.
        guard error == .connectionClosed, request.method == .get else { throw error }
        if await connection.hasBegun() { throw error }
      }
    }
    let connection = try await ClientConnection.open(socketPath, timeoutSeconds: request.timeoutSeconds)
    guard await connection.begin() else { throw .connectionClosed }
    return try await exchange(request, head, on: connection)
  }

  /// Closes the connections that nobody uses.
  public func closeIdle() {
    for connection in idle.withLock({ connections in
      defer { connections = [] }
      return connections
    }) {
      connection.close()
    }
  }

  private func exchange(_ request: OutgoingRequest, _ head: [UInt8], on connection: ClientConnection) async throws(TransportError)
    -> StreamedResponse
  {
    do throws(TransportError) {
      try await write(request, head, on: connection)
      guard case .head(let head) = try await connection.next(within: request.timeoutSeconds) else { throw .connectionClosed }
      return StreamedResponse(
        head: head,
        body: ResponseBody(connection) { [weak self] connection in self?.keep(connection) ?? connection.close() })
    } catch {
      connection.close()
      throw error
    }
  }

  private func write(_ request: OutgoingRequest, _ head: [UInt8], on connection: ClientConnection) async throws(TransportError) {
    switch request.body {
    case .none: connection.write(head)
    case .bytes(let bytes, _): connection.write(head + bytes)
    case .pieces(_, let length, let next):
      connection.write(head)
      while let piece = try await take(next) {
        if piece.isEmpty { continue }
        let isSent = await connection.write(length == nil ? Self.chunk(piece) : piece, within: request.timeoutSeconds)
        // The daemon may have refused already; what it said is read all the same.
        if !isSent { return }
      }
      if length == nil { connection.write(Array("0\r\n\r\n".utf8)) }
    }
  }

  private func take(_ next: @Sendable () async throws -> [UInt8]?) async throws(TransportError) -> [UInt8]? {
    do {
      return try await next()
    } catch {
      throw .malformedRequest(detail: "the body cannot be read: \(error)")
    }
  }

  private static func chunk(_ piece: [UInt8]) -> [UInt8] {
    Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
  }

  private func keep(_ connection: ClientConnection) {
    let isKept = idle.withLock { connections in
      guard connections.count < Self.idleConnectionsMax else { return false }
      connections.append(connection)
      return true
    }
    if !isKept { connection.close() }
  }
}
