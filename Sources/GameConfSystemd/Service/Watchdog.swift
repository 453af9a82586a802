// Notifies the service manager that the daemon is alive for as long as every event loop that serves clients turns.

import CSystemd
public import ServiceLifecycle
import Synchronization

/// Pings the manager's watchdog while all event loops answer; a loop that hangs stops the pings, and the manager restarts the daemon.
///
/// A loop is asked by a closure that must run `answered` on it:
///
/// ```swift
/// Watchdog(notifier: notifier, loops: group.map { loop in { answered in loop.execute(answered) } })
/// ```
///
/// It asks four times within the manager's limit, so a loop may be busy for half of `WatchdogSec=` without harm.
/// Put it first in the service group: it then stops last and goes on while connections drain.
public struct Watchdog: Service {
  /// Runs what it is given on one event loop, soon.
  public typealias Loop = @Sendable (_ answered: @escaping @Sendable () -> Void) -> Void

  /// The time for which the manager waits for a sign of life, in microseconds.
  public let limitMicroseconds: UInt64

  private let notifier: ServiceNotifier
  private let loops: [Loop]
  private let onHold: @Sendable (_ silentLoops: [Int]) -> Void

  /// A watchdog over these loops, nil where the manager asked this process for none (`WATCHDOG_USEC`, `WATCHDOG_PID`).
  ///
  /// - Parameter onHold: called once each time that a ping is held back for loops that do not answer, with their positions.
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

  /// Asks and pings until cancelled or, as part of a group, until its turn to stop.
  public func run() async {
    let rounds = WatchdogLoops(count: loops.count)
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        turn(rounds)
        // Cancelled is how it ends.
        try? await Task.sleep(for: .microseconds(Int64(clamping: limitMicroseconds / 4)))
      }
    }
  }

  /// One period: a ping and new questions, or silence.
  func turn(_ rounds: WatchdogLoops) {
    switch rounds.due() {
    case .pingAndAsk(let round):
      notifier.alive()
      for (position, loop) in loops.enumerated() { loop { rounds.answered(loop: position, round: round) } }
    case .hold(let silent, let times):
      if times == 1 { onHold(silent) }
    }
  }
}

/// The rounds, shared between the watchdog and the loops that answer it.
final class WatchdogLoops: Sendable {
  private let rounds: Mutex<WatchdogRounds>

  init(count: Int) { rounds = Mutex(WatchdogRounds(loops: count)) }

  func due() -> WatchdogRounds.Action { rounds.withLock { $0.due() } }
  func answered(loop: Int, round: Int) { rounds.withLock { $0.answered(loop: loop, round: round) } }
}
