// The window of an override, as every command that sets one takes it.

import ArgumentParser
import GameConfAPI

struct WindowOptions: ParsableArguments {
  @Option(name: .customLong("for"), help: ArgumentHelp("For this length of time, such as 2h.", valueName: "length"))
  var duration: String?
  @Option(help: ArgumentHelp("Beginning then.", valueName: "time"))
  var from: String?
  @Option(help: ArgumentHelp("Ending then.", valueName: "time"))
  var until: String?

  /// True if the override has an end.
  var hasEnd: Bool { duration != nil || until != nil }

  /// The window; nil for an override that stands.
  func window(by daemon: DaemonClient) async throws(CtlFailure) -> WindowText? {
    if duration == nil, from == nil, until == nil { return nil }
    if !WindowText.needsClock(duration: duration, from: from, until: until) {
      return try WindowText(duration: duration, from: from, until: until, now: nil)
    }
    // Read once beside this host's clock, so that the daemon is not asked for what cannot be read.
    _ = try WindowText(duration: duration, from: from, until: until, now: Console.now)
    return try WindowText(duration: duration, from: from, until: until, now: try await daemon.ask(Calls.status).answer.clock.now)
  }
}
