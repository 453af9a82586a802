// The signals to stop, which are recorded so that the process cleans up first.

import Glibc
import Synchronization

/// The last signal that requested this process to stop.
enum StopSignals {
  private static let last = Atomic<Int32>(0)

  /// The signal's number; 0 before the first.
  static var received: Int32 { last.load(ordering: .acquiring) }

  /// Records these signals from now on, instead of letting them end the process.
  static func record() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { StopSignals.last.store($0, ordering: .releasing) }
    }
  }
}
