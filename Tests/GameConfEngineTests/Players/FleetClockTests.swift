// The time of a fleet, as one host computes it.
import GameConfCore
import GameConfStorage
import Synchronization
import Testing

@Suite("The time of a fleet")
struct FleetClockTests {
  private final class Uptime: Sendable {
    let milliseconds = Mutex<Int64>(10_000)
    func pass(_ count: Int64) { milliseconds.withLock { $0 += count } }
  }

  private let uptime = Uptime()
  private var clock: FleetClock {
    FleetClock(over: FrozenClock(at: Instant(seconds: 5_000))) { [uptime] in uptime.milliseconds.withLock { $0 } }
  }

  @Test("the fleet's time is the host's until the database sends its own, and then advances with the uptime")
  func learns() {
    let clock = clock
    #expect(clock.now == Instant(seconds: 5_000) && clock.hostAheadMilliseconds == nil)
    clock.learn(Instant(seconds: 1_400), sentAt: 9_990, answeredAt: 10_010)
    #expect(clock.now == Instant(seconds: 1_400) && clock.hostAheadMilliseconds == 3_600_000)
    uptime.pass(2_500)
    #expect(clock.now == Instant(milliseconds: 1_402_500))
  }

  @Test("an answer of the database moves the fleet's time only if the difference is larger than the answer's delay explains")
  func slow() {
    let clock = clock
    clock.learn(Instant(seconds: 1_400), sentAt: 10_000, answeredAt: 10_000)
    // The database may have read its clock at any time within the two seconds between request and answer.
    clock.learn(Instant(milliseconds: 1_400_900), sentAt: 9_000, answeredAt: 11_000)
    #expect(clock.now == Instant(seconds: 1_400))
    clock.learn(Instant(milliseconds: 1_400_100), sentAt: 9_990, answeredAt: 10_010)
    #expect(clock.now == Instant(milliseconds: 1_400_089))
    clock.learn(Instant(seconds: 1_300), sentAt: 10_000, answeredAt: 10_000)
    #expect(clock.now == Instant(milliseconds: 1_300_001))
  }
}
