// The host's clock as the daemon goes by it: a step back is taken only when simulated time is held.
public import GameConfCore
internal import Synchronization

/// Gives the host's time and does not go back by itself: where the clock beneath steps back, it stands still until that has caught up, or until
/// ``accept()`` takes the step.
///
/// A step of less than a second is not seen this way. For a larger step ``ClockStepDetector`` first lets every game's simulated time stand still.
public final class SteadyClock: HostClock {
  private let base: any HostClock
  private let highest: Atomic<Int64>

  /// A clock over another.
  public init(_ base: any HostClock) {
    self.base = base
    highest = Atomic(base.now.milliseconds)
  }

  /// The host's time, never before the time that was given last.
  public var now: Instant {
    let present = base.now.milliseconds
    return Instant(milliseconds: highest.max(present, ordering: .relaxed).newValue)
  }

  /// True if the clock beneath stands still.
  public var isFrozen: Bool { base.isFrozen }

  /// The step of the clock beneath, when it shows a second or more before the time that was given last.
  package var stepBack: (from: Instant, to: Instant)? {
    let (present, told) = (base.now, Instant(milliseconds: highest.load(ordering: .relaxed)))
    return told.milliseconds - present.milliseconds >= 1_000 ? (told, present) : nil
  }

  /// Goes on from what the clock beneath shows, be it earlier.
  public func accept() { highest.store(base.now.milliseconds, ordering: .relaxed) }
}
