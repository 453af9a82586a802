// The server on real Unix sockets.

import GameConfCore
import Glibc
import Testing

@testable import GameConfServer

@Suite("Server on real sockets")
struct ServerTests {
  @Test("a GET over a Unix socket is answered by a routed handler and from precomputed answers")
  func get() async throws {
    try await RunningServer.run(ready: Fixture.ready(["ada"])) { running in
      let client = try running.client()
      let ready = try await client.ask("GET", "/v1/hello/ada")
      let routed = try await client.ask("GET", "/v1/hello/bob")
      #expect(ready.status == 200 && ready.text == #"{"hello":"ada"}"#)
      #expect(routed.status == 200 && routed.text == #"{"hello":"bob"}"#)
      #expect(Set(ready.fields.keys) == Set(routed.fields.keys))
      #expect(ready.fields["date"]?.count == 29)
      let counters = await running.server.counters()
      #expect(counters.readyAnswers == 1)
      #expect(counters.requests(to: "hello", status: 200) == 2)
      #expect(counters.latencies.reduce(0, +) == 2)
      #expect(counters.open[.games] == 1 && counters.accepted[.games] == 1)
    }
  }

  @Test("answers and refusals of tasks arrive in the order of the requests")
  func tasks() async throws {
    try await RunningServer.run { running in
      let client = try running.client()
      let targets = ["/v1/task/1", "/v1/hello/a", "/v1/task/bad", "/v1/task/2"]
      try await client.send(targets.map { ConnectionTests.get($0) }.joined())
      var answers: [RawAnswer] = []
      for _ in targets { answers.append(try await client.answer()) }
      #expect(answers.map(\.status) == [200, 200, 422, 200])
      #expect(answers[0].text == #"{"n":"1"}"# && answers[3].text == #"{"n":"2"}"#)
      #expect(answers[2].fields["retry-after"] == "3")
    }
  }

