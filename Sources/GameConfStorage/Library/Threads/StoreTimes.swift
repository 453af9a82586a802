// The times by which a store waits.

/// The clock of a store, and how long it waits: for reads, between looks at a damaged file, between tries and between saves of the last good state.
///
/// Every time of a store comes from here. The waits are in milliseconds. The defaults are the daemon's; tests shorten the pauses, raise the deadline of
/// reads where no deadline is tested, and simulate the clock.
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
  /// Returns the present moment.
  public var now: @Sendable () -> ContinuousClock.Instant = { .now }
  /// Calls a closure after a time, on any thread, and returns a closure that cancels the call.
  public var after: @Sendable (_ milliseconds: Int, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void = {
    milliseconds, body in
    let task = Task {
      do { try await Task.sleep(for: .milliseconds(milliseconds)) } catch { return }
      body()
    }
    return { task.cancel() }
  }

  /// The daemon's times.
  public init() {}

  /// Pauses the calling thread.
  static func pause(milliseconds: Int) { _ = Monitor(()).wait(milliseconds: milliseconds) { _ in nil as Void? } }
}
