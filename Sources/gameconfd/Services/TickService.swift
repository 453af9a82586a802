// The daemon's periodic work: time windows that begin or end, scheduled templates, ended scenarios, expired data, the status line.

import GameConfCore
import GameConfEngine
import GameConfStorage
import Logging
import ServiceLifecycle

/// Does the work that becomes due as time passes, each second.
struct TickService: Service {
  let store: any Store
  let clock: any HostClock
  let clockSteps: ClockStepDetector
  let logger: Logger
  let status: StatusLine
  let list: DegradationList
  let world: CurrentWorld
  let reloading: CatalogReloader
  let due: DueWork
  /// Returns true if this daemon holds the lease for removing expired data; nil if no other daemon shares the store.
  let mayRetain: (@Sendable () async throws(StoreError) -> Bool)?
  /// Checks for other hosts' changes each second; nil if no other host shares the store.
  let lookAtOthers: (@Sendable () -> Void)?

  private static let reloadAgainEachSeconds = 10
  private static let retentionSlicesMax = 40
  private static let retentionEachSeconds = Int(StoreLimits.timeStepMilliseconds / 1000)

  func run() async throws {
    var seconds = 0
    let uptime = UptimeClock()
    var retained = uptime.milliseconds
    for await _ in SecondTicks().cancelOnGracefulShutdown() {
      await lookAtClock()
      for note in await due.run(now: clock.now) { logger.note(note, delayedAs: .debug) }
      // Some degradations begin or end by the passage of time alone.
      list.refresh(in: world.world)
      status.refresh()
      lookAtOthers?()
      if seconds % Self.retentionEachSeconds == 0 {
        let now = uptime.milliseconds
        if await retain(passed: now - retained) { retained = now }
      }
      if seconds % Self.reloadAgainEachSeconds == 0, await reloading.isIncomplete { await reloading(because: .again) }
      seconds += 1
    }
  }

  private func lookAtClock() async {
    do throws(StoreError) {
      let held = try await clockSteps.look()
      if !held.isEmpty { logger.noteHeldClocks(of: held) }
    } catch {
      logger.debug("the check of the host's clock is delayed: \(error)")
    }
  }

  /// Removes expired data from the store.
  /// - Parameter passed: The elapsed time in milliseconds that the store has not been notified of.
  /// - Returns: True if the store was notified.
  private func retain(passed: Int64) async -> Bool {
    var unreported = passed
    do throws(StoreError) {
      if let mayRetain, try await !mayRetain() { return true }
      // A shutdown waits for this loop, so the number of steps is limited. The next run removes the rest.
      for _ in 0..<Self.retentionSlicesMax {
        let isMore = try await store.applyRetention(now: clock.now, passed: unreported)
        unreported = 0
        if !isMore { break }
      }
    } catch {
      logger.debug("retention waits: \(error)")
    }
    return unreported == 0
  }
}

/// A sequence with an element each second, until its task is cancelled.
struct SecondTicks: AsyncSequence {
  struct AsyncIterator: AsyncIteratorProtocol {
    func next() async -> Void? {
      do { return try await Task.sleep(for: .seconds(1)) } catch { return nil }
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
