// Simulated time: of a game, and of a player ahead of it.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

/// The calls about simulated time.
struct ClockRoutes {
  let services: DaemonServices

  var routes: [Route] {
    [
      Route(Endpoints.gameClock) { request throws(Problem) in
        let game = try request.game().snapshot
        return .now(
          .json(wire(of: game.clock, of: game.game, host: services.clock.now).wire, revision: UInt64(clamping: game.revision)))
      },
      Route(Endpoints.putGameClock) { request throws(Problem) in try moveGame(request) },
      Route(Endpoints.putPlayerClock) { request throws(Problem) in try movePlayer(request) },
    ]
  }

  private func wire(of clock: SimulatedClock, of game: String, host: Instant, isDryRun: Bool = false) -> ClockAnswer {
    ClockAnswer(
      game: game, now: clock.now(host: host), host: host, rate: Double(clock.rateThousandths) / 1000, isFrozen: services.clock.isFrozen,
      isDryRun: isDryRun)
  }

  private func moveGame(_ request: Request) throws(Problem) -> Reply {
    try request.role.require(.admin, to: "move a game's simulated clock")
    let game = try request.game().snapshot
    let body = try request.shape(PutClock.self)
    let move = GameClockMove(
      try body.target.map { (target) throws(Problem) in try target.engine }, rateThousandths: try body.rate.map(Self.thousandths))
    let context = try request.change(reason: body.reason, now: services.clock.now)
    let render: @Sendable (GameClockChanged) -> Answer = { changed in
      .json(
        wire(of: changed.after, of: game.game, host: context.now, isDryRun: context.isDryRun).wire,
        revision: UInt64(clamping: game.revision))
    }
    let remembering: Remembering<GameClockChanged, PlayerRefusal>? = try request.remembering(
      in: game.game, player: nil, now: context.now
    ) { result in
      switch result {
      case .success(let changed): render(changed)
      case .failure(let refusal): Problem(refusal).answer
      }
    }
    return .task { () async throws(Problem) in
      do throws(PlayerRefusal) {
        switch try await SetGameClock(services.players)(game.game, move, context, remembering: remembering) {
        case .fresh(let changed): return render(changed)
        case .remembered(let answer): return Answer(answer)
        }
      } catch { throw Problem(error) }
    }
  }

  private func movePlayer(_ request: Request) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    let id = try request.playerID()
    let body = try request.shape(PutPlayerClock.self)
    let move: PlayerClockMove =
      switch body.move {
      case .to(let target): .to(try target.engine)
      case .offset(let milliseconds): .offset(milliseconds: milliseconds)
      }
    let change = try request.playerChange(to: "move a player's simulated clock", reason: body.reason, host: services.clock.now)
    return try request.reply(changing: id, change) { changed in
      let moved = changed.outcome
      let offset = moved.clock.offsetMilliseconds
      let answer = PlayerClockAnswer(
        game: id.game, player: id.player, playerRevision: changed.player.revision, now: moved.now,
        gameNow: Instant(milliseconds: moved.now.milliseconds - offset), offsetMilliseconds: offset, due: moved.due.map(\.wire),
        isDryRun: change.isDryRun)
      return changed.answer(answer.wire, of: game)
    } perform: { remembering async throws(PlayerRefusal) in
      try await SetPlayerClock(services.players)(id, move, change, remembering: remembering)
    }
  }

  /// A rate in thousandths, which is as fine as it goes.
  private static func thousandths(_ rate: Double) throws(Problem) -> Int64 {
    let rateMax = SimulatedClock.rateThousandthsMax / 1000
    guard (0...Double(rateMax)).contains(rate) else {
      throw Problem(.clockRate, "A clock runs at a rate from 0 (it stands still) to \(rateMax).", pointer: "/rate")
    }
    let thousandths = (rate * 1000).rounded()
    guard abs(rate * 1000 - thousandths) < 1e-6 * max(1, thousandths), thousandths > 0 || rate == 0 else {
      throw Problem(.clockRate, "A clock's rate has at most three decimals: 0.001 is the slowest that is not 0.", pointer: "/rate")
    }
    return Int64(thousandths)
  }
}

extension WireClockTarget {
  /// Where the clock is moved to.
  /// - Throws: `INVALID_PERIOD`.
  fileprivate var engine: ClockTarget {
    get throws(Problem) {
      switch self {
      case .set(let instant): return .instant(instant)
      case .advance(let text):
        do throws(TimeFault) {
          // `P1D` and `P1W` are calendar periods too; what has hours (`PT36H`, `36h`) is a length.
          let isPeriod = text.hasPrefix("P") && !text.contains("T")
          return isPeriod ? .period(try CalendarPeriod(parsing: text)) : .milliseconds(try DurationText.milliseconds(in: text))
        } catch { throw Problem(.invalidPeriod, error.message, pointer: "/advance") }
      }
    }
  }
}
