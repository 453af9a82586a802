// Lets simulated time stand still while the host's clock is behind what it was.
import GameConfCore
public import GameConfStorage
internal import Synchronization

extension ClockStepDetector {
  /// Holds every game's clock after the host's stepped back: it stands still at what it showed, and goes on when the host has caught up, or when an admin
  /// anchors it again by setting it or its rate. It is in force also while the store cannot keep it.
  /// - Parameters:
  ///   - high: the latest instant that the host's clock showed.
  ///   - now: what it shows since.
  /// - Returns: the games whose clocks are held from now on, by id.
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

/// Watches the host's clock for steps back, over restarts too.
public final class ClockStepDetector: PublicationObserver {
  private let clock: SteadyClock
  private let store: any Store
  private let world: CurrentWorld
  private let hasWritten = Atomic(false)

  /// A watch over a clock. It must follow what the store publishes.
  package init(_ clock: SteadyClock, store: any Store, world: CurrentWorld) {
    self.clock = clock
    self.store = store
    self.world = world
  }

  /// Notes that something was dated.
  public func take(_ batch: CommittedBatch) { hasWritten.store(true, ordering: .relaxed) }

  /// Looks whether the clock stepped back since something was last written before a restart. To be called before anybody is answered.
  /// - Returns: the games whose clocks stand still from now on.
  public func begin() async throws(StoreError) -> [String] {
    if clock.isFrozen { return [] }
    let (seen, now) = (try await store.contents().state.hostSeen, clock.now)
    guard let seen, seen.milliseconds - now.milliseconds >= 1_000 else { return [] }
    return try await hold(from: seen, to: now)
  }

  /// Looks at the clock; to be called each second.
  /// - Returns: the games whose clocks stand still from now on.
  public func look() async throws(StoreError) -> [String] {
    if clock.isFrozen { return [] }
    if let step = clock.stepBack {
      let held = try await hold(from: step.from, to: step.to)
      clock.accept()
      return held
    }
    // What is dated by the clock must be known to be so after a restart; a second is as near as the clock is looked at.
    if hasWritten.exchange(false, ordering: .relaxed) {
      let now = clock.now
      // Nothing else is decided by it, so it waits for no game.
      try await store.write(WriteMode(scope: .players([])), refusing: StoreError.self) { try $0.see(host: now) }
    }
    return []
  }
}
