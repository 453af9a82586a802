// SIGTERM and SIGINT end the daemon in order.

import Logging
import ServiceLifecycle
import UnixSignals

/// Waits for SIGTERM or SIGINT; when it is over, so are the services beside it.
struct ShutdownService: Service {
  /// Trapped before anybody is served: a signal that comes while the services still start is found here too.
  let endings: UnixSignalsSequence
  let logger: Logger

  func run() async throws {
    for await signal in endings.cancelOnGracefulShutdown() {
      logger.info("ending: \(signal)")
      return
    }
  }
}
