// Moves a game's simulated clock.
public import GameConfCore
import GameConfStorage

/// The outcome of changing a game's clock: its settings and simulated time before and after, at the same instant of the host.
public struct GameClockOutcome: Sendable, Hashable {
  /// The clock's settings before the change.
  public var before: SimulatedClock
  /// The clock's settings after the change.
  public var after: SimulatedClock
  /// The simulated time before, at the host's instant of the change.
  public var nowBefore: Instant
  /// The simulated time after, at the same instant.
  public var now: Instant
  /// The id of the audit line; nil if nothing changed. A dry run's line is not stored.
  public var audit: Int64?
}

extension PlayerService {
  /// Moves a game's simulated clock forward or changes its rate. Always audited.
  ///
  /// Every reader sees the change when this returns, and it survives restarts. It writes no player's purchases: events that come due are
  /// computed at the next read of the player.
  /// - Throws: `.unknownGame`, `.refused` (`CLOCK_BACKWARDS`, `CLOCK_RATE`, `OUTSIDE_CALENDAR`), `.reason`, `.changedMeanwhile`,
  ///   `.repeatedWithOtherContent`, `.store`.
  public func setClock(
    of game: String, _ move: GameClockMove, _ context: ChangeContext, remembering: RepeatableChange<GameClockOutcome, ChangeRefusal>? = nil
  ) async throws(ChangeRefusal) -> ChangeAnswer<GameClockOutcome> {
    let world = world
    return try await store.change(
      WriteMode(isDryRun: context.isDryRun, scope: .game(game)), remembering: remembering, reused: .repeatedWithOtherContent
    ) { transaction in
      guard world.world[game] != nil else { throw ChangeRefusal.unknownGame(game) }
      if let reason = context.reason { try ChangeContext.check(reason: reason) }
      if case .gameRevision(let expected)? = context.precondition {
        let actual = try transaction.revision(of: game)
        guard actual == expected else { throw ChangeRefusal.changedMeanwhile(revision: actual) }
      }
      let before = try transaction.clock(ofGame: game)
      let after: SimulatedClock
      do throws(Refusal) { after = try move.moved(before, host: context.now) } catch { throw ChangeRefusal.refused(error) }
      var changed = GameClockOutcome(
        before: before, after: after, nowBefore: before.now(host: context.now), now: after.now(host: context.now))
      if after == before { return changed }
      try transaction.put(after, ofGame: game)
      var line = AuditRecord(context, action: .clockSet, game: game)
      line.before = before.shown(host: context.now)
      line.after = after.shown(host: context.now)
      changed.audit = try transaction.append(line).id
      return changed
    }
  }
}

extension SimulatedClock {
  /// Returns the clock in the form of the audit log.
  fileprivate func shown(host: Instant) -> Value {
    ["now": .string(now(host: host).text), "rate": .double(Double(rateThousandths) / 1000)]
  }
}
