// Which calls of a handler are worked on beside the event loop after it was slow.

import Testing

@testable import GameConfServer

@Suite("A handler that was slow")
struct SlowHandlerTests {
  private let limits = ServerLimits()

  /// Calls in a row, a millisecond apart where nothing else is said, of which some are slow; says how many slow ones met the event loop.
  private func slowOnLoop(_ calls: Int, milliseconds: Int64 = 1, isSlow: (Int) -> Bool) -> (slow: Int, elsewhere: Int) {
    var handler: SlowHandler?
    var count = (slow: 0, elsewhere: 0)
    for call in 0..<calls {
      let now = Int64(call + 1) * milliseconds * 1_000_000
      let isElsewhere = handler?.isElsewhere ?? false
      if isElsewhere { count.elsewhere += 1 }
      if isSlow(call) {
        if !isElsewhere { count.slow += 1 }
        var slow = handler ?? SlowHandler()
        slow.wasSlow(now: now, limits)
        handler = slow
      } else if handler?.wasFast(now: now, limits) == false {
        handler = nil
      }
    }
    return count
  }

  @Test("one slow call sends the next eight elsewhere, and no more")
  func once() {
    #expect(slowOnLoop(1_000) { $0 == 100 } == (1, 8))
  }

  @Test("what is slow with each call meets the event loop once, however seldom it is called", arguments: [1, 100, 10_000] as [Int64])
  func always(milliseconds: Int64) {
    #expect(slowOnLoop(1_000, milliseconds: milliseconds) { _ in true } == (1, 999))
  }

  @Test("what is slow again soon is soon worked on elsewhere always", arguments: [2, 9, 20, 100])
  func often(every: Int) {
    let count = slowOnLoop(20_000) { $0 % every == 0 }
    #expect(count.slow <= 10)
    #expect(count.elsewhere > 19_000)
  }

  @Test("a call that is slow now and then, as where a host takes the processor away, leaves the others on the event loop")
  func seldom() {
    let count = slowOnLoop(20_000) { $0 % 500 == 0 }
    #expect(count == (40, 40 * 8))
  }

  @Test("however often slow ones come, so many calls later it is forgotten")
  func forgotten() {
    let count = slowOnLoop(100_000) { $0 < 2_000 }
    #expect(count == (1, 1_999 + limits.handlerCallsElsewhereMax))
  }
}
