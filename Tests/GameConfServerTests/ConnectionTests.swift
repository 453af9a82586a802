// One connection: its answers, their order, and when it reads.

import GameConfCore
import TestSupport
import Testing

@testable import GameConfServer

@Suite("Connection")
struct ConnectionTests {
  static func get(_ target: String, _ fields: String = "") -> String { "GET \(target) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n" }
  static func post(_ target: String, _ body: String, _ fields: String = "Content-Type: application/json\r\n") -> String {
    "POST \(target) HTTP/1.1\r\nHost: x\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  static let exchanges: [(String, [Int])] = [
    (get("/v1/hello/ada"), [200]), (get("/v1/hello/bob"), [200]), (get("/v1/hello/ada?loud=true"), [200]),
    (get("/v1/hello/ada") + get("/v1/hello/bob") + get("/v1/hello/ada"), [200, 200, 200]),
    (get("/v1/hello/ada", "Connection: close\r\n") + get("/v1/hello/bob"), [200]),
    (get("/v1/hello/bob", "Connection: close\r\n") + get("/v1/hello/bob"), [200]),
    ("GET /v1/hello/ada HTTP/1.0\r\n\r\n", [200]), ("GET /v1/hello/bob HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", [200]),
    (get("/v1/hello/ada", "If-None-Match: *\r\n"), [304]), (get("/v1/hello/bob", "If-None-Match: \"a\", *\r\n"), [304]),
    (get("/v1/hello/ada", "If-None-Match: \"a\"\r\n"), [200]),
    (post("/v1/echo", "{\"a\":1}") + get("/v1/hello/ada"), [200, 200]), (post("/v1/echo", "{\"a\":") + get("/v1/hello/ada"), [400, 200]),
    (
      "POST /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[1\r\n1\r\n]\r\n0\r\nT: x\r\n\r\n"
        + get("/v1/hello/ada"), [200, 200]
    ),
    (post("/v1/echo", "{}", ""), [415]), (post("/v1/echo", "{}", "Content-Type: text/json\r\n"), [415]),
    (post("/v1/echo", "{}", "Content-Type: application/json\r\nContent-Type: application/json\r\n"), [415]),
    (post("/v1/echo", "{}", "Content-Type: application/json; charset=latin1\r\n"), [415]),
    (post("/v1/echo", "{}", "Content-Type: Application/JSON ; charset=\"UTF-8\"\r\n"), [200]),
    (post("/v1/echo", ""), [400]), (post("/v1/echo", "NaN"), [400]), (post("/v1/echo", "[1e400]"), [400]),
    (post("/v1/echo", "[9223372036854775808]"), [400]), (post("/v1/echo", "[\"\u{1}\"]"), [400]),
    (get("/v1/hello/ada", "Content-Length: 2\r\n") + "{}", [400]),
    ("DELETE /v1/hello/x HTTP/1.1\r\nHost: x\r\n\r\n" + get("/v1/hello/ada"), [204, 200]),
    (get("/nowhere") + get("/v1/hello/ada"), [404, 200]), (get("/v1/hello/ada?x=1"), [400]), (get("/v1/hello/%ff"), [400]),
    ("PUT /v1/hello/a HTTP/1.1\r\nHost: x\r\n\r\n", [403]), ("PATCH /v1/hello/a HTTP/1.1\r\nHost: x\r\n\r\n", [405]),
    ("BREW /v1/hello/a HTTP/1.1\r\nHost: x\r\n\r\n" + get("/v1/hello/ada"), [501, 200]),
    (get("/v1/hello/ada", "Origin: http://evil\r\n"), [403]), (get("/v1/hello/bob", "Sec-Fetch-Site: cross-site\r\n"), [403]),
    ("GET / HTTP/1.1\r\n\r\n", [400]), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]), ("\u{16}\u{3}\u{1}", [400]),
    ("GET / HTTP/3.0\r\n\r\n", [505]),
    (get("/v1/hello/ada") + "GET / HTTP/1.1\r\n\r\n", [200, 400]),
    ("POST /v1/echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: br\r\n\r\n", [501]),
    ("POST /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1048577\r\n\r\n", [413]),
    ("GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n", [417]),
    ("GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\n", [414]),
    ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 17 << 10))", [431]),
    (get("/v1/exact/5") + get("/v1/hello/ada"), [200, 200]), (get("/v1/exact/0") + get("/v1/hello/ada"), [200, 200]),
  ]

  @Test("every request is answered, wherever its bytes are split", arguments: exchanges)
  func splits(text: String, statuses: [Int]) throws {
    let bytes = Array(text.utf8)
    func output(_ pieces: [[UInt8]]) throws -> [UInt8] {
      let connection = try EmbeddedConnection(ready: ["ada"])
      for piece in pieces { try connection.send(piece) }
      return try connection.output()
    }
    let whole = try output([bytes])
    #expect(try RawAnswer.all(whole).map(\.status) == statuses)
    for at in bytes.indices where bytes.count < 1_000 || at % 499 == 0 {
      let split = try output([Array(bytes[..<at]), Array(bytes[at...])])
      if split != whole { Issue.record("split at \(at): \(String(decoding: split, as: UTF8.self))") }
    }
    if bytes.count < 1_000 { #expect(try output(bytes.map { [$0] }) == whole) }
  }

  @Test("a precomputed answer equals the answer of the routed handler byte for byte", arguments: ["", "Connection: close\r\n"])
  func readyEqualsRouted(fields: String) throws {
    for method in ["GET", "HEAD"] {
      let text = "\(method) /v1/hello/ada HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"
      let (ready, routed) = (try EmbeddedConnection(ready: ["ada"]), try EmbeddedConnection())
      try ready.send(text)
      try routed.send(text)
      #expect(try ready.output() == routed.output())
      #expect(ready.serving.counters.readyAnswers == 1 && routed.serving.counters.readyAnswers == 0)
    }
  }

  @Test("an answer has the headers Date, Gameconf-Revision, Content-Type and ETag, and no header Connection")
  func headers() throws {
    let connection = try EmbeddedConnection()
    try connection.send(Self.get("/v1/hello/ada"))
    let answer = try #require(try connection.answers().first)
    #expect(answer.fields["date"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(answer.fields["gameconf-revision"] == "7")
    #expect(answer.fields["content-type"] == "application/json")
    #expect(answer.fields["etag"] == EntityTag(of: Array(#"{"hello":"ada"}"#.utf8)).text)
    #expect(answer.fields["connection"] == nil)
  }

  @Test("a request with the ETag of a precomputed or routed answer gets 304", arguments: [["ada"], []])
  func notModified(ready: [String]) throws {
    let connection = try EmbeddedConnection(ready: ready)
    try connection.send(Self.get("/v1/hello/ada"))
    let tag = try #require(try connection.answers().first?.fields["etag"])
    for list in [tag, "W/\(tag)", "\"x\", \(tag)"] {
      try connection.send(Self.get("/v1/hello/ada", "If-None-Match: \(list)\r\n"))
      let answer = try #require(try connection.answers().first)
      #expect(answer.status == 304 && answer.body.isEmpty && answer.fields["etag"] == tag && answer.fields["content-length"] == nil)
      #expect(answer.fields["gameconf-revision"] == "7")
    }
  }

  @Test("a HEAD request gets the headers of GET and no body", arguments: [["ada"], []])
  func head(ready: [String]) throws {
    let connection = try EmbeddedConnection(ready: ready)
    try connection.send("HEAD /v1/hello/ada HTTP/1.1\r\nHost: x\r\n\r\n" + Self.get("/v1/hello/ada"))
    let bytes = try connection.output()
    let (head, used) = try #require(try RawAnswer.read(bytes, toHead: true))
    let answer = try #require(try RawAnswer.all(Array(bytes[used...])).first)
    #expect(head.fields == answer.fields && answer.text == #"{"hello":"ada"}"#)
  }

  @Test("an HTTP/1.0 request is answered, and its connection closed")
  func http10() throws {
    let connection = try EmbeddedConnection(ready: ["ada"])
    try connection.send("GET /v1/hello/ada HTTP/1.0\r\n\r\n" + Self.get("/v1/hello/ada"))
    let answers = try connection.answers()
    #expect(answers.count == 1 && answers[0].fields["connection"] == "close")
    #expect(!connection.channel.isActive && connection.closings == 1)
  }

  @Test("a malformed request gets a problem document, and its connection is closed")
  func problem() throws {
    let connection = try EmbeddedConnection()
    try connection.send("GET / HTTP/1.1\r\nHost : x\r\n\r\n")
    let answer = try #require(try connection.answers().first)
    #expect(answer.fields["content-type"] == "application/problem+json" && answer.fields["connection"] == "close")
    let value = try JSONReader.value(from: answer.body)
    #expect(value["status"] == .integer(400) && value["code"] == .string("MALFORMED_HTTP"))
    #expect(!connection.channel.isActive)
  }

  @Test("a body of 1 MiB is accepted and one byte more refused, by Content-Length and in chunks")
  func bodyEdge() throws {
    for extra in [0, 1] {
      let body = "\"" + String(repeating: "a", count: (1 << 20) - 2 + extra) + "\""
      let byLength = try EmbeddedConnection()
      try byLength.send(Self.post("/v1/echo", body))
      #expect(try byLength.answers().map(\.status) == [extra == 0 ? 200 : 413])
      let byChunks = try EmbeddedConnection()
      try byChunks.send("POST /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
      try byChunks.send("\(String(body.utf8.count - 1, radix: 16))\r\n\(body.dropLast())\r\n1\r\n\"\r\n0\r\n\r\n")
      #expect(try byChunks.answers().map(\.status) == [extra == 0 ? 200 : 413])
    }
  }

  @Test("100 Continue is sent before the body is read, and not before a refusal")
  func expectation() throws {
    let fields = "Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    let admitted = try EmbeddedConnection()
    try admitted.send("POST /v1/echo HTTP/1.1\r\nHost: x\r\n\(fields)")
    #expect(try admitted.output() == Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    try admitted.send("{}")
    #expect(try admitted.answers().map(\.status) == [200])
    let unknown = try EmbeddedConnection()
    try unknown.send("POST /v1/nowhere HTTP/1.1\r\nHost: x\r\n\(fields)")
    #expect(try unknown.answers().map(\.status) == [404])
    #expect(!unknown.channel.isActive)
    let tooLarge = try EmbeddedConnection()
    try tooLarge.send("POST /v1/echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2000000\r\n\r\n")
    #expect(try tooLarge.answers().map(\.status) == [413])
  }

  @Test("a connection reads nothing while an answer is pending, and pipelined answers keep their order")
  func order() throws {
    let connection = try EmbeddedConnection(ready: ["ada"])
    try connection.send(Self.get("/v1/hello/ada") + Self.get("/v1/later/1") + Self.get("/v1/hello/ada") + Self.get("/v1/later/2"))
    #expect(try connection.answers().count == 1)
    let reads = connection.reads.count
    try connection.send(Self.get("/v1/hello/bob"))
    #expect(try connection.output().isEmpty)
    #expect(connection.reads.count == reads)
    #expect(connection.fixture.held.names == ["1"])
    #expect(connection.fixture.held.release("1"))
    #expect(try connection.answers().map(\.text) == [#"{"n":"1"}"#, #"{"hello":"ada"}"#])
    #expect(connection.fixture.held.release("2"))
    #expect(try connection.answers().map(\.text) == [#"{"n":"2"}"#, #"{"hello":"bob"}"#])
    #expect(connection.reads.count == reads + 1)
  }

  @Test("while a small request waits for its answer, the connection reads once more; while a large one waits, it does not read")
  func readAhead() throws {
    let connection = try EmbeddedConnection(ready: ["ada"])
    let before = connection.reads.count
    let request = Array("GET /v1/hello/ada HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
    try connection.receive(request)
    #expect(connection.reads.count == before + 1)
    // The bytes of that read wait for the same slice of time.
    try connection.receive(request)
    #expect(connection.reads.count == before + 1)
    #expect(try connection.answers().count == 2)
    let large = try EmbeddedConnection(ready: ["ada"])
    let reads = large.reads.count
    try large.receive(Array(repeatElement(request, count: 60).joined()))
    #expect(large.reads.count == reads)
    #expect(try large.answers().count == 60)
    #expect(large.reads.count > reads)
  }

  @Test("a connection reads nothing while the client does not read its answers, and loses nothing")
  func backPressure() throws {
    let connection = try EmbeddedConnection(ready: ["ada"])
    connection.setWritable(false)
    let reads = connection.reads.count
    try connection.send(Self.get("/v1/hello/ada") + Self.get("/v1/hello/bob"))
    #expect(try connection.output().isEmpty)
    #expect(connection.reads.count == reads)
    connection.setWritable(true)
    #expect(try connection.answers().count == 2)
    #expect(connection.reads.count == reads + 1)
  }

  @Test("a thousand pipelined requests get a thousand answers, sent in slices")
  func slices() throws {
    let connection = try EmbeddedConnection(ready: ["ada"])
    try connection.send(String(repeating: Self.get("/v1/hello/ada"), count: 1_000))
    #expect(try connection.answers().count == 1_000)
    #expect(connection.serving.counters.requests(to: "hello", status: 200) == 1_000)
  }

  @Test("pipelined requests that are never aligned with reads do not accumulate in memory")
  func misaligned() throws {
    let connection = try EmbeddedConnection(ready: ["ada"])
    let request = Array(Self.get("/v1/hello/ada").utf8)
    let step = Array(request[5...] + request[..<5])
    try connection.send(Array(request[..<5]))
    for _ in 0..<5_000 { try connection.send(step) }
    #expect(try connection.answers().count == 5_000)
    #expect(try #require(connection.serving.connections.values.first).input.capacity < 4_096)
  }

  @Test("incomplete request bodies count against the limit of all users until they end or the client disconnects")
  func bodiesHeld() throws {
    var limits = ServerLimits()
    limits.bodyBytesHeldMax = 100
    func head(_ bytes: Int) -> String {
      "POST /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: \(bytes)\r\n\r\n"
    }
    let full = try EmbeddedConnection(limits: limits)
    try full.send(head(100) + String(repeating: " ", count: 99))
    #expect(full.serving.pools.common.bodies.total == 99)
    try full.send("1")
    #expect(try full.answers().map(\.status) == [200])
    #expect(full.serving.pools.common.bodies.total == 0)
    try full.send(head(101) + String(repeating: " ", count: 90))
    try full.send("01234567890")
    #expect(try full.answers().map(\.status) == [503])
    #expect(full.serving.pools.common.bodies.total == 0)
    let gone = try EmbeddedConnection(limits: limits)
    try gone.send(head(50) + "1")
    try gone.channel.close().wait()
    #expect(gone.serving.pools.common.bodies.total == 0)
  }

  @Test("a client that closes its sending half gets all its answers, also a pending one, before the end")
  func halfClosed() throws {
    let connection = try EmbeddedConnection()
    try connection.send(Self.get("/v1/later/1") + Self.get("/v1/hello/ada"))
    connection.closeInput()
    #expect(connection.channel.isActive)
    #expect(connection.fixture.held.release("1"))
    #expect(try connection.answers().map(\.status) == [200, 200])
    #expect(!connection.channel.isActive)
  }

  @Test("a client that closes its sending half within a request gets no answer")
  func cutOff() throws {
    let connection = try EmbeddedConnection()
    try connection.send("GET /v1/hello/ada HTTP/1.1\r\nHo")
    connection.closeInput()
    #expect(try connection.output().isEmpty)
    #expect(!connection.channel.isActive)
  }

  @Test("an answer for a client that has disconnected is dropped")
  func late() throws {
    let connection = try EmbeddedConnection()
    try connection.send(Self.get("/v1/later/1"))
    try connection.channel.close().wait()
    #expect(connection.fixture.held.release("1"))
    #expect(try connection.output().isEmpty)
    #expect(connection.closings == 1 && connection.serving.connections.isEmpty)
  }

  @Test(
    "a TCP request must name this host in Host",
    arguments: [
      ("localhost", 200), ("LocalHost:9090", 200), ("127.0.0.1:1", 200), ("[::1]:80", 200), ("[::1]", 200), ("evil.example", 403),
      ("127.0.0.1.evil", 403), ("", 403),
    ])
  func hosts(host: String, status: Int) throws {
    let connection = try EmbeddedConnection(socket: .metrics, credentials: nil)
    try connection.send("GET /health/live HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    #expect(try connection.answers().map(\.status) == [status])
  }

  @Test("randomly mutated requests never crash the connection, and its output is always complete answers", arguments: 0..<4)
  func mutated(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let seeds = Self.exchanges.map { Array($0.0.utf8) }.filter { $0.count < 1_000 }
    for _ in 0..<400 {
      var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)] + seeds[Int.random(in: 0..<seeds.count, using: &random)]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        if Bool.random(using: &random) { bytes[at] = UInt8.random(in: 0...255, using: &random) } else { bytes.remove(at: at) }
      }
      // Without the request, an answer to HEAD looks like an incomplete answer to GET.
      if bytes.firstRange(of: Array("HEAD".utf8)) != nil { continue }
      let connection = try EmbeddedConnection(ready: ["ada"])
      let at = Int.random(in: 0...bytes.count, using: &random)
      try connection.send(Array(bytes[..<at]))
      try connection.send(Array(bytes[at...]))
      _ = try connection.answers()
    }
  }
}
