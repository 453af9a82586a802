// SIGHUP reloads the catalogs.

import ServiceLifecycle
import UnixSignals

/// Waits for SIGHUP.
struct SignalService: Service {
  /// Trapped before the daemon is ready, so that no SIGHUP ends it.
  let hangUps: UnixSignalsSequence
  let reloading: CatalogReloader

  func run() async throws {
    // A thousand of them ask for no more than one reload after the one that runs.
    let (asked, asking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in hangUps.cancelOnGracefulShutdown() { asking.yield() }
        asking.finish()
      }
      for await _ in asked { await reloading(because: .hangUp) }
    }
  }
}
