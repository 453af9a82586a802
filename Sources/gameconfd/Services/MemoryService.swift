// Gives memory back after something large was let go of: an import that was cleared, a template, a crowd's answers.

import GameConfSystemd
import Logging
import ServiceLifecycle

/// Looks at the heap now and then.
struct MemoryService: Service {
  let logger: Logger

  /// How much may lie free before it is given back: less is used again soon.
  private static let freeBytesMax = 24 << 20
  private static let eachSeconds = 5

  func run() async throws {
    var seconds = 0
    var kept = 0
    for await _ in Seconds().cancelOnGracefulShutdown() {
      seconds += 1
      guard seconds % Self.eachSeconds == 0 else { continue }
      let free = HeapMemory.freeBytes
      // What could not be given back the last time, since something in use lies behind it, is no reason to try again.
      if free > Self.freeBytesMax, free > kept + Self.freeBytesMax / 2 {
        await HeapMemory.giveBack()
        kept = HeapMemory.freeBytes
        logger.debug("memory that was free was given back: \((free - kept) >> 20) of \(free >> 20) MiB")
      } else if free < kept {
        kept = free
      }
    }
  }
}
