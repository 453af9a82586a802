// Records the signals that stop the process, so that the process can clean up before it ends.

import Glibc
import Synchronization

/// The last signal that requested this process to stop.
enum StopSignals {
  private static let last = Atomic<Int32>(0)

  /// The number of the last stop signal; 0 if no such signal has arrived.
  static var received: Int32 { last.load(ordering: .acquiring) }

  /// Records SIGINT, SIGTERM and SIGHUP from now on, instead of letting them end the process.
  static func record() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { StopSignals.last.store($0, ordering: .releasing) }
    }
  }
}
