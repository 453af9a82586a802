// Moves a player's simulated clock ahead of the game's.
public import GameConfCore

/// The outcome of moving a player's simulated clock, with the store events that the move made due.
public struct PlayerClockOutcome: Sendable, Hashable {
  /// The player's simulated time before, at the host's instant of the change.
  public var nowBefore: Instant
  /// The player's simulated time after, at the same instant.
  public var now: Instant
  /// The player's clock after the move, as an offset from the game's clock.
  public var clock: PlayerClock
  /// The events of the simulated store that came due by the move, oldest first, such as renewals and expiries.
  public var due: [ShopLogEntry]
}

extension PlayerAct<PlayerClockOutcome> {
  /// Moves a player's simulated clock forward, and adds the events due until then to the player's ledger.
  ///
  /// It throws `.refused`: `CLOCK_BACKWARDS`, `CLOCK_TOO_FAR` if more than ``Ledger/dueMax`` events would come due, `OUTSIDE_CALENDAR`.
  public static func moveClock(_ move: PlayerClockMove) -> Self { Self { edit in try edit.move(move) } }
}

extension PlayerEdit {
  func move(_ move: PlayerClockMove) throws -> PlayerChangeOutcome<PlayerClockOutcome> {
    var shop = LedgerEdit(self)
    let game = view.game.now(host: change.now)
    let clock = try move.moved(view.stored.clock, game: game)
    let now = clock.now(game: game)
    if view.stored.ledger != nil {
      try shop.ledger.admitMove(to: now)
      shop.replace(shop.ledger.settled(at: now))
    }
    let moved = PlayerClockOutcome(
      nowBefore: view.now, now: now, clock: clock, due: shop.ledger.log.filter { $0.number > view.ledger.logCount })
    return try shop.commit(
      moved, .playerClockSet,
      ["offset_milliseconds": .integer(clock.offsetMilliseconds), "due": .integer(Int64(moved.due.count))], clock: clock,
      shown: (["now": .string(view.now.text)], ["now": .string(now.text)]))
  }
}
