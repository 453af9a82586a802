// The host's clock without steps back, unless the daemon accepts a step.
public import GameConfCore
internal import Synchronization

/// The host's time, which does not go back by itself. If the underlying clock steps back, this clock returns the same time until the
/// underlying clock has caught up, or until ``accept()`` applies the step.
///
/// This is the only measure against steps of less than a second. For larger ones, ``ClockStepDetector`` first freezes every game's
/// simulated time.
public final class SteadyClock: HostClock {
  private let base: any HostClock
  private let highest: Atomic<Int64>

  /// Creates a clock that begins at the present time of the underlying clock and follows it.
  public init(_ base: any HostClock) {
    self.base = base
    highest = Atomic(base.now.milliseconds)
  }

  /// The host's time, never before the last returned time.
  public var now: Instant {
    let present = base.now.milliseconds
    return Instant(milliseconds: highest.max(present, ordering: .relaxed).newValue)
  }

  /// True if the underlying clock is frozen.
  public var isFrozen: Bool { base.isFrozen }

  /// The last returned time and the time of the underlying clock, if that is at least a second earlier; otherwise nil.
  package var stepBack: (from: Instant, to: Instant)? {
    let (present, last) = (base.now, Instant(milliseconds: highest.load(ordering: .relaxed)))
    return last.milliseconds - present.milliseconds >= 1_000 ? (last, present) : nil
  }

  /// Continues from the time of the underlying clock, even if it is earlier.
  public func accept() { highest.store(base.now.milliseconds, ordering: .relaxed) }
}
