// Says in a sentence how RevenueCat's libraries read the state of a player.

import GameConfAPI
import GameConfCore

/// Converts a player's simulated time to the time on the player's device, which uses the host's clock.
struct DeviceClock: Sendable {
  private let now: Instant
  private let host: Instant
  private let rate: Double

  init(_ player: PlayerClockAnswer, _ game: ClockAnswer) {
    (now, host, rate) = (player.now, game.host, game.rate)
  }

  /// Returns the device's instant at which the player's simulated clock shows `end`.
  func host(of end: Instant) -> Instant {
    let (distance, overflows) = end.milliseconds.subtractingReportingOverflow(now.milliseconds)
    guard !overflows else { return end }
    let scaled = rate > 0 ? (Double(distance) / rate).rounded(.up) : Double(distance)
    return Int64(exactly: scaled).flatMap { host.adding(milliseconds: $0) } ?? .latest
  }
}

enum RevenueCatWords {
  /// Returns the active entitlements in words, each with its end and its renewal.
  static func of(_ answer: EntitlementsAnswer, _ device: DeviceClock) -> Sentence {
    let active = answer.entitlements.filter(\.isActive).map { each -> Sentence in
      guard let end = each.expiresAt else { return "\(each.id) active for good" }
      // RevenueCat's libraries report no renewal once a renewal has failed, even if the store still retries.
      let renews = each.willRenew && each.billingIssuesDetectedAt == nil
      return "\(each.id) active until \(time: device.host(of: end), .clock), will \(renews ? "renew" : "not renew")"
    }
    return active.isEmpty ? "nothing active" : active.joined(separator: "; ")
  }
}
