// Lets a game's simulated clock show the host's time again.
public import GameConfCore
public import GameConfStorage

/// The outcome for a game whose clock shows the host's time again.
public struct GameClockResetOutcome: Sendable, Hashable {
  /// The time that the clock showed before.
  public var nowBefore: Instant
  /// The time that it shows now: the host's.
  public var now: Instant
  /// The number of players of whom something was changed.
  public var players = 0
  /// The number of transactions that were cleared.
  public var transactions = 0
  /// The number of plays that got another date.
  public var plays = 0
  /// True if the clock was another than the host's.
  public var isChange = false
}

extension PlayerService {
  /// The most players a game may have for a reset of its clock: their rows are written in one transaction, and others' changes wait meanwhile.
  public static let clockResetPlayersMax = 50_000
  private static let pageMax = 500

  /// Resets a game's clock to the host's, which is a step back in simulated time; always audited. If it shows the host's time already, nothing changes.
  ///
  /// What was dated in that time cannot stay: every player's simulated purchases are cleared, and the instants of ads, visits, milestones and plays
  /// that lie ahead are dated now. It is one transaction, up to that many players. Scores, settings and overrides stay.
  /// - Throws: `.unknownGame`, `.tooManyPlayers`, `.reason`, `.changedMeanwhile`, `.repeatedWithOtherContent`, `.store`.
  public func resetClock(
    of game: String, upTo playersMax: Int = Self.clockResetPlayersMax, _ context: Change,
    remembering: RepeatableChange<GameClockResetOutcome, ChangeRefusal>? = nil
  ) async throws(ChangeRefusal) -> ChangeAnswer<GameClockResetOutcome> {
    let world = world
    return try await store.change(
      WriteMode(isDryRun: context.isDryRun, isAlone: true), remembering: remembering, reused: .repeatedWithOtherContent
    ) { transaction in
      guard world.world[game] != nil else { throw ChangeRefusal.unknownGame(game) }
      if case .gameRevision(let expected)? = context.precondition {
        let actual = try transaction.revision(of: game)
        guard actual == expected else { throw ChangeRefusal.playerChanged(revision: actual) }
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

  /// Takes every player back: no purchases, and nothing ahead of now.
  private static func redatePlayers(
    of game: String, upTo playersMax: Int, in transaction: WriteTransaction, _ context: Change, _ reset: inout GameClockResetOutcome
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
