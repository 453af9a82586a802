// SIGHUP reloads the catalogs.

import ServiceLifecycle
import UnixSignals

/// Waits for SIGHUP.
struct SignalService: Service {
  /// Trapped before the daemon is ready, so that no SIGHUP ends it.
  let hangUps: UnixSignalsSequence
  let reloading: Reloading

  func run() async throws {
    for await _ in hangUps.cancelOnGracefulShutdown() { await reloading(because: .hangUp) }
  }
}
