// Fairness among users: slices of time, and limits on both sides of their boundaries, by one user and by many.

import Glibc
import NIOCore
import TestSupport
import Testing

@testable import GameConfServer

@Suite("Fair slices of event loop time")
struct SliceTests {
  @Test("a fair queue alternates between users, and keeps the order of one user's elements")
  func queue() {
    var queue = FairQueue<Int, String>()
    for element in ["a1", "a2", "a3", "a4"] { queue.append(element, of: 1) }
    queue.append("b1", of: 2)
    #expect(queue.popFirst() == "a1")
    queue.append("c1", of: 3)
    queue.append("b2", of: 2)
    var order: [String] = []
    while let element = queue.popFirst() { order.append(element) }
    #expect(order == ["b1", "a2", "c1", "b2", "a3", "a4"])
    #expect(queue.isEmpty)
  }

  @Test("a quota names the limit that would be exceeded, one for a user or for all, and admits more after a release")
  func quota() {
    var quota = Quota<Int>()
    func bound(_ user: Int, _ count: Int) -> Quota<Int>.ExceededLimit? { quota.bound(of: user, adding: count, userMax: 10, max: 15) }
    quota.add(10, of: 1)
    #expect(bound(1, 1) == .user && bound(2, 5) == nil && bound(2, 6) == .all)
    quota.add(-4, of: 1)
    #expect(quota[1] == 6 && quota.total == 6 && bound(1, 4) == nil && bound(2, 9) == nil && bound(2, 10) == .all)
  }

  @Test("a queue of thousands keeps its order and frees its memory", arguments: 0..<4)
  func line(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var line = ReusableQueue<Int>()
    var (next, expected) = (0, 0)
    for _ in 0..<20_000 {
      if Int.random(in: 0..<5, using: &random) < 3 {
        line.append(next)
        next += 1
      } else if let first = line.popFirst() {
        #expect(first == expected)
        expected += 1
      }
    }
    #expect(line.count == next - expected)
  }

