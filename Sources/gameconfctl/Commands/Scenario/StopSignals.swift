// Signals that ask to stop, so that what was set up is taken back first.

import Glibc
import Synchronization

/// The last signal that asked this process to stop.
enum StopSignals {
  private static let last = Atomic<Int32>(0)

  /// The signal's number; 0 before the first.
  static var received: Int32 { last.load(ordering: .acquiring) }

  /// From here on these signals are noted and end nothing.
  static func heed() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { StopSignals.last.store($0, ordering: .releasing) }
    }
  }
}
