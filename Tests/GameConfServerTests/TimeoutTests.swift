// All timeouts of a connection, on a clock moved by hand.

import Testing

@testable import GameConfServer

@Suite("Timeouts")
struct TimeoutTests {
  let limits = ServerLimits()

  @Test("an idle connection is closed without an answer exactly when its time is over")
  func idle() throws {
    let connection = try EmbeddedConnection()
    connection.pass(.milliseconds(Int64(limits.idleTimeoutSeconds) * 1_000 - 1))
    #expect(connection.channel.isActive)
    connection.pass(.milliseconds(1))
    #expect(!connection.channel.isActive)
    #expect(try connection.output().isEmpty)
    #expect(connection.serving.counters.timeouts == 1)
  }

  @Test("each request restarts the idle time of its connection")
  func active() throws {
    let connection = try EmbeddedConnection(ready: ["ada"])
    for _ in 0..<5 {
      connection.pass(.seconds(Int64(limits.idleTimeoutSeconds) - 1))
      try connection.send(ConnectionTests.get("/v1/hello/ada"))
    }
    #expect(try connection.answers().count == 5)
    connection.pass(.seconds(Int64(limits.idleTimeoutSeconds) - 1))
    #expect(connection.channel.isActive)
    connection.pass(.seconds(1))
    #expect(!connection.channel.isActive)
  }

  @Test("the timeout of a head that arrives byte by byte runs from its first byte")
  func slowHead() throws {
    let connection = try EmbeddedConnection()
    connection.pass(.seconds(60))
    for _ in 0..<limits.headerTimeoutSeconds {
      try connection.send("G")
      #expect(try connection.output().isEmpty)
      connection.pass(.seconds(1))
    }
    #expect(try connection.answers().map(\.status) == [408])
    #expect(!connection.channel.isActive)
  }

  @Test("a request whose head is complete in time is answered")
  func headInTime() throws {
    let connection = try EmbeddedConnection()
    try connection.send(Array(ConnectionTests.get("/v1/hello/ada").utf8.dropLast()))
    connection.pass(.milliseconds(Int64(limits.headerTimeoutSeconds) * 1_000 - 1))
    try connection.send("\n")
    #expect(try connection.answers().map(\.status) == [200])
    connection.pass(.seconds(Int64(limits.headerTimeoutSeconds)))
    #expect(connection.channel.isActive)
  }

  @Test("a late pipelined head gets 408 after the previous request was answered")
  func secondHead() throws {
    let connection = try EmbeddedConnection(ready: ["ada"])
    try connection.send(ConnectionTests.get("/v1/hello/ada") + "GET /")
    #expect(try connection.answers().map(\.status) == [200])
    connection.pass(.seconds(Int64(limits.headerTimeoutSeconds)))
    #expect(try connection.answers().map(\.status) == [408])
  }

