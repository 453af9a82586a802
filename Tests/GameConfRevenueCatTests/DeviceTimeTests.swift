// Tables of clocks, with the dates that RevenueCat's libraries receive.

import GameConfCore
import Testing

@testable import GameConfRevenueCat

@Suite("Simulated time on a player's device")
struct DeviceTimeTests {
  private static let day: Int64 = 86_400_000
  private static let host = Instant(milliseconds: 1_764_277_200_400)

  private func clock(_ anchor: Int64, since hostAnchor: Int64, rate: Int64) -> SimulatedClock {
    SimulatedClock(
      anchor: Instant(milliseconds: Self.host.milliseconds + anchor),
      hostAnchor: Instant(milliseconds: Self.host.milliseconds + hostAnchor),
      rateThousandths: rate)
  }

  @Test("RevenueCat's libraries receive a date as the host's instant at which the player's clock shows it")
  func instants() {
    let host = Self.host
    func end(_ time: DeviceTimeConverter, _ milliseconds: Int64) -> Int64 {
      time.running(until: Instant(milliseconds: time.now.milliseconds + milliseconds)).milliseconds - time.request.milliseconds
    }
    let plain = DeviceTimeConverter(host: host, game: .host, player: .game)
    #expect(end(plain, 30 * Self.day) == 30 * Self.day + 1000)
    let ahead = DeviceTimeConverter(host: host, game: .host, player: PlayerClock(offsetMilliseconds: 35 * Self.day))
    #expect(
      end(ahead, 30 * Self.day) == 30 * Self.day + 1000
        && ahead.past(host) == Instant(milliseconds: ahead.request.milliseconds - 35 * Self.day))
    let fast = DeviceTimeConverter(host: host, game: clock(0, since: -1000, rate: 3_600_000), player: .game)
    #expect(end(fast, 3_600_000) == 2000, "an hour is a second")
    let stopped = DeviceTimeConverter(host: host, game: clock(7, since: -1000, rate: 0), player: .game)
    #expect(end(stopped, Self.day) == Self.day + 1000)
    let moved = DeviceTimeConverter(host: host, game: clock(10 * Self.day, since: -1000, rate: 3_600_000), player: .game)
    // An instant before the clock was set converts as if the clock ran at the host's rate.
    #expect(
      moved.past(Instant(milliseconds: moved.now.milliseconds - 3_600_000 - Self.day)).milliseconds == (host.milliseconds - 1000 - Self.day)
        / 1000 * 1000)
  }

  @Test(
    "a date for RevenueCat has whole seconds: a future end is rounded up, a past one is before the request",
    arguments: [1, 399, 400, 401, 599, 600, 601, 1600])
  func rounding(milliseconds: Int64) {
    let time = DeviceTimeConverter(host: Self.host, game: .host, player: .game)
    let running = time.running(until: Instant(milliseconds: Self.host.milliseconds + milliseconds))
    let ended = time.ended(at: Instant(milliseconds: Self.host.milliseconds - milliseconds))
    #expect(running > Self.host && running.milliseconds % 1000 == 0 && running.milliseconds - Self.host.milliseconds < milliseconds + 1000)
    #expect(ended < time.request && ended.milliseconds % 1000 == 0)
  }

  @Test("a past date for RevenueCat's libraries is never after the request, and every date is in the years 0001 to 9999")
  func bounds() {
    let time = DeviceTimeConverter(host: Self.host, game: .host, player: .game)
    #expect(time.past(Instant(milliseconds: Self.host.milliseconds + 5_000)) == time.request)
    #expect(time.running(until: .latest).text == "9999-12-31T23:59:59Z")
    let slow = DeviceTimeConverter(host: Self.host, game: clock(0, since: 0, rate: 1), player: .game)
    #expect(slow.running(until: .latest).text == "9999-12-31T23:59:59Z")
    let far = DeviceTimeConverter(host: Self.host, game: .host, player: PlayerClock(offsetMilliseconds: .max))
    #expect(far.past(.earliest).text == "0001-01-01T00:00:00Z")
  }
}
