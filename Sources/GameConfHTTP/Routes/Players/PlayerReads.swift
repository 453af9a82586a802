// Reads that need what is kept of a player: from memory on the event loop, else by one indexed read.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

/// Answers reads about players, each within bounds: at once where its rules take few steps, else beside the event loop.
struct PlayerReads: Sendable {
  let recent: RecentPlayers
  let clock: any HostClock
  let longWork: LongWork

  private typealias Bounded = @Sendable (EvaluationBudget) throws(Problem) -> Answer

  /// Answers for a caller; one without a player never waits for anything. When the store cannot be asked, the answer does without the
  /// player's settings and registered context.
  func reply(
    _ context: EvaluationContext, of game: GameSnapshot, for user: UInt32,
    _ answer: @escaping @Sendable (Evaluation) throws(Problem) -> Answer
  ) throws(Problem) -> Reply {
    let evaluate = Evaluate(players: recent, clock: clock)
    let host = clock.now
    if let kept = evaluate.keptAtOnce(of: context, in: game) {
      return try reply(for: user) { budget throws(Problem) in
        try answer(Evaluation(context, kept, in: game, host: host, within: budget))
      }
    }
    return .task { () async throws(Problem) in
      let kept = await evaluate.kept(of: context, in: game)
      return try await self.answer(for: user) { budget throws(Problem) in
        try answer(Evaluation(context, kept, in: game, host: host, within: budget))
      }
    }
  }

  /// Answers about the player in the path; the store's trouble is the answer when it cannot be asked.
  func reply(
    to request: Request, _ answer: @escaping @Sendable (PlayerView) throws(Problem) -> Answer
  ) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    let id = PlayerID(game: game.game, player: try request.pathPlayer())
    let context = try request.locale().map { ObjectValue([("locale", .string($0))]) }
    return try reply(about: id, for: request.role.uid) { known, host, budget throws(Problem) in
      try answer(PlayerView(known, id, of: game, host: host, context: context, budget: budget))
    }
  }

  /// Answers from what the store has of a player.
  /// - Parameter isLong: whether it takes long for other reasons than its rules.
  func reply(
    about id: PlayerID, for user: UInt32, isLong: Bool = false,
    _ answer: @escaping @Sendable (StoredPlayer, _ host: Instant, EvaluationBudget) throws(Problem) -> Answer
  ) throws(Problem) -> Reply {
    let host = clock.now
    if !isLong, let known = recent.cached(id) {
      return try reply(for: user) { budget throws(Problem) in try answer(known, host, budget) }
    }
    return .task { () async throws(Problem) -> Answer in
      let known: StoredPlayer
      do throws(StoreError) { known = try await recent.read(id) } catch { throw Problem(error) }
      if isLong { return try await longWork.evaluation(for: user) { budget throws(Problem) in try answer(known, host, budget) } }
      return try await self.answer(for: user) { budget throws(Problem) in try answer(known, host, budget) }
    }
  }

  private func reply(for user: UInt32, _ body: @escaping Bounded) throws(Problem) -> Reply {
    if let answer = try BoundedEvaluation.within(LogicLimits.loopStepsMax, body) { return .now(answer) }
    return .task { () async throws(Problem) in try await longWork.evaluation(for: user, body) }
  }

  private func answer(for user: UInt32, _ body: @escaping Bounded) async throws(Problem) -> Answer {
    if let answer = try BoundedEvaluation.within(LogicLimits.loopStepsMax, body) { return answer }
    return try await longWork.evaluation(for: user, body)
  }
}

extension PlayerView {
  /// The revisions that every answer about the player carries.
  func answer(_ wire: Value) -> Answer {
    .json(wire, revision: UInt64(clamping: game.revision), playerRevision: UInt64(clamping: stored.revision))
  }
}
