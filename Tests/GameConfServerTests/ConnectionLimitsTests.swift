// How many connections there may be, and what is told of it.

import Synchronization
import Testing

@testable import GameConfServer

@Suite("Connection limits")
struct ConnectionLimitsTests {
  @Test("a limit is told once, and again when it was used to less than half since")
  func limitTold() {
    let told = Mutex<[LimitReached]>([])
    var limits = ServerLimits()
    limits.connectionsPerUserMax = 4
    let counts = ConnectionLimits(limits) { reached in told.withLock { $0.append(reached) } }
    func enter(_ number: Int) { for _ in 0..<number { _ = counts.enter(.games, user: 7, isUnwanted: false) } }
    enter(4)
    #expect(told.withLock(\.count) == 0)
    enter(3)
    #expect(told.withLock { $0.map(\.uid) } == [7])
    #expect(told.withLock { $0.first?.code } == "TOO_MANY_CONNECTIONS")
    counts.leave(user: 7, wasRefused: false)
    enter(2)
    #expect(told.withLock(\.count) == 1)
    for _ in 0..<2 { counts.leave(user: 7, wasRefused: false) }
    enter(3)
    #expect(told.withLock(\.count) == 2)
  }

  @Test("several event loops together take what one may, but for a body on each", arguments: [1, 2, 3, 16, 64])
  func loops(count: Int) {
    let (whole, part) = (ServerLimits(), ServerLimits().part(ofLoops: count))
    #expect(part.answerBytesMax * count <= whole.answerBytesMax && part.answerBytesPerUserMax * count <= whole.answerBytesPerUserMax)
    #expect(part.keptBytesMax * count <= whole.keptBytesMax && part.bodyBytesHeldMax * count <= whole.bodyBytesHeldMax)
    #expect(part.bodyBytesHeldPerUserMax * count <= max(whole.bodyBytesHeldPerUserMax, count * whole.bodyBytesMax))
    #expect(part.bodyBytesHeldPerUserMax >= whole.bodyBytesMax && part.answerBytesPerUserMax > 0)
    #expect((part == whole) == (count == 1))
    #expect(part.connectionsMax == whole.connectionsMax, "connections are counted over all loops")
  }
}
