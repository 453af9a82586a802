// The options for the time window of an override.

import ArgumentParser
import GameConfAPI

struct WindowOptions: ParsableArguments {
  @Option(name: .customLong("for"), help: ArgumentHelp("For this length of time, such as 2h.", valueName: "length"))
  var duration: String?
  @Option(help: ArgumentHelp("Beginning then.", valueName: "time"))
  var from: String?
  @Option(help: ArgumentHelp("Ending then.", valueName: "time"))
  var until: String?

  var hasEnd: Bool { duration != nil || until != nil }

  /// Returns the override's time window; nil if the options name no window, for a permanent override.
  func window(by daemon: DaemonClient) async throws(CtlFailure) -> WindowText? {
    if duration == nil, from == nil, until == nil { return nil }
    if !WindowText.needsClock(duration: duration, from: from, until: until) {
      return try WindowText(duration: duration, from: from, until: until, now: nil)
    }
    // The options are first parsed with this host's clock, so that invalid ones fail without a request to the daemon.
    _ = try WindowText(duration: duration, from: from, until: until, now: Console.now)
    return try WindowText(duration: duration, from: from, until: until, now: try await daemon.ask(Calls.status).answer.clock.now)
  }
}
