// SIGHUP reloads the catalogs.

import ServiceLifecycle
import UnixSignals

/// Waits for SIGHUP.
struct SignalService: Service {
  let reloading: Reloading

  func run() async throws {
    for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() { await reloading(because: "SIGHUP") }
  }
}