  @Test("a request body of one byte per second gets 408")
  func slowBody() throws {
    let connection = try EmbeddedConnection()
    try connection.send("POST /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
    for _ in 0..<limits.bodyTimeoutSeconds {
      #expect(try connection.output().isEmpty)
      try connection.send(" ")
      connection.pass(.seconds(1))
    }
    #expect(try connection.answers().map(\.status) == [408])
    #expect(!connection.channel.isActive)
  }

  @Test("a client that does not read its answers is disconnected after the write timeout")
  func slowReader() throws {
    let connection = try EmbeddedConnection()
    connection.setWritable(false)
    try connection.send(ConnectionTests.get("/v1/hello/ada"))
    connection.pass(.milliseconds(Int64(limits.writeTimeoutSeconds) * 1_000 - 1))
    #expect(connection.channel.isActive)
    connection.pass(.milliseconds(1))
    #expect(!connection.channel.isActive)
  }

  @Test("a stream has no timeout while its client reads; a client that does not read is disconnected")
  func slowStream() throws {
    let connection = try EmbeddedConnection()
    try connection.send(ConnectionTests.get("/v1/events"))
    connection.pass(.hours(1))
    #expect(connection.channel.isActive && connection.serving.counters.streams == 1)
    let almost = Int64(limits.writeTimeoutSeconds) * 1_000 - 1
    for _ in 0..<3 {
      connection.setWritable(false)
      connection.pass(.milliseconds(almost))
      #expect(connection.channel.isActive)
      connection.setWritable(true)
    }
    connection.setWritable(false)
    connection.pass(.milliseconds(almost))
    #expect(connection.channel.isActive)
    connection.pass(.milliseconds(1))
    #expect(!connection.channel.isActive && connection.serving.counters.streams == 0)
  }

  @Test("a connection has no timeout while an answer is pending")
  func pending() throws {
    let connection = try EmbeddedConnection()
    try connection.send(ConnectionTests.get("/v1/later/1"))
    connection.pass(.hours(1))
    #expect(connection.fixture.held.release("1"))
    #expect(try connection.answers().map(\.status) == [200])
    connection.pass(.seconds(Int64(limits.idleTimeoutSeconds)))
    #expect(!connection.channel.isActive)
  }

  @Test("a refused client gets the refusal after its first request, or after a time without one")
  func refused() throws {
    let refusal = Problem(status: 403, code: "NOT_PERMITTED", detail: "Not you.")
    let active = try EmbeddedConnection(ready: ["ada"], refusal: refusal)
    try active.send(ConnectionTests.get("/v1/hello/ada") + ConnectionTests.get("/v1/hello/ada"))
    #expect(try active.answers().map(\.status) == [403])
    #expect(!active.channel.isActive)
    let silent = try EmbeddedConnection(refusal: refusal)
    silent.pass(.seconds(Int64(limits.refusalTimeoutSeconds)))
    #expect(try silent.answers().map(\.status) == [403])
    #expect(!silent.channel.isActive)
    let slow = try EmbeddedConnection(refusal: refusal)
    try slow.send("GET /")
    slow.pass(.seconds(Int64(limits.refusalTimeoutSeconds)))
    #expect(try slow.answers().map(\.status) == [403])
  }

  @Test("during a drain an idle connection may send one request in the grace period, answered with Connection: close")
  func drainIdle() throws {
    let (idle, active) = (try EmbeddedConnection(), try EmbeddedConnection(ready: ["ada"]))
    for connection in [idle, active] {
      connection.serving.isDraining = true
      for each in connection.serving.connections.values { each.drain() }
    }
    try active.send(ConnectionTests.get("/v1/hello/ada") + ConnectionTests.get("/v1/hello/ada"))
    let answers = try active.answers()
    #expect(answers.count == 1 && answers[0].fields["connection"] == "close")
    #expect(!active.channel.isActive)
    idle.pass(.milliseconds(Int64(limits.drainGraceMilliseconds) - 1))
    #expect(idle.channel.isActive)
    idle.pass(.milliseconds(1))
    #expect(!idle.channel.isActive)
    #expect(try idle.output().isEmpty)
  }

  @Test("during a drain a pending answer is completed and its connection closed")
  func drainPending() throws {
    let connection = try EmbeddedConnection()
    try connection.send(ConnectionTests.get("/v1/later/1") + ConnectionTests.get("/v1/hello/ada"))
    connection.serving.isDraining = true
    for each in connection.serving.connections.values { each.drain() }
    connection.pass(.seconds(5))
    #expect(connection.channel.isActive)
    #expect(connection.fixture.held.release("1"))
    let answers = try connection.answers()
    #expect(answers.count == 1 && answers[0].fields["connection"] == "close")
    #expect(!connection.channel.isActive)
  }

  @Test("the Date header is renewed when its second is over")
  func date() throws {
    let connection = try EmbeddedConnection(ready: ["ada"])
    connection.pass(.milliseconds(999))
    try connection.send(ConnectionTests.get("/v1/hello/ada"))
    connection.pass(.milliseconds(1))
    try connection.send(ConnectionTests.get("/v1/hello/ada") + ConnectionTests.get("/v1/hello/bob"))
    let dates = try connection.answers().compactMap { $0.fields["date"] }
    #expect(dates == ["Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:38 GMT", "Sun, 06 Nov 1994 08:49:38 GMT"])
  }
}
