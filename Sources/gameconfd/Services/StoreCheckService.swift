// Looks after the database's health: its file each second, all of it after the start and then once a day.

import GameConfStorage
import Logging
import ServiceLifecycle

/// Notices damage before somebody's write meets it.
struct StoreCheckService: Service {
  let administration: any StoreAdministration
  let logger: Logger

  private static let checkEachSeconds = 86_400
  private static let againAfterSeconds = 900

  func run() async throws {
    var seconds = 0
    var checksAt = 0
    for await _ in Seconds().cancelOnGracefulShutdown() {
      do throws(StoreError) {
        try await administration.look()
        if seconds % Self.checkEachSeconds == 0 { checksAt = seconds }
        if seconds == checksAt {
          // One that is given up, since much was written meanwhile, is begun again.
          checksAt += Self.againAfterSeconds
          try await administration.dropReplacedCopies()
          try await check()
          checksAt = -1
        }
      } catch {
        // What is wrong with the store stands in its health and was logged when it came about.
        logger.debug("the database could not be checked: \(error)")
      }
      seconds += 1
    }
  }

  private func check() async throws(StoreError) {
    let check = try await administration.check()
    for finding in check.findings { logger.error("the database is damaged: \(finding)") }
    if check.isGood { logger.info("the database is whole, checked in \(check.durationMilliseconds) ms") }
  }
}
