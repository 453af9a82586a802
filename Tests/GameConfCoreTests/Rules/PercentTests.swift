// Tests percentage rollouts: their size, their stability, and the instant at which a player enters.

import GameConfCore
import TestSupport
import Testing

@Suite("Percentages")
struct PercentTests {
  private static let day: Int64 = 86_400
  private let moving = Percent(
    from: 0, progress: .init(to: Percent.bucketCount, start: Instant(seconds: 1_000_000), end: Instant(seconds: 1_000_000 + 7 * day)))

  @Test("a 10 % rollout includes the same tenth of a million players on every host")
  func millionPlayers() {
    let percent = Percent(seed: "rollout", from: 10_000_000)
    var count = 0
    var checksum: UInt64 = 1_469_598_103_934_665_603
    for id in 0..<1_000_000 where percent.contains(key: "unused", targetingKey: "player-\(id)", now: Instant(seconds: 0)) {
      count += 1
      checksum = (checksum ^ UInt64(id)) &* 1_099_511_628_211
    }
    #expect((99_000...101_000).contains(count))
    #expect(count == 100_508)
    #expect(checksum == 5_004_290_105_768_260_026, "another set of players than before")
  }

  @Test("0 % includes no player, 100 % every player, and the default seed is the key")
  func ends() {
    for id in 0..<1000 {
      let key = "player-\(id)"
      #expect(!Percent(from: 0).contains(key: "k", targetingKey: key, now: Instant(seconds: 0)))
      #expect(Percent(from: Percent.bucketCount).contains(key: "k", targetingKey: key, now: Instant(seconds: 0)))
      let half = Percent(from: 50_000_000)
      let seeded = Percent(seed: "k", from: 50_000_000)
      #expect(
        half.contains(key: "k", targetingKey: key, now: Instant(seconds: 0))
          == seeded.contains(key: "x", targetingKey: key, now: Instant(seconds: 0)))
    }
  }

  @Test("a growing percentage never excludes a player who was included")
  func neverDrops() {
    for id in 0..<500 {
      var wasIn = false
      for hour in -3...(7 * 24 + 3) {
        let isIn = moving.contains(key: "k", targetingKey: "p\(id)", now: Instant(seconds: 1_000_000 + Int64(hour) * 3600))
        #expect(!wasIn || isIn, "player \(id) fell out in hour \(hour)")
        wasIn = isIn
      }
      #expect(wasIn)
    }
  }

  @Test(
    "a growing percentage is linear between its two instants and constant outside",
    arguments: [(-1, 0), (0, 0), (1, 14_285_714), (2, 28_571_428), (3.5, 50_000_000), (7, 100_000_000), (8, 100_000_000)]
      as [(Double, Int64)])
  func linear(day: Double, share: Int64) {
    #expect(moving.share(at: Instant(seconds: 1_000_000 + Int64(day * Double(Self.day)))) == share)
  }

  @Test("the instant at which a player enters or leaves a percentage is exact to the millisecond")
  func crossings() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<5000 {
      let start = Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)
      let whole = Int64.random(in: 1...1_000_000_000_000, using: &random)
      let percent = Percent(
        from: .random(in: 0...Percent.bucketCount, using: &random),
        progress: .init(
          to: .random(in: 0...Percent.bucketCount, using: &random), start: Instant(milliseconds: start),
          end: Instant(milliseconds: start + whole)))
      let bucket = Int64.random(in: 0..<Percent.bucketCount, using: &random)
      let now = Instant(milliseconds: start + .random(in: -whole...(2 * whole), using: &random))
      let isIn = bucket < percent.share(at: now)
      let last = bucket < (percent.progress?.to ?? 0)
      guard let change = percent.nextChange(bucket: bucket, now: now) else {
        #expect(isIn == last, "a change was not foretold")
        continue
      }
      #expect(change > now)
      #expect((bucket < percent.share(at: change)) != isIn, "nothing changes at \(change)")
      #expect((bucket < percent.share(at: Instant(milliseconds: change.milliseconds - 1))) == isIn, "it changed before \(change)")
    }
  }

  @Test("a fixed percentage has no next change, and one whose growth starts and ends at one instant jumps")
  func degenerate() {
    #expect(Percent(from: 5).nextChange(bucket: 3, now: Instant(seconds: 0)) == nil)
    let jump = Percent(from: 0, progress: .init(to: 100, start: Instant(seconds: 10), end: Instant(seconds: 10)))
    #expect(jump.share(at: Instant(seconds: 9)) == 0)
    #expect(jump.share(at: Instant(seconds: 10)) == 100)
    #expect(jump.nextChange(bucket: 5, now: Instant(seconds: 9)) == Instant(seconds: 10))
  }

  @Test("a percentage between the first and last 64-bit instants does not overflow")
  func farthest() {
    let percent = Percent(
      from: 0, progress: .init(to: Percent.bucketCount, start: Instant(milliseconds: .min), end: Instant(milliseconds: .max)))
    #expect(percent.share(at: Instant(milliseconds: 0)) == 50_000_000)
    #expect(percent.nextChange(bucket: 99_999_999, now: Instant(milliseconds: 0)) != nil)
  }
}
