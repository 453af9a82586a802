// Pings the service manager's watchdog while every event loop that serves clients responds.

import CSystemd
public import ServiceLifecycle
import Synchronization

/// Pings the service manager's watchdog while all event loops respond. A loop that hangs stops the pings, and the manager restarts the
/// daemon.
///
/// The watchdog probes a loop through a closure, which must run `answered` on the loop:
///
/// ```swift
/// Watchdog(notifier: notifier, loops: group.map { loop in { answered in loop.execute(answered) } })
/// ```
///
/// It probes the loops four times within the manager's timeout, so a loop may be busy for half of `WatchdogSec=` without harm.
/// Put the watchdog first in the service group: the group then stops it last, and it pings while connections drain.
public struct Watchdog: Service {
  /// An event loop as a function, which schedules the closure on the loop.
  public typealias Loop = @Sendable (_ answered: @escaping @Sendable () -> Void) -> Void

  /// The watchdog timeout of the service manager, in microseconds.
  public let limitMicroseconds: UInt64

  private let notifier: ServiceNotifier
  private let loops: [Loop]
  private let onHold: @Sendable (_ silentLoops: [Int]) -> Void

  /// Creates a watchdog for these loops; nil if the manager expects no pings of this process (`WATCHDOG_USEC`, `WATCHDOG_PID`).
  ///
  /// - Parameter onHold: Called once for each pause of the pings, with the positions of the loops that do not respond.
  public init?(
    notifier: ServiceNotifier, loops: [Loop], onHold: @escaping @Sendable (_ silentLoops: [Int]) -> Void = { _ in }
  ) {
    var limit: UInt64 = 0
    guard sd_watchdog_enabled(0, &limit) > 0, limit > 0 else { return nil }
    self.init(notifier: notifier, limitMicroseconds: limit, loops: loops, onHold: onHold)
  }

  init(
    notifier: ServiceNotifier, limitMicroseconds: UInt64, loops: [Loop],
    onHold: @escaping @Sendable (_ silentLoops: [Int]) -> Void = { _ in }
  ) {
    self.notifier = notifier
    self.limitMicroseconds = limitMicroseconds
    self.loops = loops
    self.onHold = onHold
  }

  /// Probes and pings until the task is cancelled or the service group stops it.
  public func run() async {
    let rounds = WatchdogLoops(count: loops.count)
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        beginRound(rounds)
        // A cancelled sleep throws. The condition of `while` then ends the probes.
        try? await Task.sleep(for: .microseconds(Int64(clamping: limitMicroseconds / 4)))
      }
    }
  }

  /// Begins a round of probes: pings the service manager and probes all loops. Sends no ping if a loop has not answered the last probe.
  func beginRound(_ rounds: WatchdogLoops) {
    switch rounds.due() {
    case .pingAndAsk(let round):
      notifier.alive()
      for (position, loop) in loops.enumerated() { loop { rounds.answered(loop: position, round: round) } }
    case .hold(let silent, let times):
      if times == 1 { onHold(silent) }
    }
  }
}

/// The state of the rounds of probes, which the watchdog and the event loops change from their threads.
final class WatchdogLoops: Sendable {
  private let rounds: Mutex<WatchdogRounds>

  init(count: Int) { rounds = Mutex(WatchdogRounds(loops: count)) }

  func due() -> WatchdogRounds.Action { rounds.withLock { $0.due() } }
  func answered(loop: Int, round: Int) { rounds.withLock { $0.answered(loop: loop, round: round) } }
}
