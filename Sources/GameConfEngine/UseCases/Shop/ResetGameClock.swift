// Resets a game's simulated clock to the host's.
public import GameConfCore
public import GameConfStorage

/// The outcome of resetting a game's clock: its time before and after, and the numbers of changed and removed rows.
public struct GameClockResetOutcome: Sendable, Hashable {
  /// The time of the clock before the reset.
  public var nowBefore: Instant
  /// The time of the clock after the reset, which is the host's.
  public var now: Instant
  /// The number of changed players.
  public var players = 0
  /// The number of removed store transactions.
  public var transactions = 0
  /// The number of plays whose instants were set to now.
  public var plays = 0
  /// True if the game's clock differed from the host's before.
  public var isChange = false
}

extension PlayerService {
  /// The most players that a game may have for a reset of its clock. One transaction writes all their rows, and delays other writes.
  public static let clockResetPlayersMax = 50_000
  private static let pageMax = 500

  /// Resets a game's clock to the host's time, which is a step back in simulated time. Always audited. If the clock shows the host's time
  /// already, nothing changes.
  ///
  /// Instants in the simulated future are not retained. Every player's simulated purchases are cleared, and future instants of ads, visits,
  /// milestones and plays are set to now. One transaction changes up to `playersMax` players. Scores, settings and overrides stay.
  /// - Throws: `.unknownGame`, `.tooManyPlayers`, `.reason`, `.changedMeanwhile`, `.repeatedWithOtherContent`, `.store`.
  public func resetClock(
    of game: String, upTo playersMax: Int = Self.clockResetPlayersMax, _ context: ChangeContext,
    remembering: RepeatableChange<GameClockResetOutcome, ChangeRefusal>? = nil
  ) async throws(ChangeRefusal) -> ChangeAnswer<GameClockResetOutcome> {
    let world = world
    return try await store.change(
      WriteMode(isDryRun: context.isDryRun, isAlone: true), remembering: remembering, reused: .repeatedWithOtherContent
    ) { transaction in
      guard world.world[game] != nil else { throw ChangeRefusal.unknownGame(game) }
      if case .gameRevision(let expected)? = context.precondition {
        let actual = try transaction.revision(of: game)
        guard actual == expected else { throw ChangeRefusal.changedMeanwhile(revision: actual) }
      }
      let before = try transaction.clock(ofGame: game)
      var reset = GameClockResetOutcome(nowBefore: before.now(host: context.now), now: SimulatedClock.host.now(host: context.now))
      if before == .host { return reset }
      reset.isChange = true
      try Self.redatePlayers(of: game, upTo: playersMax, in: transaction, context, &reset)
      try transaction.put(.host, ofGame: game)
      var line = AuditRecord(context, action: .clockReset, game: game)
      line.before = ["now": .string(reset.nowBefore.text), "rate": .double(Double(before.rateThousandths) / 1000)]
      line.after = ["now": .string(reset.now.text), "rate": 1.0]
      line.detail = [
        "players": .integer(Int64(reset.players)), "transactions": .integer(Int64(reset.transactions)),
        "plays": .integer(Int64(reset.plays)),
      ]
      try transaction.append(line)
      return reset
    }
  }

  /// Removes the simulated purchases of every player of the game, and sets instants in the player's future to the player's new time.
  private static func redatePlayers(
    of game: String, upTo playersMax: Int, in transaction: WriteTransaction, _ context: ChangeContext, _ reset: inout GameClockResetOutcome
  ) throws {
    var last: String?
    var seen = 0
    while true {
      let page = try transaction.players(in: game, after: last, limit: pageMax)
      for listed in page {
        seen += 1
        if seen > playersMax { throw ChangeRefusal.tooManyPlayers(max: playersMax) }
        let id = PlayerID(game: game, player: listed.player)
        let stored = try transaction.player(id)
        var write = PlayerWrite()
        if let ledger = stored.ledger, !ledger.isFresh {
          write.ledger = ledger.fresh(keepingBehaviour: true)
          reset.transactions += ledger.transactions.count
        }
        if var state = stored.state {
          state.redate(to: stored.clock.now(game: reset.now))
          if state != stored.state { write.state = state }
        }
        let plays = try transaction.redatePlays(of: id, to: stored.clock.now(game: reset.now))
        reset.plays += plays.count
        guard write.ledger != nil || write.state != nil else {
          if !plays.isEmpty { reset.players += 1 }
          continue
        }
        write.at = context.now
        guard try transaction.write(write, of: id, over: stored) != nil else {
          throw ChangeRefusal.store(.failed("a player of \(game) has another revision than was just read"))
        }
        reset.players += 1
      }
      guard page.count == pageMax, let end = page.last?.player else { return }
      last = end
    }
  }
}

extension AuditAction {
  /// A game's simulated clock was reset to the host's.
  public static let clockReset = AuditAction(.clockReset)
}
