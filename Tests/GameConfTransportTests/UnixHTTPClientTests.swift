// The client against real sockets.

import GameConfAPI
import GameConfTransport
import Glibc
import Synchronization
import Testing

@Suite("The HTTP client on a Unix socket")
struct UnixHTTPClientTests {
  static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nGameconf-Revision: 7\r\n\r\n{}"

  @Test("consecutive calls use the same connection")
  func keepAlive() async throws {
    let server = try await ScriptedServer([.answer(Self.ok), .answer(Self.ok), .answer(Self.ok)])
    let client = UnixHTTPClient(socketPath: server.path)
    for _ in 0..<3 {
      let response = try await client.send(OutgoingRequest(.get, "/v1/games"))
      #expect(response.status == 200)
      #expect(response["gameconf-revision"] == "7")
      #expect(response.body == Array("{}".utf8))
    }
    #expect(server.connections.withLock { $0 } == 1)
    try await server.stop()
  }

  @Test("a request is sent with its headers and body in the form of HTTP/1.1")
  func request() async throws {
    let server = try await ScriptedServer([.answer(Self.ok)])
    _ = try await UnixHTTPClient(socketPath: server.path).send(
      OutgoingRequest(.put, "/v1/x?a=b", headers: [("If-Match", "\"7\"")], body: .bytes(Array("{}".utf8), mediaType: "application/json")))
    #expect(
      server.requests.withLock { $0 } == [
        "PUT /v1/x?a=b HTTP/1.1\r\nHost: localhost\r\nIf-Match: \"7\"\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
      ])
    try await server.stop()
  }

  @Test("after a response that ends with its connection, the next call opens another connection")
  func closing() async throws {
    let server = try await ScriptedServer([.answerAndClose("HTTP/1.1 200 OK\r\n\r\nuntil the end"), .answer(Self.ok)])
    let client = UnixHTTPClient(socketPath: server.path)
    #expect(try await client.send(OutgoingRequest(.get, "/")).body == Array("until the end".utf8))
    #expect(try await client.send(OutgoingRequest(.get, "/")).body == Array("{}".utf8))
    #expect(server.connections.withLock { $0 } == 2)
    try await server.stop()
  }

  @Test("a GET is sent again if the server closes the idle connection at that moment, and a change is not")
  func staleConnection() async throws {
    let server = try await ScriptedServer([.answer(Self.ok), .close, .answer(Self.ok), .close])
    let client = UnixHTTPClient(socketPath: server.path)
    _ = try await client.send(OutgoingRequest(.get, "/"))
    #expect(try await client.send(OutgoingRequest(.get, "/again")).status == 200)
    await #expect(throws: TransportError.connectionClosed) { try await client.send(OutgoingRequest(.post, "/change")) }
    #expect(server.requests.withLock { $0.count } == 4)
    try await server.stop()
  }

  @Test("a client that the server refuses on connecting reads the reason")
  func refusedAtOnce() async throws {
    let server = try await ScriptedServer([], greeting: "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
    let client = UnixHTTPClient(socketPath: server.path)
    for _ in 0..<20 { #expect(try await client.send(OutgoingRequest(.post, "/v1/reload")).status == 403) }
    try await server.stop()
  }

  @Test("a streamed body is read piece by piece")
  func stream() async throws {
    let server = try await ScriptedServer([.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n")])
    let answer = try await UnixHTTPClient(socketPath: server.path).open(OutgoingRequest(.get, "/"))
    var pieces: [UInt8] = []
    while let piece = try await answer.body.next(timeoutSeconds: 600) { pieces += piece }
    #expect(pieces == Array("abc".utf8))
    #expect(try await answer.body.next() == nil)
    try await server.stop()
  }

  @Test("a call without a response fails at its deadline, with its timeout in the error")
  func timeout() async throws {
    let server = try await ScriptedServer([.silence])
    let client = UnixHTTPClient(socketPath: server.path)
    await #expect(throws: TransportError.timedOut(seconds: 0.05)) {
      try await client.send(OutgoingRequest(.get, "/", timeoutSeconds: 0.05))
    }
    try await server.stop()
  }

  @Test("a call whose response stops within the body fails at its deadline, with the timeout of the whole call in the error")
  func timeoutWithinBody() async throws {
    let server = try await ScriptedServer([.answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab")])
    let client = UnixHTTPClient(socketPath: server.path)
    await #expect(throws: TransportError.timedOut(seconds: 0.2)) {
      try await client.send(OutgoingRequest(.get, "/", timeoutSeconds: 0.2))
    }
    try await server.stop()
  }

  @Test("a truncated response and a response that is not HTTP give different errors")
  func badAnswers() async throws {
    let server = try await ScriptedServer([.answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"), .answer("SSH-2.0\r\n\r\n")])
    let client = UnixHTTPClient(socketPath: server.path)
    await #expect(throws: TransportError.connectionClosed) { try await client.send(OutgoingRequest(.get, "/")) }
    await #expect(throws: TransportError.malformedAnswer(detail: "the first line is not an HTTP/1.1 status line")) {
      try await client.send(OutgoingRequest(.get, "/"))
    }
    try await server.stop()
  }

  @Test("a missing socket, a file, a folder and a path that is too long give different errors")
  func noDaemon() async throws {
    await #expect(throws: TransportError.noSocket(path: "/tmp/gameconf-none/s")) {
      try await UnixHTTPClient(socketPath: "/tmp/gameconf-none/s").send(OutgoingRequest(.get, "/"))
    }
    await #expect(throws: TransportError.refused(path: "/etc/hostname")) {
      try await UnixHTTPClient(socketPath: "/etc/hostname").send(OutgoingRequest(.get, "/"))
    }
    await #expect(throws: TransportError.refused(path: "/tmp")) {
      try await UnixHTTPClient(socketPath: "/tmp").send(OutgoingRequest(.get, "/"))
    }
    let long = "/tmp/" + String(repeating: "x", count: 200)
    await #expect(throws: TransportError.pathTooLong(path: long)) {
      try await UnixHTTPClient(socketPath: long).send(OutgoingRequest(.get, "/"))
    }
  }

  @Test(
    "a target or header that would form a second request is never sent",
    arguments: [
      OutgoingRequest(.get, "/a b"), OutgoingRequest(.get, "/a\r\nHost: b"), OutgoingRequest(.get, ""),
      OutgoingRequest(.get, "/", headers: [("A\r\nB", "x")]),
      OutgoingRequest(.get, "/", headers: [("A", "x\r\nB: y")]), OutgoingRequest(.get, "/", headers: [("", "x")]),
    ])
  func injection(request: OutgoingRequest) async throws {
    let error = await #expect(throws: TransportError.self) { try await UnixHTTPClient(socketPath: "/tmp/none").send(request) }
    guard case .malformedRequest = error else {
      Issue.record("expected malformedRequest, got \(String(describing: error))")
      return
    }
  }

  @Test("a call can be cancelled while it waits for its response and while it waits for a piece of the body")
  func cancelling() async throws {
    let server = try await ScriptedServer([.silence, .answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab")])
    let client = UnixHTTPClient(socketPath: server.path)
    let call = Task { () async throws(TransportError) in try await client.send(OutgoingRequest(.get, "/", timeoutSeconds: 600)) }
    while server.requests.withLock({ $0.isEmpty }) { await Task.yield() }
    call.cancel()
    await #expect(throws: TransportError.cancelled) { try await call.value }
    let answer = try await client.open(OutgoingRequest(.get, "/", timeoutSeconds: 600))
    #expect(try await answer.body.next() == Array("ab".utf8))
    let piece = Task { () async throws(TransportError) in try await answer.body.next() }
    piece.cancel()
    await #expect(throws: TransportError.cancelled) { try await piece.value }
    try await server.stop()
  }

  @Test("the client reads a refusal that the server sends before it has received the whole body")
  func refusedUpload() async throws {
    let refusal = "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
    let server = try await ScriptedServer([.answerAndClose(refusal)])
    let left = Mutex(1_000)
    let body = OutgoingRequest.Body.pieces(mediaType: "application/octet-stream", length: nil) {
      left.withLock { left in
        left -= 1
        return left < 0 ? nil : [UInt8](repeating: 1, count: 64 << 10)
      }
    }
    let answer = try await UnixHTTPClient(socketPath: server.path).send(OutgoingRequest(.post, "/", body: body))
    #expect(answer.status == 413 && answer.body == Array("{}".utf8))
    try await server.stop()
  }

  @Test("a change is never sent on an idle connection that the server has closed")
  func closedWhileIdle() async throws {
    let server = try await ScriptedServer([.answerAndClose(Self.ok), .answer(Self.ok)])
    let client = UnixHTTPClient(socketPath: server.path)
    _ = try await client.send(OutgoingRequest(.get, "/"))
    while server.closed.withLock({ $0 }) == 0 { await Task.yield() }
    #expect(try await client.send(OutgoingRequest(.post, "/change")).status == 200)
    try await server.stop()
  }

  @Test("a connect to a server with a full backlog is retried until the deadline")
  func fullBacklog() async throws {
    let server = try await ScriptedServer([])
    let listener = BlockingSocket.unix()
    defer { close(listener) }
    let isBound = BlockingSocket.withAddress(server.path + "2") { bind(listener, $0, $1) == 0 && listen(listener, 0) == 0 }
    try #require(isBound == true)
    let client = UnixHTTPClient(socketPath: server.path + "2")
    let first = try #require(BlockingSocket.connect(to: client.socketPath))
    defer { close(first) }
    await #expect(throws: TransportError.timedOut(seconds: 0.05)) {
      try await client.send(OutgoingRequest(.get, "/", timeoutSeconds: 0.05))
    }
    let call = Task { () async throws(TransportError) in try await client.send(OutgoingRequest(.get, "/", timeoutSeconds: 600)) }
    close(accept(listener, nil, nil))
    let second = accept(listener, nil, nil)
    defer { close(second) }
    BlockingSocket.send(Array(Self.ok.utf8), to: second)
    #expect(try await call.value.status == 200)
    try await server.stop()
  }

  @Test("many tasks use one client at the same time, and each gets a response")
  func manyTasks() async throws {
    let server = try await ScriptedServer(Array(repeating: .answer(Self.ok), count: 64))
    let client = UnixHTTPClient(socketPath: server.path)
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<64 { group.addTask { try await client.send(OutgoingRequest(.get, "/")).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 64))
    try await server.stop()
  }
}
