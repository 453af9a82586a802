// The choice between the event loop and another thread for calls of a slow handler.

import Testing

@testable import GameConfServer

@Suite("Slow handlers")
struct SlowHandlerTests {
  private let limits = ServerLimits()

  /// Simulates calls, by default a millisecond apart, of which some are slow. Returns the slow ones on the event loop, and the calls elsewhere.
  private func slowOnLoop(_ calls: Int, milliseconds: Int64 = 1, isSlow: (Int) -> Bool) -> (slow: Int, elsewhere: Int) {
    var handler: SlowHandlerRecord?
    var count = (slow: 0, elsewhere: 0)
    for call in 0..<calls {
      let now = Int64(call + 1) * milliseconds * 1_000_000
      let isElsewhere = handler?.isElsewhere ?? false
      if isElsewhere { count.elsewhere += 1 }
      if isSlow(call) {
        if !isElsewhere { count.slow += 1 }
        var slow = handler ?? SlowHandlerRecord()
        slow.wasSlow(now: now, limits)
        handler = slow
      } else if handler?.wasFast(now: now, limits) == false {
        handler = nil
      }
    }
    return count
  }

  @Test("after one slow call of a handler exactly the next eight run on another thread")
  func once() {
    #expect(slowOnLoop(1_000) { $0 == 100 } == (1, 8))
  }

  @Test("an always slow handler runs on the event loop only once, however rarely it is called", arguments: [1, 100, 10_000] as [Int64])
  func always(milliseconds: Int64) {
    #expect(slowOnLoop(1_000, milliseconds: milliseconds) { _ in true } == (1, 999))
  }

  @Test("a handler that is often slow soon runs only on another thread", arguments: [2, 9, 20, 100])
  func often(every: Int) {
    let count = slowOnLoop(20_000) { $0 % every == 0 }
    #expect(count.slow <= 10)
    #expect(count.elsewhere > 19_000)
  }

  @Test("a handler that is rarely slow, as on a busy virtual machine, stays on the event loop")
  func seldom() {
    let count = slowOnLoop(20_000) { $0 % 500 == 0 }
    #expect(count == (40, 40 * 8))
  }

  @Test("a handler's slow calls are forgotten after a maximum number of fast ones")
  func forgotten() {
    let count = slowOnLoop(100_000) { $0 < 2_000 }
    #expect(count == (1, 1_999 + limits.handlerCallsElsewhereMax))
  }
}
