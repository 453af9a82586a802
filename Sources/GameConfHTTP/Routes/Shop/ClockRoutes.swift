// The routes of the simulated clocks of a game and of a player.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

struct ClockRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.gameClock) { call throws(Problem) in
        let game = try call.game.snapshot
        return .now(.ok(wire(of: game.clock, of: game.game, host: services.clock.now), game.revisions))
      },
      CallRoute(Calls.putGameClock) { call throws(Problem) in try moveGame(call) },
      CallRoute(Calls.resetGameClock) { call throws(Problem) in try resetGame(call) },
      CallRoute(Calls.putPlayerClock) { call throws(Problem) in try movePlayer(call) },
    ]
  }

  private func wire(of clock: SimulatedClock, of game: String, host: Instant, isDryRun: Bool = false) -> ClockAnswer {
    ClockAnswer(
      game: game, now: clock.now(host: host), host: host, rate: Double(clock.rateThousandths) / 1000, isFrozen: services.clock.isFrozen,
      isDryRun: isDryRun)
  }

  private func moveGame(_ call: CallContext<PutClock>) throws(Problem) -> TypedReply<ClockAnswer> {
    let game = try call.game.snapshot
    let move = GameClockMove(
      try call.body.target.map { (target) throws(Problem) in try target.engine },
      rateThousandths: try call.body.rate.map(Self.thousandths))
    let context = try call.change(about: nil, reason: call.body.reason, now: services.clock.now)
    return try call.changing(in: game.game, at: context.now) { (changed: GameClockOutcome) in
      .ok(wire(of: changed.after, of: game.game, host: context.now, isDryRun: context.isDryRun), game.revisions)
    } perform: { remembering async throws(ChangeRefusal) in
      try await services.players.setClock(of: game.game, move, context, remembering: remembering)
    }
  }

  private func resetGame(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<ClockResetAnswer> {
    let game = try call.game.snapshot
    let context = try call.change(about: nil, reason: nil, now: services.clock.now)
    return .task { () async throws(Problem) in
      // The reset of the clock deletes purchases, and only a copy of the database can bring them back.
      var copy: String?
      if !context.isDryRun, services.players.world.world[game.game]?.clock != .host {
        do throws(StoreError) { copy = try await services.administration.keepCopy(.beforeReset).name } catch { throw Problem(error) }
      }
      let reply: TypedReply<ClockResetAnswer> = try call.changing(in: game.game, at: context.now) {
        [copy] (reset: GameClockResetOutcome) in
        .ok(
          ClockResetAnswer(
            game: game.game, nowBefore: reset.nowBefore, now: reset.now, players: Int64(reset.players),
            transactions: Int64(reset.transactions), plays: Int64(reset.plays), backup: copy, isDryRun: context.isDryRun), game.revisions)
      } perform: { remembering async throws(ChangeRefusal) in
        try await services.players.resetClock(of: game.game, context, remembering: remembering)
      }
      return try await reply.value
    }
  }

  private func movePlayer(_ call: CallContext<PutPlayerClock>) throws(Problem) -> TypedReply<PlayerClockAnswer> {
    let move = try call.body.engineMove
    return try call.changingPlayer(
      .moveClock(move), services, reason: call.body.reason,
      answer: { changed, id, change in
        let moved = changed.outcome
        let offset = moved.clock.offsetMilliseconds
        return PlayerClockAnswer(
          game: id.game, player: id.player, playerRevision: changed.player.revision, now: moved.now,
          gameNow: Instant(milliseconds: moved.now.milliseconds - offset), offsetMilliseconds: offset, due: moved.due.map(\.wire),
          isDryRun: change.isDryRun)
      })
  }

  /// Converts a clock's rate to thousandths, its smallest unit.
  private static func thousandths(_ rate: Double) throws(Problem) -> Int64 {
    let rateMax = SimulatedClock.rateThousandthsMax / 1000
    guard (0...Double(rateMax)).contains(rate) else {
      throw Problem(.clockRate, "A clock's rate is from 0 (stopped) to \(rateMax).", pointer: "/rate")
    }
    let thousandths = (rate * 1000).rounded()
    guard abs(rate * 1000 - thousandths) < 1e-6 * max(1, thousandths), thousandths > 0 || rate == 0 else {
      throw Problem(.clockRate, "A clock's rate has at most three decimals; 0.001 is the slowest above 0.", pointer: "/rate")
    }
    return Int64(thousandths)
  }
}

extension PutPlayerClock {
  /// The requested move of the player's clock, in the engine's form.
  /// - Throws: `INVALID_PERIOD`.
  var engineMove: PlayerClockMove {
    get throws(Problem) {
      switch move {
      case .to(let target): .to(try target.engine)
      case .offset(let milliseconds): .offset(milliseconds: milliseconds)
      }
    }
  }
}

extension WireClockTarget {
  /// The requested target of the game's clock, in the engine's form.
  /// - Throws: `INVALID_PERIOD`.
  fileprivate var engine: ClockTarget {
    get throws(Problem) {
      switch self {
      case .set(let instant): return .instant(instant)
      case .advance(let text):
        do throws(Fault) {
          // `P1D` and `P1W` could be durations or calendar periods, and count as periods. A text with hours (`PT36H`, `36h`) is a duration.
          let isPeriod = text.hasPrefix("P") && !text.contains("T")
          return isPeriod ? .period(try CalendarPeriod(parsing: text)) : .milliseconds(try DurationText.milliseconds(in: text))
        } catch { throw Problem(.invalidPeriod, error.message, pointer: "/advance") }
      }
    }
  }
}