  @Test("every read after publish returns sees the published state, on every event loop")
  func publish() async throws {
    try await RunningServer.run(loops: 3, ready: Fixture.ready(["ada"])) { running in
      let clients = try (0..<9).map { _ in try running.client() }
      for client in clients { #expect(try await client.ask("GET", "/v1/snapshot").text == #"{"snapshot":"first"}"#) }
      for number in 1...20 {
        await running.server.publish(LoopState(ready: Fixture.ready(["ada"], revision: UInt64(number)), snapshot: "n\(number)"))
        for client in clients {
          #expect(try await client.ask("GET", "/v1/snapshot").text == #"{"snapshot":"n\#(number)"}"#)
          #expect(try await client.ask("GET", "/v1/hello/ada").fields["gameconf-revision"] == "\(number)")
        }
      }
    }
  }

  @Test("the server has the client's credentials from the kernel")
  func credentials() async throws {
    try await RunningServer.run(policy: { _, peer in
      guard let peer, peer.groups.sorted() == PeerCredentialsTests.ownGroups() else {
        return .refused(Problem(status: 403, code: "NOT_PERMITTED", detail: "Other groups."))
      }
      return .role(())
    }) { running in
      let client = try running.client()
      #expect(try await client.ask("GET", "/v1/whoami").text == #"{"uid":\#(getuid()),"pid":\#(getpid())}"#)
    }
  }

  @Test("a client without a role on a socket gets 403 and is disconnected")
  func policy() async throws {
    try await RunningServer.run(
      ready: Fixture.ready(["ada"]),
      policy: { socket, _ in
        socket == .admin ? .refused(Problem(status: 403, code: "NOT_PERMITTED", detail: "You have no role.")) : .role(())
      }
    ) { running in
      let admin = try RawClient(running.admin)
      let refused = try await admin.ask("GET", "/v1/hello/ada")
      #expect(refused.status == 403 && refused.text.contains("You have no role.") && refused.fields["connection"] == "close")
      #expect(try await admin.isAtEnd())
      #expect(try await running.client().ask("GET", "/v1/hello/ada").status == 200)
      let counters = await running.server.counters()
      #expect(counters.refused[.admin] == 1 && counters.open[.admin, default: 0] == 0)
    }
  }

  @Test("a client that may not read every game never gets precomputed answers")
  func narrowed() async throws {
    try await RunningServer.run(ready: Fixture.ready(["ada"]), policy: { _, _ in .role((), usesReadyAnswers: false) }) { running in
      let client = try running.client()
      #expect(try await client.ask("GET", "/v1/hello/ada").status == 200)
      #expect(await running.server.counters().readyAnswers == 0)
    }
  }

  @Test("a call of the admin socket is refused on the games socket and answered on the admin socket")
  func adminOnly() async throws {
    try await RunningServer.run { running in
      let refused = try await running.client().ask("PUT", "/v1/hello/a", body: "1")
      #expect(refused.status == 403 && refused.text.contains("NOT_PERMITTED"))
      let created = try await RawClient(running.admin).ask("PUT", "/v1/hello/a%0D%0AX:%20y", body: "1")
      #expect(created.status == 201 && created.fields["location"] == "/v1/hello/a??X: y" && created.fields["x"] == nil)
    }
  }

  @Test("a refused client that is still sending its request receives the refusal")
  func lingering() async throws {
    var limits = ServerLimits()
    // Sending everything may take long on a busy machine.
    (limits.lingerMilliseconds, limits.lingerSecondsMax) = (600_000, 600)
    try await RunningServer.run(limits: limits) { running in
      let client = try running.client()
      try await client.send("POST /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n")
      for _ in 0..<60 { try await client.send([UInt8](repeating: 32, count: 50_000)) }
      #expect(try await client.answer().status == 413)
      #expect(try await client.isAtEnd())
      let noise = try running.client()
      try await noise.send([0x16, 3, 1, 2, 0] + [UInt8](repeating: 200, count: 500_000))
      #expect(try await noise.answer().status == 400)
    }
  }

  @Test("the server reads from a refused client until the client stops sending, and the client receives the refusal")
  func longLingering() async throws {
    var limits = ServerLimits()
    (limits.lingerMilliseconds, limits.lingerSecondsMax, limits.lingerBytesMax) = (5_000, 600, .max)
    try await RunningServer.run(limits: limits) { running in
      var client = try running.client()
      for _ in 0..<20 {
        let began = ContinuousClock.now
        try await client.send("POST /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n")
        guard let silence = try await client.send([UInt8](repeating: 32, count: 1 << 20), for: .seconds(6), since: began) else { break }
        // The busy machine kept the client from sending for so long that the server rightly closed. Tries again with another client.
        guard silence >= .seconds(4) else {
          Issue.record("closed while it was sending, the longest silence being \(silence)")
          return
        }
        client = try running.client()
      }
      #expect(try await client.answer().status == 413)
      #expect(try await client.isAtEnd())
    }
  }

  @Test("a client that sends more or longer than a closing connection accepts is disconnected", arguments: [true, false])
  func lingerBounds(bytes: Bool) async throws {
    var limits = ServerLimits()
    if bytes { limits.lingerBytesMax = 100_000 } else { limits.lingerSecondsMax = 1 }
    try await RunningServer.run(limits: limits) { running in
      let (client, other) = (try running.client(), try running.client())
      try await client.send("BAD\r\n\r\n")
      let piece = [UInt8](repeating: 32, count: 1_000)
      while try await client.send(piece) == piece.count { _ = try await other.ask("GET", "/v1/hello/a") }
      #expect(try await client.isHungUp())
    }
  }

  @Test("a client that does not close is disconnected when the linger time is over")
  func lingerEnds() async throws {
    var limits = ServerLimits()
    limits.lingerMilliseconds = 20
    try await RunningServer.run(limits: limits) { running in
      let client = try running.client()
      try await client.send("BAD\r\n\r\n")
      #expect(try await client.answer().status == 400)
      #expect(try await client.isAtEnd())
      #expect(try await client.isHungUp())
    }
  }

  @Test("a client that closes its sending half over a real socket gets its answer and then the end")
  func halfClosed() async throws {
    try await RunningServer.run { running in
      let client = try running.client()
      try await client.send(ConnectionTests.get("/v1/task/1") + ConnectionTests.get("/v1/hello/a"))
      client.closeOutput()
      let bytes = try await client.receiveToEnd()
      #expect(try RawAnswer.all(bytes).map(\.status) == [200, 200])
    }
  }

  @Test("a client that closes its sending half during the last answer receives all of it", arguments: ["Connection: close\r\n", ""])
  func halfClosedLate(field: String) async throws {
    try await RunningServer.run { running in
      let (client, other) = (try running.client(), try running.client())
      try await client.send(ConnectionTests.get("/v1/big/3000000", field))
      try await running.settled { $0.requests(to: "big", status: 200) == 1 }
      // The answer is made, and most of it is still in the server.
      client.closeOutput()
      // Input from before the other client's request is processed before the second answer to that.
      for _ in 0..<4 { #expect(try await other.ask("GET", "/v1/hello/a").status == 200) }
      let answers = try RawAnswer.all(try await client.receiveToEnd())
      #expect(answers.map(\.body.count) == [3_000_000])
    }
  }

  @Test("a slow client receives a large answer and those pipelined behind it")
  func large() async throws {
    try await RunningServer.run(ready: Fixture.ready(["ada"])) { running in
      let client = try running.client()
      try await client.send(ConnectionTests.get("/v1/big/3000000") + String(repeating: ConnectionTests.get("/v1/hello/ada"), count: 5_000))
      #expect(try await client.answer().body.count == 3_000_000)
      for _ in 0..<5_000 { #expect(try await client.answer().status == 200) }
    }
  }

  // MARK: Limits

  @Test("a user's connection beyond the limit gets 429, until another one closes")
  func perUser() async throws {
    var limits = ServerLimits()
    limits.connectionsPerUserMax = 3
    try await RunningServer.run(limits: limits) { running in
      var clients = try (0..<3).map { _ in try running.client() }
      for client in clients { #expect(try await client.ask("GET", "/v1/hello/a").status == 200) }
      let over = try running.client()
      let answer = try await over.ask("GET", "/v1/hello/a")
      #expect(answer.status == 429 && answer.fields["retry-after"] == "1" && answer.text.contains("TOO_MANY_CONNECTIONS"))
      #expect(try await over.isAtEnd())
      clients.removeLast()
      try await running.settled { $0.open[.games] == 2 }
      #expect(try await running.client().ask("GET", "/v1/hello/a").status == 200)
    }
  }

  @Test("a connection beyond the server's limit gets 503, while an admin can still connect")
  func total() async throws {
    var limits = ServerLimits()
    limits.connectionsMax = 2
    limits.connectionsReserved = 1
    try await RunningServer.run(limits: limits) { running in
      let clients = try (0..<2).map { _ in try running.client() }
      for client in clients { #expect(try await client.ask("GET", "/v1/hello/a").status == 200) }
      #expect(try await running.client().ask("GET", "/v1/hello/a").status == 503)
      let admin = try RawClient(running.admin)
      #expect(try await admin.ask("GET", "/v1/hello/a").status == 200)
      #expect(try await RawClient(running.admin).ask("GET", "/v1/hello/a").status == 503)
    }
  }

  @Test("a connection beyond the limit of pending refusals is closed without an answer")
  func shut() async throws {
    var limits = ServerLimits()
    limits.connectionsMax = 0
    limits.refusalsMax = 1
    limits.refusalTimeoutSeconds = 60
    try await RunningServer.run(limits: limits) { running in
      let waiting = try running.client()
      try await running.settled { $0.refused[.games] == 1 }
      let shut = try running.client()
      #expect(try await shut.isAtEnd())
      #expect(try await waiting.ask("GET", "/v1/hello/a").status == 503)
    }
  }

  // MARK: Streams

  @Test("a stream to a slow reader arrives complete in chunks, and the connection continues")
  func stream() async throws {
    try await RunningServer.run { running in
      let client = try running.client()
      try await client.send(ConnectionTests.get("/v1/stream/100") + ConnectionTests.get("/v1/hello/a"))
      let answer = try await client.answer()
      #expect(answer.fields["transfer-encoding"] == "chunked" && answer.body.count == (0..<100).reduce(0) { $0 + 10_007 + "\($1)".count })
      #expect(try await client.answer().text == #"{"hello":"a"}"#)
      #expect(await running.server.counters().streams == 0)
    }
  }

  @Test("a stream to HTTP/1.0 ends with the connection, and HEAD gets only its headers")
  func streamForms() async throws {
    try await RunningServer.run { running in
      let old = try running.client()
      try await old.send("GET /v1/stream/2 HTTP/1.0\r\n\r\n")
      let text = String(decoding: try await old.receiveToEnd(), as: UTF8.self)
      #expect(text.contains("\r\n\r\npiece 0;") && text.contains("piece 1;") && !text.lowercased().contains("chunked"))
      let client = try running.client()
      let head = try await client.ask("HEAD", "/v1/stream/2")
      #expect(head.fields["transfer-encoding"] == "chunked")
      #expect(try await client.ask("GET", "/v1/hello/a").status == 200)
    }
  }

  @Test("a stream that fails closes the connection early, so that it does not look complete")
  func brokenStream() async throws {
    try await RunningServer.run { running in
      let client = try running.client()
      try await client.send(ConnectionTests.get("/v1/broken"))
      let text = String(decoding: (try? await client.receiveToEnd()) ?? [], as: UTF8.self)
      #expect(text.isEmpty || text.hasSuffix("half") || text.hasSuffix("\r\n\r\n"))
      #expect(try await running.client().ask("GET", "/v1/hello/a").status == 200)
    }
  }

  @Test("a stream's task ends when its client disconnects")
  func clientGone() async throws {
    try await RunningServer.run { running in
      do {
        let client = try running.client()
        try await client.send(ConnectionTests.get("/v1/stream/100000"))
        _ = try await client.receive()
      }
      try await running.settled { $0.streams == 0 && $0.open[.games] == 0 }
    }
  }

  @Test("a streamed request body is accepted up to the route's own limit", arguments: [(4 << 20, 200), ((4 << 20) + 1, 413)])
  func incoming(bytes: Int, status: Int) async throws {
    try await RunningServer.run { running in
      let client = try running.client()
      try await client.send("POST /v1/restore HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-db\r\nContent-Length: \(bytes)\r\n\r\n")
      try await client.send([UInt8](repeating: 7, count: bytes))
      let answer = try await client.answer()
      #expect(answer.status == status)
      if status == 200 {
        #expect(answer.text == #"{"bytes":\#(bytes),"in_pieces":true}"#)
        #expect(try await client.ask("GET", "/v1/hello/a").status == 200)
      }
    }
  }

  @Test("a streamed request body may be chunked or empty, needs its media type, and may be refused before its end")
  func incomingForms() async throws {
    try await RunningServer.run { running in
      let client = try running.client()
      let head = "HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-db\r\n"
      try await client.send("POST /v1/restore \(head)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n")
      #expect(try await client.answer().text.contains(#""bytes":7"#))
      try await client.send("POST /v1/restore \(head)\r\n")
      #expect(try await client.answer().text.contains(#""bytes":0"#))
      try await client.send("POST /v1/restore/refused \(head)Content-Length: 2000000\r\n\r\n")
      try await client.send([UInt8](repeating: 1, count: 500_000))
      let refused = try await client.answer()
      #expect(refused.status == 422 && refused.fields["connection"] == "close")
      #expect(try await running.client().ask("POST", "/v1/restore", body: "{}").status == 415)
    }
  }

  // MARK: The end

  @Test("a drain ends a stream of events, and lets a task's stream finish")
  func drainStreams() async throws {
    try await RunningServer.run(limits: .longTimeouts) { running in
      let (events, produced) = (try running.client(), try running.client())
      try await events.send(ConnectionTests.get("/v1/events"))
      try await produced.send(ConnectionTests.get("/v1/stream/300"))
      try await running.settled { $0.streams == 2 }
      async let drained: Void = running.server.drain(withinSeconds: 600)
      #expect(try await events.answer().text == "first")
      #expect(try await events.isAtEnd())
      #expect(try await produced.answer().body.count > 3_000_000)
      await drained
    }
  }

  @Test("a drain completes pending answers, refuses new connections, and removes the sockets")
  func drain() async throws {
    try await RunningServer.run { running in
      let (waiting, idle) = (try running.client(), try running.client())
      #expect(try await idle.ask("GET", "/v1/hello/a").status == 200)
      try await waiting.send(ConnectionTests.get("/v1/later/1"))
      while !running.fixture.held.names.contains("1") { await Task.yield() }
      async let drained: Void = running.server.drain(withinSeconds: 20)
      #expect(try await idle.isAtEnd())
      #expect(throws: (any Error).self) { try running.client() }
      #expect(running.fixture.held.release("1"))
      let answer = try await waiting.answer()
      #expect(answer.status == 200 && answer.fields["connection"] == "close")
      #expect(try await waiting.isAtEnd())
      await drained
      #expect(access(running.games, F_OK) != 0 && access(running.admin, F_OK) != 0)
    }
  }

  @Test("a drain closes unfinished connections at its deadline")
  func drainDeadline() async throws {
    try await RunningServer.run { running in
      let waiting = try running.client()
      try await waiting.send(ConnectionTests.get("/v1/later/1"))
      while !running.fixture.held.names.contains("1") { await Task.yield() }
      await running.server.drain(withinSeconds: 0)
      #expect(try await waiting.isAtEnd())
      #expect(running.fixture.held.release("1"))
    }
  }
}

extension RunningServer {
  /// Waits until the server's counters satisfy the condition.
  func settled(_ condition: (ServerCounters) -> Bool) async throws {
    for _ in 0..<100_000 {
      if condition(await server.counters()) { return }
      await Task.yield()
    }
    Issue.record("the server did not settle: \(await server.counters().open)")
  }
}
