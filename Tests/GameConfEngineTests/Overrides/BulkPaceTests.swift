// Consecutive large changes of overrides, with a clock that the test advances.

import GameConfCore
import Synchronization
import Testing

@testable import GameConfEngine

@Suite("The rate limit of large changes of overrides")
struct BulkPaceTests {
  /// A clock that the test advances. A wait of the rate limiter only advances it further, and is recorded.
  final class ManualPaceClock: Sendable {
    private struct State {
      var now = ContinuousClock.now
      var rests: [Duration] = []
      var order: [UInt32] = []
    }

    private let state = Mutex(State())

    var now: ContinuousClock.Instant { state.withLock { $0.now } }
    var rests: [Duration] { state.withLock { $0.rests } }

    func go(_ duration: Duration) { state.withLock { $0.now += duration } }

    func rest(_ duration: Duration) {
      state.withLock { state in
        state.rests.append(duration)
        state.now += duration
      }
    }

    func went(_ uid: UInt32) { state.withLock { $0.order.append(uid) } }
    var order: [UInt32] { state.withLock { $0.order } }

    var pace: BulkChangeLimiter { BulkChangeLimiter(now: { self.now }, rest: { self.rest($0) }) }
  }

  /// Makes a change that takes this long on the writer, after a wait for the writer.
  private func change(_ pace: BulkChangeLimiter, _ hand: ManualPaceClock, milliseconds: Int, waitingForWriter: Duration = .zero) async {
    await pace.run(by: 1, prepare: {}) { _, time in
      hand.go(waitingForWriter)
      time.begin()
      hand.go(.milliseconds(milliseconds))
    }
  }

  @Test("if changes have used more than a hundredth of the last 30 seconds, the next one waits until the first is 30 seconds old")
  func share() async {
    let hand = ManualPaceClock()
    let pace = hand.pace
    for _ in 0..<3 {
      await change(pace, hand, milliseconds: 100)
      hand.go(.seconds(2))
    }
    await change(pace, hand, milliseconds: 1)
    #expect(hand.rests.isEmpty, "300 ms are the hundredth")
    hand.go(.seconds(16))
    await change(pace, hand, milliseconds: 0)
    #expect(hand.rests.count == 1)
    // The first change ended 22.201 s ago, and counts until it is 30 s old.
    #expect(hand.rests == [.milliseconds(7_799)])
    await change(pace, hand, milliseconds: 0)
    #expect(hand.rests.count == 1, "the first counts no more")
  }

  @Test("a change waits at most ten seconds, however long the changes before it took")
  func longest() async {
    let hand = ManualPaceClock()
    let pace = hand.pace
    await change(pace, hand, milliseconds: 9_000)
    for _ in 0..<4 { await change(pace, hand, milliseconds: 0) }
    #expect(hand.rests == Array(repeating: .seconds(10), count: 3))
  }

  @Test("the measured time leaves out preparation, waiting for the writer, and all runs of a transaction but the last")
  func counted() async {
    let hand = ManualPaceClock()
    let pace = hand.pace
    await pace.run(by: 1, prepare: { hand.go(.seconds(5)) }) { _, time in
      hand.go(.seconds(5))
      time.begin()
      hand.go(.seconds(5))
      time.begin()
      hand.go(.milliseconds(300))
    }
    await change(pace, hand, milliseconds: 0, waitingForWriter: .seconds(6))
    await change(pace, hand, milliseconds: 1)
    #expect(hand.rests.isEmpty)
    await change(pace, hand, milliseconds: 0)
    #expect(hand.rests.count == 1)
  }

  @Test("the time of a change counts against the limit only if other writes waited for the writer at its end")
  func alone() async {
    let hand = ManualPaceClock()
    let pace = hand.pace
    for othersWait in [false, false, false, true, false] {
      await pace.run(by: 1, prepare: {}) { _, time in
        time.begin()
        hand.go(.seconds(1))
        time.end(othersWait: othersWait)
      }
    }
    #expect(hand.rests == [.seconds(10)], "only the one after others had waited")
  }

  @Test("after a refused change the next one runs, and the time of the refused change counts against the limit")
  func refused() async {
    let hand = ManualPaceClock()
    let pace = hand.pace
    await #expect(throws: ChangeRefusal.reason(bytesMax: 1)) {
      try await pace.run(by: 1) {
      } change: { _, time async throws(ChangeRefusal) in
        time.begin()
        hand.go(.milliseconds(301))
        throw ChangeRefusal.reason(bytesMax: 1)
      }
    }
    await change(pace, hand, milliseconds: 0)
    #expect(hand.rests == [.seconds(10)])
  }

  @Test("one change runs at a time, and a user whose change has just run waits behind other users")
  func rounds() async {
    let hand = ManualPaceClock()
    let pace = hand.pace
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    await withTaskGroup { group in
      group.addTask { await pace.run(by: 1, prepare: {}, change: { _, _ in for await _ in gate {} }) }
      while await !pace.isAtWork { await Task.yield() }
      for (uid, waiting) in [(1, 1), (1, 2), (2, 3)] as [(UInt32, Int)] {
        group.addTask { await pace.run(by: uid, prepare: {}, change: { _, _ in hand.went(uid) }) }
        while await pace.waitingCount < waiting { await Task.yield() }
      }
      #expect(hand.order.isEmpty)
      open.finish()
    }
    #expect(hand.order == [2, 1, 1])
  }
}
