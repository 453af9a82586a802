// Reloads the catalogs on SIGHUP.

import ServiceLifecycle
import UnixSignals

struct SignalService: Service {
  /// The signals, trapped before the daemon is ready, because an untrapped SIGHUP ends the process.
  let hangUps: UnixSignalsSequence
  let reloading: CatalogReloader

  func run() async throws {
    // A buffer of one: signals during a reload cause one further reload, however many there are.
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
