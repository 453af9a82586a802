// Reloads the catalogs on SIGHUP.

import ServiceLifecycle
import UnixSignals

struct SignalService: Service {
  /// The stream of SIGHUP signals. It is created before the daemon is ready, because an untrapped SIGHUP ends the process.
  let hangUps: UnixSignalsSequence
  let reloading: CatalogReloader

  func run() async throws {
    // The buffer holds one request, so that any number of signals during a reload causes one further reload.
    let (requests, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in hangUps.cancelOnGracefulShutdown() { continuation.yield() }
        continuation.finish()
      }
      for await _ in requests { await reloading(because: .hangUp) }
    }
  }
}
