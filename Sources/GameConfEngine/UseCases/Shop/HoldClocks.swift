// Holds simulated clocks after the host's clock stepped back.
import GameConfCore
public import GameConfStorage
internal import Synchronization

extension ClockStepDetector {
  /// Stops every game's simulated clock at its last time after the host's clock stepped back. A game's clock continues when the host has
  /// caught up, or when an admin sets the clock or its rate. It works even while the database cannot be written.
  /// - Parameters:
  ///   - high: The latest time that the host's clock showed.
  ///   - now: The host's time after the step.
  /// - Returns: The ids of the games whose clocks this call has stopped, sorted.
  private func hold(from high: Instant, to now: Instant) async throws(StoreError) -> [String] {
    let served = world.world.games.map(\.game)
    return try await store.writeSurviving(WriteMode(), refusing: StoreError.self) { transaction in
      var held: [String] = []
      for game in Set(try transaction.clocks().keys).union(served).sorted() {
        let clock = try transaction.clock(ofGame: game)
        let standing = clock.now(host: high)
        guard standing > clock.now(host: now) else { continue }
        let after = SimulatedClock(anchor: standing, hostAnchor: high, rateThousandths: clock.rateThousandths)
        try transaction.put(after, ofGame: game)
        held.append(game)
      }
      try transaction.see(host: now)
      return held
    }
  }
}

/// A detector that finds backward steps of the host's clock, including a step during a restart of the daemon.
public final class ClockStepDetector: PublicationObserver {
  private let clock: SteadyClock
  private let store: any Store
  private let world: CurrentWorld
  private let hasWritten = Atomic(false)

  /// Creates a detector for a clock. It must observe the store's publications.
  package init(_ clock: SteadyClock, store: any Store, world: CurrentWorld) {
    self.clock = clock
    self.store = store
    self.world = world
  }

  /// Records that a batch was committed, so that the next check saves the host's time.
  public func take(_ batch: CommittedBatch) { hasWritten.store(true, ordering: .relaxed) }

  /// Checks whether the host's clock shows an earlier time than at the daemon's last write before its restart. Call this method before the
  /// first answer.
  /// - Returns: The ids of the games whose clocks this call has stopped.
  public func begin() async throws(StoreError) -> [String] {
    if clock.isFrozen { return [] }
    let (seen, now) = (try await store.contents().state.hostSeen, clock.now)
    guard let seen, seen.milliseconds - now.milliseconds >= 1_000 else { return [] }
    return try await hold(from: seen, to: now)
  }

  /// Checks whether the host's clock has stepped back, and stops the games' clocks if it has. Call it every second.
  /// - Returns: The ids of the games whose clocks this call has stopped.
  public func look() async throws(StoreError) -> [String] {
    if clock.isFrozen { return [] }
    if let step = clock.stepBack {
      let held = try await hold(from: step.from, to: step.to)
      clock.accept()
      return held
    }
    // The time of the last write is stored for the check after a restart. Its precision is a second, the interval of this check.
    if hasWritten.exchange(false, ordering: .relaxed) {
      let now = clock.now
      // The scope is empty, because no decision depends on the stored time.
      try await store.write(WriteMode(scope: .players([])), refusing: StoreError.self) { try $0.see(host: now) }
    }
    return []
  }
}
