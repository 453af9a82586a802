// Gives memory back after something large was let go of: an import that was cleared, a template, a crowd's answers.

import GameConfSystemd
import Logging
import ServiceLifecycle

/// Looks at the heap now and then.
struct MemoryService: Service {
  let logger: Logger

  /// The bytes that may lie free before they are given back: less is used again soon.
  private static let idleBytesMax = 16 << 20
  private static let eachSeconds = 5

  func run() async throws {
    var seconds = 0
    var kept = 0
    for await _ in Seconds().cancelOnGracefulShutdown() {
      seconds += 1
      guard seconds % Self.eachSeconds == 0 else { continue }
      // The services have run through code of their own since the start, each of them once.
      if seconds == Self.eachSeconds { StartMemory.release() }
      let idle = HeapMemory.idleBytes
      // What could not be given back the last time, since it lies among what is in use, is no reason to try again.
      if idle > Self.idleBytesMax, idle > kept + Self.idleBytesMax / 2 {
        await HeapMemory.giveBack()
        kept = HeapMemory.idleBytes
        logger.debug("free memory was returned to the system: \((idle - kept) >> 20) of \(idle >> 20) MiB")
      } else if idle < kept {
        kept = idle
      }
    }
  }
}
