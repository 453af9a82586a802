// Large changes one after the other, by a clock that goes on when it is told to.

import GameConfCore
import Synchronization
import Testing

@testable import GameConfEngine

@Suite("The pace of large changes")
struct BulkPaceTests {
  /// A clock that goes on when it is told to, and rests that are over when they are let go.
  final class Hand: Sendable {
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

    var pace: BulkPace { BulkPace(now: { self.now }, rest: { self.rest($0) }) }
  }

  @Test(
    "behind a change comes a rest of a hundred times what it took, none behind a short one, and never more than ten seconds",
    arguments: [(9, []), (10, [1_000]), (99, [9_900]), (100, [10_000]), (101, [10_000]), (9_000, [10_000])] as [(Int, [Int])])
  func rests(milliseconds: Int, rests: [Int]) async {
    let hand = Hand()
    let pace = hand.pace
    await pace.run(by: 1, prepare: {}, change: { _ in hand.go(.milliseconds(milliseconds)) })
    #expect(hand.rests.isEmpty)
    await pace.run(by: 1, prepare: {}, change: { _ in })
    #expect(hand.rests == rests.map { .milliseconds($0) })
  }

  @Test("what is prepared counts for nothing, and a rest that is over is not waited for")
  func preparing() async {
    let hand = Hand()
    let pace = hand.pace
    await pace.run(by: 1, prepare: { hand.go(.seconds(5)) }, change: { _ in hand.go(.milliseconds(20)) })
    hand.go(.milliseconds(1_999))
    await pace.run(by: 1, prepare: {}, change: { _ in hand.go(.milliseconds(10)) })
    hand.go(.seconds(1))
    await pace.run(by: 1, prepare: {}, change: { _ in })
    #expect(hand.rests == [.milliseconds(1)])
  }

  @Test("a change that is refused leaves its place, and rests as long")
  func refused() async {
    let hand = Hand()
    let pace = hand.pace
    await #expect(throws: OverrideError.reason(bytesMax: 1)) {
      try await pace.run(by: 1) {
      } change: { _ async throws(OverrideError) in
        hand.go(.milliseconds(20))
        throw OverrideError.reason(bytesMax: 1)
      }
    }
    await pace.run(by: 1, prepare: {}, change: { _ in })
    #expect(hand.rests == [.milliseconds(2_000)])
  }

  @Test("one goes at a time, and who has just had a turn goes behind the others")
  func turns() async {
    let hand = Hand()
    let pace = hand.pace
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    await withTaskGroup { group in
      group.addTask { await pace.run(by: 1, prepare: {}, change: { _ in for await _ in gate {} }) }
      while await !pace.isAtWork { await Task.yield() }
      for (uid, waiting) in [(1, 1), (1, 2), (2, 3)] as [(UInt32, Int)] {
        group.addTask { await pace.run(by: uid, prepare: {}, change: { _ in hand.went(uid) }) }
        while await pace.waitingCount < waiting { await Task.yield() }
      }
      #expect(hand.order.isEmpty)
      open.finish()
    }
    #expect(hand.order == [2, 1, 1])
  }
}
