// The times by which a store waits.

/// How long a store waits for what: reads, looks at a damaged file, pauses between tries and between two saves of the last good state.
///
/// All in milliseconds. The defaults are the daemon's; tests shorten the pauses, and raise the deadline of reads where no deadline is tested.
public struct StoreTimes: Sendable {
  /// The least deadline of a read. A call that gives its read less time gets this much.
  public var readDeadlineMin = 0
  /// The pause between the look that finds damage and the one that confirms it.
  public var secondLook = 1_000
  /// The pause between two tries to open a database that could not be opened.
  public var reopen = 2_000
  /// The least time between two saves of the last good state.
  public var lastGoodPause = 500
  /// The pause after a save of the last good state that failed.
  public var lastGoodRetry = 1_000

  /// The daemon's times.
  public init() {}
}
