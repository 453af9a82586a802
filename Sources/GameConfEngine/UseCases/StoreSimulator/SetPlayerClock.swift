// Moves a player's simulated clock ahead of the game's.
public import GameConfCore

/// What became of a player's clock.
public struct PlayerClockMoved: Sendable, Hashable {
  /// The player's simulated time before, at the host's instant of the change.
  public var nowBefore: Instant
  /// The player's simulated time after it, at the same instant.
  public var now: Instant
  /// How far it is ahead of the game's now.
  public var clock: PlayerClock
  /// What came due in between, oldest first: renewals, expiries and what else the simulated store did by itself.
  public var due: [StoreLogEntry]
}

/// Moves a player's simulated clock forward, and adds to the player's ledger what comes due until then.
public struct SetPlayerClock: Sendable {
  private let desk: PlayerDesk

  /// A use case at a desk.
  public init(_ desk: PlayerDesk) { self.desk = desk }

  /// Moves the clock.
  /// - Throws: `.simulator` (`CLOCK_BACKWARDS`, `CLOCK_TOO_FAR` where more than ``Ledger/dueMax`` things would come due, `OUTSIDE_CALENDAR`),
  ///   `.unknownGame`, `.notAPlayer`, a rate limit, `.reason`, `.changedMeanwhile`, `.repeatedWithOtherContent`, `.store`.
  public func callAsFunction(
    _ id: PlayerID, _ move: PlayerClockMove, _ change: PlayerChange,
    remembering: Remembering<PlayerChanged<PlayerClockMoved>, PlayerRefusal>? = nil
  ) async throws(PlayerRefusal) -> Answered<PlayerChanged<PlayerClockMoved>> {
    let desk = desk
    try desk.rates.countWrite(by: change.author.uid)
    return try await desk.store.change(
      WriteMode(isDryRun: change.isDryRun), remembering: remembering, reused: .repeatedWithOtherContent
    ) { turn in
      var edit = try LedgerEdit(desk, turn, id, change)
      let before = edit.before
      let gameNow = before.game.now(host: change.host)
      let logged = edit.ledger.logCount
      let clock: PlayerClock
      let now: Instant
      do throws(SimulatorRefusal) {
        clock = try move.moved(before.stored.clock, game: gameNow)
        now = clock.now(game: gameNow)
        if before.stored.ledger != nil {
          try edit.ledger.admitMove(to: now)
          edit.replace(edit.ledger.settled(at: now))
        }
      } catch { throw PlayerRefusal.simulator(error) }
      let due = edit.ledger.log.filter { $0.number > logged }
      let stored = try edit.commit(
        clock: clock, .playerClockSet,
        detail: ["offset_milliseconds": .integer(clock.offsetMilliseconds), "due": .integer(Int64(due.count))],
        shown: (["now": .string(before.now.text)], ["now": .string(now.text)]))
      return PlayerChanged(
        outcome: PlayerClockMoved(nowBefore: before.now, now: now, clock: clock, due: due), player: stored)
    }
  }
}
