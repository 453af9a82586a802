// The fair division of an event loop's time among users.

import Testing

@testable import GameConfServer

@Suite("Fair division of an event loop's time")
struct LeastServedTests {
  @Test("the user with the least event loop time is served first, and a pause earns no credit")
  func leastServed() {
    var users = LeastServedQueue<String>()
    #expect(users.insert("a", had: 50) == 50)
    #expect(users.insert("b", had: 20) == 20)
    #expect(users.insert("c", had: 50) == 50)
    #expect(users.insert("d", had: 30) == 30)
    #expect(["b", "d"] == (0..<2).compactMap { _ in users.popFirst() })
    // The new user starts at the time of the last removed user: before all who had more.
    #expect(users.insert("e", had: 0) == 30)
    #expect(users.insert("d", had: 130) == 130)
    #expect(["e", "a", "c", "d"] == (0..<4).compactMap { _ in users.popFirst() })
    #expect(users.isEmpty && users.popFirst() == nil)
    #expect(users.insert("a", had: 7) == 130)
  }

  @Test("a user with few requests is served before users that have used more event loop time")
  func little() throws {
    var limits = ServerLimits()
    limits.sliceRequestsMax = 4
    let heavy = try EmbeddedConnection(limits: limits, ready: ["ada"])
    let others = try (2..<6).map { try EmbeddedConnection(beside: heavy, uid: UInt32($0)) }
    let light = try EmbeddedConnection(beside: heavy, uid: 9)
    let flood = Array(String(repeating: ConnectionTests.get("/v1/hello/ada"), count: 100).utf8)
    for share in heavy.serving.connections.values.map(\.share) where share.owner.uid != 9 { share.loopTime = 1_000_000 }
    for connection in [heavy] + others { try connection.receive(flood) }
    try light.receive(Array(ConnectionTests.get("/v1/hello/ada").utf8))
    heavy.eventLoop.run()
    #expect(heavy.order.uids.first == 9)
  }

  @Test("a slice of event loop time is charged to its user, so that a heavy user waits for a light one")
  func accounts() throws {
    let heavy = try EmbeddedConnection()
    let light = try EmbeddedConnection(beside: heavy, uid: 2)
    try heavy.send(ConnectionTests.get("/v1/long/400"))
    try light.send(ConnectionTests.get("/v1/long/30"))
    var accounts: [UInt32: Int64] = [:]
    for share in heavy.serving.connections.values.map(\.share) { accounts[share.owner.uid ?? 0] = share.loopTime }
    #expect(accounts == [1: 400_000, 2: 30_000])
    try heavy.receive(Array(ConnectionTests.get("/v1/hello/ada").utf8))
    try light.receive(Array(ConnectionTests.get("/v1/hello/ada").utf8))
    heavy.runSlices()
    #expect(heavy.order.uids.suffix(2) == [2, 1])
  }
}
