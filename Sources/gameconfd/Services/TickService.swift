// Looks at the clock each second: windows begin and end, old lines go, the status line is kept current.

import GameConfCore
import GameConfEngine
import GameConfStorage
import Logging
import ServiceLifecycle

/// The work that the daemon does by itself as time passes.
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
  /// True if it is for this daemon to remove what is kept no longer; nil where no other shares the store.
  let mayRetain: (@Sendable () async throws(StoreError) -> Bool)?
  /// The look at other hosts each second where they write to the same store; nil where nobody does.
  let lookAtOthers: (@Sendable () -> Void)?

  private static let reloadAgainEachSeconds = 10
  private static let retentionSlicesMax = 40
  private static let retentionEachSeconds = Int(StoreLimits.timeStepMilliseconds / 1000)

  func run() async throws {
    var seconds = 0
    let uptime = UptimeClock()
    var retained = uptime.milliseconds
    for await _ in Seconds().cancelOnGracefulShutdown() {
      await lookAtClock()
      for note in await due.run(now: clock.now) { logger.note(note, delayedAs: .debug) }
      // Some degradations begin, are shown or end with the time.
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

  /// - Parameter passed: how much time was seen passing since the store was last notified, in milliseconds.
  /// - Returns: whether the store was notified.
  private func retain(passed: Int64) async -> Bool {
    var untold = passed
    do throws(StoreError) {
      if let mayRetain, try await !mayRetain() { return true }
      // What is left waits for the next time, so that stopping does not wait for it.
      for _ in 0..<Self.retentionSlicesMax {
        let isMore = try await store.applyRetention(now: clock.now, passed: untold)
        untold = 0
        if !isMore { break }
      }
    } catch {
      logger.debug("retention waits: \(error)")
    }
    return untold == 0
  }
}

/// A tick each second for as long as it is listened to.
struct Seconds: AsyncSequence {
  struct AsyncIterator: AsyncIteratorProtocol {
    func next() async -> Void? {
      do { return try await Task.sleep(for: .seconds(1)) } catch { return nil }
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
