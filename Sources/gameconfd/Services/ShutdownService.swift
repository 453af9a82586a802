// Stops the daemon in order on SIGTERM or SIGINT.

import Logging
import ServiceLifecycle
import UnixSignals

/// Waits for SIGTERM or SIGINT. When this service ends, the service group stops.
struct ShutdownService: Service {
  /// The stream of stop signals. It is created before the first connection, so that a signal during the start is found here too.
  let endings: UnixSignalsSequence
  let logger: Logger

  func run() async throws {
    for await signal in endings.cancelOnGracefulShutdown() {
      logger.info("ending: \(signal)")
      return
    }
  }
}
