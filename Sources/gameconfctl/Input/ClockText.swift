// The distance of a simulated clock from the host's, in words.

import GameConfAPI
import GameConfCore

enum ClockText {
  /// The time by which a simulated clock is ahead of the host's, in units that fit.
  static func ahead(milliseconds: Int64) -> String {
    let seconds = milliseconds / 1_000
    if seconds == 0 { return "not" }
    // Beside days, hours say nothing.
    let unit: Int64 = seconds.magnitude >= 2 * 86_400 ? 86_400 : seconds.magnitude >= 7_200 ? 3_600 : 1
    return DurationText.text(milliseconds: seconds / unit * unit * 1_000)
  }
}

extension DaemonClient {
  /// A point in time as it was typed; what is relative counts from what the daemon's clock shows.
  func time(_ text: String, _ option: String, side: TimeText.Side = .ahead) async throws(CtlFailure) -> Instant {
    try await TimeText.instant(text, option, side: side) { () async throws(CtlFailure) in try await ask(Calls.status).answer.clock.now }
  }

  /// The beginning of `--since`, as the daemon takes it.
  func past(_ since: String?) async throws(CtlFailure) -> String? {
    guard let since else { return nil }
    return try await time(since, "--since", side: .past).text
  }
}
