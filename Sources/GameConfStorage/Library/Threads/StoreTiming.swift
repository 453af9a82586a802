// The clock and the pauses of a store.

/// The clock of a store, the deadline of its reads, and its pauses: before a damaged file is checked again, between attempts to open a
/// database, and between saves of the last good state.
///
/// A store reads every time from here. Pauses are in milliseconds. The defaults are the daemon's. Tests shorten the pauses, raise the
/// deadline of reads where no deadline is tested, and simulate the clock.
public struct StoreTiming: Sendable {
  /// The minimum deadline of a read. A shorter deadline is raised to it.
  public var readDeadlineMin = 0
  /// The pause between the check that finds damage and the one that confirms it.
  public var secondLook = 1_000
  /// The pause between two attempts to open a database.
  public var reopen = 2_000
  /// The minimum time between two saves of the last good state.
  public var lastGoodPause = 500
  /// The pause after a failed save of the last good state.
  public var lastGoodRetry = 1_000
  /// Returns the time by which deadlines, intervals and pauses are measured.
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

  /// Creates the clock and the pauses of the daemon. Tests then change single ones.
  public init() {}

  /// Blocks the calling thread for a time.
  static func pause(milliseconds: Int) { _ = Monitor(()).wait(milliseconds: milliseconds) { _ in nil as Void? } }
}
