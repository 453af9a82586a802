// Checks the database's file each second, and the whole database after the start and once a day.

import GameConfStorage
import Logging
import ServiceLifecycle

/// Checks the database regularly, so that damage is found before a write fails because of it.
struct StoreCheckService: Service {
  let administration: any StoreAdministration
  let logger: Logger

  private static let checkEachSeconds = 86_400
  private static let againAfterSeconds = 900

  func run() async throws {
    var seconds = 0
    var checksAt = 0
    for await _ in SecondTicks().cancelOnGracefulShutdown() {
      do throws(StoreError) {
        try await administration.look()
        if seconds % Self.checkEachSeconds == 0 { checksAt = seconds }
        if seconds == checksAt {
          // The check ends early if much is written while it runs. It is then made again after this pause.
          checksAt += Self.againAfterSeconds
          try await administration.dropReplacedCopies()
          try await check()
          checksAt = -1
        }
      } catch {
        // The reason is in the store's health, and it was logged when the failure began.
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
