// Returns free memory to the system after work that used much: an import, a template, many simultaneous responses.

import GameConfSystemd
import Logging
import ServiceLifecycle

/// Checks every five seconds how much heap memory is free, and returns it to the system if it is much.
struct MemoryService: Service {
  let logger: Logger

  /// The number of free bytes that are not returned, because allocations soon use them again.
  private static let idleBytesMax = 16 << 20
  private static let eachSeconds = 5

  func run() async throws {
    var seconds = 0
    var stuck = 0
    for await _ in SecondTicks().cancelOnGracefulShutdown() {
      seconds += 1
      guard seconds % Self.eachSeconds == 0 else { continue }
      // After the first interval each service has run once, so the code that only the start needed can be released.
      if seconds == Self.eachSeconds { ProgramCodeMemory.release() }
      let idle = HeapMemory.idleBytes
      // `stuck` is the free memory that the last attempt could not return, because it lies between allocations (fragmentation). Another
      // attempt is made only if there is much more.
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
