// The difference between a simulated clock and the host's, in words.

import GameConfAPI
import GameConfCore

enum ClockText {
  /// Returns the duration by which a simulated clock is ahead of the host's clock, in suitable units.
  static func ahead(milliseconds: Int64) -> String {
    let seconds = milliseconds / 1_000
    if seconds == 0 { return "not" }
    // A difference of two days or more is shown without hours.
    let unit: Int64 = seconds.magnitude >= 2 * 86_400 ? 86_400 : seconds.magnitude >= 7_200 ? 3_600 : 1
    return DurationText.text(milliseconds: seconds / unit * unit * 1_000)
  }
}

extension DaemonClient {
  /// Parses a point in time that a user typed. A relative time refers to the daemon's clock.
  func time(_ text: String, _ option: String, side: TimeText.Side = .ahead) async throws(CtlFailure) -> Instant {
    try await TimeText.instant(text, option, side: side) { () async throws(CtlFailure) in try await ask(Calls.status).answer.clock.now }
  }

  /// Returns the point in time of the option `--since` in the form that the daemon reads; nil without that option.
  func past(_ since: String?) async throws(CtlFailure) -> String? {
    guard let since else { return nil }
    return try await time(since, "--since", side: .past).text
  }
}