  @Test("a user's single request is answered after at most one slice of another user's pipelined requests")
  func pipelines() throws {
    var limits = ServerLimits()
    limits.sliceRequestsMax = 4
    let first = try EmbeddedConnection(limits: limits, ready: ["ada"])
    let others = try (0..<9).map { _ in try EmbeddedConnection(beside: first) }
    let single = try EmbeddedConnection(beside: first, uid: 2)
    let flood = Array(String(repeating: ConnectionTests.get("/v1/hello/ada"), count: 100).utf8)
    for connection in [first] + others { try connection.receive(flood) }
    try single.receive(Array(ConnectionTests.get("/v1/hello/ada").utf8))
    // One pass of the event loop: all connections have read, and slices follow. Time is frozen, so all slices fit into the pass.
    first.eventLoop.run()
    let order = first.order.uids
    #expect(order.prefix(2) == [1, 2])
    #expect(order.filter { $0 == 2 }.count == 1)
    #expect(try RawAnswer.all(try single.written()).count == 1)
    for connection in [first] + others { #expect(try RawAnswer.all(try connection.output()).count == 100) }
  }

  @Test("an event loop reads from sockets again when its time for answering requests is used up")
  func pass() async throws {
    var limits = ServerLimits()
    (limits.sliceRequestsMax, limits.passMicroseconds) = (1, 0)
    let flooding = try EmbeddedConnection(limits: limits, ready: ["ada"])
    try flooding.receive(Array(String(repeating: ConnectionTests.get("/v1/hello/ada"), count: 10).utf8))
    flooding.eventLoop.run()
    #expect(try RawAnswer.all(try flooding.written()).count == 1)
    #expect(flooding.serving.hasWaitingSlices)
    let single = try EmbeddedConnection(beside: flooding, uid: 2)
    try single.receive(Array(ConnectionTests.get("/v1/hello/ada").utf8))
    flooding.eventLoop.advanceTime(by: .microseconds(20))
    flooding.eventLoop.advanceTime(by: .microseconds(20))
    #expect(try RawAnswer.all(try single.written()).count == 1)
    #expect(try flooding.answers().count == 9)
  }

  @Test("a large body is processed on another thread, a small one on the event loop, and answers keep their order")
  func elsewhere() async throws {
    var limits = ServerLimits()
    limits.handlerMicroseconds = 1_000_000_000
    try await RunningServer.run(limits: limits) { running in
      let client = try running.client()
      for (bytes, onLoop) in [(limits.bodyBytesOnLoopMax, true), (limits.bodyBytesOnLoopMax + 1, false)] {
        let body = "\"" + String(repeating: "a", count: bytes - 2) + "\""
        try await client.send(ConnectionTests.post("/v1/thread", body) + ConnectionTests.get("/v1/hello/a"))
        #expect(try await client.answer().text == #"{"on_loop":\#(onLoop)}"#)
        #expect(try await client.answer().text == #"{"hello":"a"}"#)
      }
    }
  }

  @Test("a slow handler's next calls by the same user run on another thread")
  func slow() async throws {
    var limits = ServerLimits()
    limits.handlerMicroseconds = 0
    try await RunningServer.run(limits: limits) { running in
      let client = try running.client()
      var answers: [String] = []
      for _ in 0..<3 { answers.append(try await client.ask("POST", "/v1/thread", body: "1").text) }
      #expect(answers == [#"{"on_loop":true}"#, #"{"on_loop":false}"#, #"{"on_loop":false}"#])
    }
  }

  @Test("a handler that blocks without computing, or waits behind another, does not count as slow")
  func notSlow() async throws {
    var limits = ServerLimits()
    // Only processor time counts as slow, and the handlers here use next to none.
    limits.handlerMicroseconds = 50_000
    try await RunningServer.run(limits: limits) { running in
      let client = try running.client()
      for _ in 0..<2 { #expect(try await client.ask("POST", "/v1/held", body: "100").text == #"{"on_loop":true}"#) }
      // A large body runs on another thread, and blocks it without computing.
      let large = String(repeating: " ", count: limits.bodyBytesOnLoopMax) + "100"
      for _ in 0..<2 {
        try await client.send(ConnectionTests.post("/v1/held", large) + ConnectionTests.post("/v1/held", "0"))
        #expect(try await client.answer().text == #"{"on_loop":false}"#)
        #expect(try await client.answer().text == #"{"on_loop":true}"#)
      }
    }
  }

  @Test("many large answers from other threads arrive complete and in order")
  func manyElsewhere() async throws {
    var limits = ServerLimits()
    limits.handlerMicroseconds = 0
    try await RunningServer.run(limits: limits) { running in
      let client = try running.client()
      let sizes = (0..<60).map { 70_000 + $0 * 3_000 }
      try await client.send(sizes.map { ConnectionTests.get("/v1/big/\($0)") }.joined())
      client.closeOutput()
      #expect(try RawAnswer.all(try await client.receiveToEnd()).map(\.body.count) == sizes)
    }
  }

  @Test("answers from other threads go to the connections that requested them")
  func whoseAnswer() async throws {
    var limits = ServerLimits()
    limits.handlerMicroseconds = 0
    try await RunningServer.run(limits: limits) { running in
      let clients = try (0..<24).map { _ in try running.client() }
      for (n, client) in clients.enumerated() {
        try await client.send((0..<20).map { ConnectionTests.get("/v1/hello/c\(n)-\($0)") }.joined())
      }
      for (n, client) in clients.enumerated() {
        for at in 0..<20 { #expect(try await client.answer().text == #"{"hello":"c\#(n)-\#(at)"}"#) }
      }
    }
  }

  @Test("a task is cancelled when its client disconnects, started on the event loop or on another thread", arguments: [500, 0])
  func goneWhileWaiting(handlerMicroseconds: Int) async throws {
    var limits = ServerLimits()
    limits.handlerMicroseconds = handlerMicroseconds
    try await RunningServer.run(limits: limits) { running in
      // With a limit of 0 the first call is slow, so the further ones run on another thread.
      for _ in 0..<3 {
        var client: RawClient? = try running.client()
        try await client?.send(ConnectionTests.get("/v1/waiting"))
        try await running.settled { _ in running.fixture.held.endless == 1 }
        client = nil
        try await running.settled { $0.open[.games] == 0 && running.fixture.held.endless == 0 }
      }
    }
  }

  @Test("jobs of disconnected clients are skipped, and their memory is released")
  func abandoned() async throws {
    try await RunningServer.run { running in
      let gate = running.fixture.gate
      defer { gate.open() }
      let body = "\"" + String(repeating: "a", count: 100_000) + "\""
      // Occupies all threads, each with a client that waits.
      var holding = try (0..<4).map { _ in try running.client() }
      for client in holding { try await client.send(ConnectionTests.post("/v1/gate", body)) }
      var abandoned = try (0..<40).map { _ in try running.client() }
      for client in abandoned { try await client.send(ConnectionTests.post("/v1/gate", body)) }
      try await running.settled { $0.bodyBytes == 44 * body.utf8.count && gate.passed > 0 }
      abandoned = []
      try await running.settled { $0.open[.games] == 4 }
      gate.open()
      for client in holding { #expect(try await client.answer().text == #"{"on_loop":false}"#) }
      // This request comes after all abandoned ones.
      #expect(try await holding[0].ask("POST", "/v1/gate", body: body).status == 200)
      #expect(gate.passed == holding.count + 1)
      holding = []
      try await running.settled { $0.open[.games] == 0 && $0.bodyBytes == 0 && $0.answerBytes == 0 }
    }
  }
}

@Suite("Limits of memory for each user")
struct ShareTests {
  static func head(_ bytes: Int) -> String {
    "POST /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: \(bytes)\r\n\r\n"
  }

  @Test("request bodies of one user are accepted up to its limit, and one byte more gets 429 while others are served")
  func bodiesOfOne() throws {
    var limits = ServerLimits()
    (limits.bodyBytesHeldMax, limits.bodyBytesHeldPerUserMax, limits.bodyBytesMax) = (1_000, 100, 100)
    let first = try EmbeddedConnection(limits: limits)
    let second = try EmbeddedConnection(beside: first)
    let other = try EmbeddedConnection(beside: first, uid: 2)
    try first.send(Self.head(100) + String(repeating: " ", count: 60))
    try second.send(Self.head(100) + String(repeating: " ", count: 40))
    #expect(try second.output().isEmpty)
    #expect(first.serving.pools.common.bodies.total == 100)
    try second.send(" ")
    let refused = try #require(try second.answers().first)
    #expect(refused.status == 429 && refused.fields["retry-after"] == "1" && refused.fields["connection"] == "close")
    try other.send(Self.head(100) + String(repeating: " ", count: 99) + "1")
    #expect(try other.answers().map(\.status) == [200])
    try first.send(String(repeating: " ", count: 39) + "1")
    #expect(try first.answers().map(\.status) == [200])
    #expect(first.serving.pools.common.bodies.total == 0)
  }

  @Test("request bodies of many users are accepted up to the limit of all; the admin socket has its own limit")
  func bodiesOfMany() throws {
    var limits = ServerLimits()
    (limits.bodyBytesHeldMax, limits.bodyBytesHeldPerUserMax, limits.bodyBytesMax) = (300, 100, 100)
    let first = try EmbeddedConnection(limits: limits)
    var connections = [first]
    for uid in 2...4 { connections.append(try EmbeddedConnection(beside: first, uid: UInt32(uid))) }
    for connection in connections.prefix(3) { try connection.send(Self.head(100) + String(repeating: " ", count: 99)) }
    #expect(first.serving.pools.common.bodies.total == 297)
    try connections[3].send(Self.head(100) + "   ")
    #expect(try connections[3].output().isEmpty)
    try connections[3].send(" ")
    #expect(try connections[3].answers().map(\.status) == [503])
    let admin = try EmbeddedConnection(beside: first, socket: .admin)
    try admin.send(Self.head(100) + String(repeating: " ", count: 99) + "1")
    #expect(try admin.answers().map(\.status) == [200])
    for connection in connections.prefix(3) { try connection.channel.close().wait() }
    #expect(first.serving.pools.common.bodies.total == 0)
  }

  @Test(
    "an answer beyond a user's or all users' limit of unread bytes is refused, except for a user's first one",
    arguments: [
      // My unread bytes, those of another user, the size of the answer, and the limit that it exceeds.
      (0, 0, 1_000, nil), (60, 0, 40, nil), (60, 0, 41, UserShare.ExceededLimit.user), (60, 100, 40, nil), (60, 141, 39, nil),
      (60, 141, 40, .all), (10, 190, 40, nil),
    ])
  func answers(mine: Int, others: Int, bytes: Int, bound: UserShare.ExceededLimit?) {
    var limits = ServerLimits()
    (limits.answerBytesPerUserMax, limits.answerBytesMax) = (100, 240)
    let pool = MemoryPool(bodyBytesMax: 0, answerBytesMax: limits.answerBytesMax)
    let share = UserShare(ShareOwner(uid: 1, hasReservedMemory: false), pool, limits)
    let other = UserShare(ShareOwner(uid: 2, hasReservedMemory: false), pool, limits)
    // With three users, an equal part of the limit of all is 80.
    let third = UserShare(ShareOwner(uid: 3, hasReservedMemory: false), pool, limits)
    share.count(answerBytes: mine)
    other.count(answerBytes: others)
    #expect(share.bound(answerBytes: bytes) == bound)
    #expect(third.bound(answerBytes: bytes) == nil)
  }

  @Test("a user's unread answers stay within its limit while others are served, and arrive complete later")
  func unread() async throws {
    var limits = ServerLimits()
    limits.answerBytesPerUserMax = 1 << 20
    try await RunningServer.run(limits: limits) { running in
      let target = "/v1/big/100000"
      let clients = try (0..<64).map { _ in try running.client() }
      for client in clients { try await client.send(String(repeating: ConnectionTests.get(target), count: 4)) }
      try await running.settled { $0.heldBack > 0 || $0.requests(to: "big", status: 429) > 0 }
      // Each connection's last measurement may be outdated by the number of bytes that is sent unmeasured.
      let most = limits.answerBytesPerUserMax + clients.count * limits.unmeasuredBytesMax
      #expect(await running.server.counters().answerBytes <= most)
      #expect(try await RawClient(running.admin).ask("GET", "/v1/hello/a").status == 200)
      for client in clients {
        for _ in 0..<4 {
          let answer = try await client.answer()
          #expect(answer.status == 429 || (answer.status == 200 && answer.body.count == 100_000))
        }
      }
      #expect(await running.server.counters().answerBytes <= most)
    }
  }

  @Test("unread bytes in the kernel's socket buffers count against the user's limit")
  func unreadInKernel() async throws {
    var limits = ServerLimits()
    limits.answerBytesPerUserMax = 1 << 20
    try await RunningServer.run(limits: limits) { running in
      let clients = try (0..<64).map { _ in try running.client() }
      // Each answer fits into its socket's buffers.
      for client in clients { try await client.send(ConnectionTests.get("/v1/big/50000")) }
      try await running.settled { $0.heldBack > 0 || $0.requests(to: "big", status: 429) > 0 }
      for client in clients { #expect([200, 429].contains(try await client.answer().status)) }
    }
  }

  @Test(
    "unread bytes are measured again after 5 ms, or after 64 times the duration of the measurement",
    arguments: [(0, 5_000_000), (78_125, 5_000_000), (78_126, 5_000_064), (2_000_000, 128_000_000)] as [(Int64, Int64)])
  func pace(took: Int64, pause: Int64) {
    var pace = MeasurementInterval()
    #expect(pace.isTime(at: 0))
    pace.measured(from: 1_000, to: 1_000 + took)
    #expect(!pace.isTime(at: 1_000 + took + pause - 1))
    #expect(pace.isTime(at: 1_000 + took + pause))
  }

  @Test("a client that reads its answers is never held back, however many it requests")
  func reading() async throws {
    var limits = ServerLimits()
    limits.answerBytesPerUserMax = 300_000
    try await RunningServer.run(limits: limits) { running in
      let clients = try (0..<8).map { _ in try running.client() }
      for _ in 0..<20 {
        for client in clients { #expect(try await client.ask("GET", "/v1/big/30000").body.count == 30_000) }
      }
    }
  }

  @Test("a client that closes its sending half receives every byte of its answers, however late it reads", arguments: [true, false])
  func halfClosed(closes: Bool) async throws {
    try await RunningServer.run { running in
      for _ in 0..<10 {
        let client = try running.client()
        let last = ConnectionTests.get("/v1/big/300000", closes ? "Connection: close\r\n" : "")
        try await client.send(String(repeating: ConnectionTests.get("/v1/big/300000"), count: 9) + last)
        client.closeOutput()
        // Before the server has received the end, it has nothing to lose.
        try await running.settled { $0.requests(to: "big", status: 200) > 0 }
        let answers = try RawAnswer.all(try await client.receiveToEnd())
        #expect(answers.map(\.body.count) == [Int](repeating: 300_000, count: 10))
      }
    }
  }

  @Test("a stream ends when its client disconnects while it is written")
  func abandonedStreams() async throws {
    try await RunningServer.run { running in
      for _ in 0..<40 {
        let client = try running.client()
        try await client.send(ConnectionTests.get("/v1/endless"))
        _ = try await client.receive()
      }
      try await running.settled { $0.streams == 0 && $0.open[.games] == 0 && $0.answerBytes == 0 }
      try await running.settled { _ in running.fixture.held.endless == 0 }
    }
  }

  @Test("the maximum number of connections can be set for single users")
  func connectionsOfUsers() {
    var limits = ServerLimits()
    limits.connectionsPerUserMax = 2
    limits.connectionsOfUsers = [7: 4, 8: 1]
    let counts = ConnectionLimits(limits)
    func admitted(_ user: UInt32) -> Int {
      (0..<10).count { _ in if case .admitted = counts.enter(.games, user: user, isUnwanted: false) { true } else { false } }
    }
    #expect([6, 7, 8].map(admitted) == [2, 4, 1])
  }

  @Test("without free descriptors a connection gets a refusal, which is reported once, and the listener pauses")
  func noDescriptors() throws {
    let folder = try TemporaryFolder()
    let listener = try Listener.bind(folder.path + "/s", mode: 0o600, as: .games)
    defer { close(listener.descriptor) }
    #expect(fcntl(listener.descriptor, F_SETFL, O_NONBLOCK) == 0)
    let loop = EmbeddedEventLoopHolder()
    var reports: [LimitReached] = []
    let guarding = AcceptGuard(listener.descriptor, Greeter.answer(Problem(.outOfDescriptors))) { reports.append($0) }
    let channel = try loop.channel(with: guarding)
    for _ in 0..<3 {
      let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(client) }
      let address = try UnixAddress(folder.path + "/s")
      #expect(address.withPointer { connect(client, $0, $1) } == 0)
      channel.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = recv(client, &bytes, bytes.count, 0)
      let answer = try RawAnswer.all(Array(bytes.prefix(max(0, count))))
      #expect(answer.map(\.status) == [503] && answer.first?.fields["retry-after"] == "1")
    }
    #expect(reports.count == 1)
    let reads = loop.reads.count
    channel.read()
    #expect(loop.reads.count == reads)
    loop.pass(.milliseconds(50))
    #expect(loop.reads.count > reads)
    loop.close()
  }
}
