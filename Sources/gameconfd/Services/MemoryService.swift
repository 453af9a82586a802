// Returns free memory to the system after a large use: a cleared import, a template, many simultaneous answers.

import GameConfSystemd
import Logging
import ServiceLifecycle

/// Returns free heap memory to the system, if there is much, every few seconds.
struct MemoryService: Service {
  let logger: Logger

  /// The free bytes that the process may keep, because allocations reuse them soon.
  private static let idleBytesMax = 16 << 20
  private static let eachSeconds = 5

  func run() async throws {
    var seconds = 0
    var stuck = 0
    for await _ in SecondTicks().cancelOnGracefulShutdown() {
      seconds += 1
      guard seconds % Self.eachSeconds == 0 else { continue }
      // By now each service has run once, so the code of the start is no longer needed.
      if seconds == Self.eachSeconds { ResidentCode.release() }
      let idle = HeapMemory.idleBytes
      // `stuck` is the memory that the last attempt could not return, because it lies between allocations. Only more is worth another attempt.
      if idle > Self.idleBytesMax, idle > stuck + Self.idleBytesMax / 2 {
        await HeapMemory.giveBack()
        stuck = HeapMemory.idleBytes
        logger.debug("free memory was returned to the system: \((idle - stuck) >> 20) of \(idle >> 20) MiB")
      } else if idle < stuck {
        stuck = idle
      }
    }
  }
}
