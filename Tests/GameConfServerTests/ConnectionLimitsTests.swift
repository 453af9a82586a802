// The limits of connections and their reports.

import Synchronization
import Testing

@testable import GameConfServer

@Suite("Connection limits")
struct ConnectionLimitsTests {
  @Test("a reached connection limit is reported once, and again only after use has fallen to half")
  func limitReported() {
    let reports = Mutex<[LimitReached]>([])
    var limits = ServerLimits()
    limits.connectionsPerUserMax = 4
    let counts = ConnectionLimits(limits) { reached in reports.withLock { $0.append(reached) } }
    func enter(_ number: Int) { for _ in 0..<number { _ = counts.enter(.games, user: 7, isUnwanted: false) } }
    enter(4)
    #expect(reports.withLock(\.count) == 0)
    enter(3)
    #expect(reports.withLock { $0.map(\.uid) } == [7])
    #expect(reports.withLock { $0.first?.code } == "TOO_MANY_CONNECTIONS")
    counts.leave(.games, user: 7, wasRefused: false)
    enter(2)
    #expect(reports.withLock(\.count) == 1)
    for _ in 0..<2 { counts.leave(.games, user: 7, wasRefused: false) }
    enter(3)
    #expect(reports.withLock(\.count) == 2)
  }

  @Test("a user's connections are limited on each socket separately")
  func socketsApart() {
    var limits = ServerLimits()
    limits.connectionsPerUserMax = 2
    let counts = ConnectionLimits(limits)
    func isAdmitted(_ socket: ServerSocket, _ user: UInt32 = 7) -> Bool {
      if case .admitted = counts.enter(socket, user: user, isUnwanted: false) { true } else { false }
    }
    for socket in [ServerSocket.games, .admin] {
      #expect([isAdmitted(socket), isAdmitted(socket), isAdmitted(socket)] == [true, true, false])
    }
    #expect(isAdmitted(.games, 8) && isAdmitted(.admin, 8))
    counts.leave(.games, user: 7, wasRefused: false)
    #expect(!isAdmitted(.admin) && isAdmitted(.games) && !isAdmitted(.games))
  }

  @Test("the limits of event loops add up to at most the server's, but each loop can hold one largest body", arguments: [1, 2, 3, 16, 64])
  func loops(count: Int) {
    let (whole, part) = (ServerLimits(), ServerLimits().part(ofLoops: count))
    #expect(part.answerBytesMax * count <= whole.answerBytesMax && part.answerBytesPerUserMax * count <= whole.answerBytesPerUserMax)
    #expect(part.cachedBytesMax * count <= whole.cachedBytesMax && part.bodyBytesHeldMax * count <= whole.bodyBytesHeldMax)
    #expect(part.bodyBytesHeldPerUserMax * count <= max(whole.bodyBytesHeldPerUserMax, count * whole.bodyBytesMax))
    #expect(part.bodyBytesHeldPerUserMax >= whole.bodyBytesMax && part.answerBytesPerUserMax > 0)
    #expect((part == whole) == (count == 1))
    #expect(part.connectionsMax == whole.connectionsMax, "connections are counted over all loops")
  }
}
