// Answers that need a player's stored data. The data is taken from memory on the event loop, otherwise from one indexed read of the
// database.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

/// Answers reads about players: on the event loop if the rules take few steps, otherwise on another thread.
struct PlayerReads: Sendable {
  let recent: PlayerCache
  let plays: PlayCache
  let clock: any HostClock
  let longWork: SlicedWork

  private typealias Bounded<Body: CallBody> = @Sendable (EvaluationBudget) throws(Problem) -> TypedAnswer<Body>

  /// Evaluates values for a caller and replies. Without a player, nothing is read from the database. If the database cannot be read, the
  /// answer lacks the player's settings and registered context.
  func reply<Body>(
    _ context: EvaluationContext, of game: GameSnapshot, for user: UInt32,
    _ answer: @escaping @Sendable (Evaluation) throws(Problem) -> TypedAnswer<Body>
  ) throws(Problem) -> TypedReply<Body> {
    try reply(keeping: context, of: game, for: user) { context, loadedPlayer, host, budget throws(Problem) in
      try answer(Evaluation(context, loadedPlayer, in: game, host: host, within: budget))
    }
  }

  /// Loads the caller's stored data and the play that the context names, and replies with the result of `answer`.
  func reply<Body>(
    keeping context: EvaluationContext, of game: GameSnapshot, for user: UInt32,
    _ answer: @escaping @Sendable (EvaluationContext, CachedPlayer, _ host: Instant, EvaluationBudget) throws(Problem) -> TypedAnswer<Body>
  ) throws(Problem) -> TypedReply<Body> {
    let evaluate = Evaluate(players: recent, clock: clock)
    let host = clock.now
    if let context = withPlayAtOnce(context, of: game), let loadedPlayer = evaluate.cachedPlayer(of: context, in: game) {
      return try reply(for: user) { budget throws(Problem) in try answer(context, loadedPlayer, host, budget) }
    }
    return .task { () async throws(Problem) in
      let context = try await withPlay(context, of: game)
      let loadedPlayer = await evaluate.loadedPlayer(of: context, in: game)
      return try await self.answer(for: user) { budget throws(Problem) in try answer(context, loadedPlayer, host, budget) }
    }
  }

  /// Returns the context with the play that it names, if the play is in memory; nil if the database must be read.
  func withPlayAtOnce(_ context: EvaluationContext, of game: GameSnapshot) -> EvaluationContext? {
    guard let id = context.playID, let player = context.player, context.play == nil else { return context }
    guard let play = plays.cached(id, of: PlayerID(game: game.game, player: player)) else { return nil }
    var context = context
    context.play = play
    return context
  }

  /// Returns the context with the play that it names, which may be read from the database.
  /// - Throws: `UNKNOWN_PLAY`. An error of the database is thrown too, because values without the play would be wrong.
  func withPlay(_ context: EvaluationContext, of game: GameSnapshot) async throws(Problem) -> EvaluationContext {
    if let known = withPlayAtOnce(context, of: game) { return known }
    guard let id = context.playID, let player = context.player else { return context }
    var context = context
    do throws(ChangeRefusal) {
      context.play = try await plays.read(id, of: PlayerID(game: game.game, player: player))
    } catch { throw Problem(error) }
    return context
  }

  /// Replies with an answer about the player in the path. If the database cannot be read, the reply is the database's error.
  func reply<Ask, Body>(
    to call: CallContext<Ask>, _ answer: @escaping @Sendable (PlayerView) throws(Problem) -> TypedAnswer<Body>
  ) throws(Problem) -> TypedReply<Body> {
    let game = try call.game.snapshot
    let id = PlayerID(game: game.game, player: try call.request.pathPlayer())
    let context = call.locale(.locale).map { ObjectValue([("locale", .string($0))]) }
    return try reply(about: id, for: call.role.uid, counting: game.table.playerRules.bestCounts) { known, host, budget throws(Problem) in
      try answer(PlayerView(known, id, of: game, host: host, context: context, budget: budget))
    }
  }

  /// Replies with an answer from a player's stored data.
  /// - Parameters:
  ///   - isLong: True if the answer takes long even if the rules take few steps.
  ///   - counts: The counts of best scores that milestones need. They are loaded with the player.
  func reply<Body>(
    about id: PlayerID, for user: UInt32, isLong: Bool = false, counting counts: [BestCount] = [],
    _ answer: @escaping @Sendable (StoredPlayer, _ host: Instant, EvaluationBudget) throws(Problem) -> TypedAnswer<Body>
  ) throws(Problem) -> TypedReply<Body> {
    let host = clock.now
    if !isLong, let known = recent.cached(id, counting: counts) {
      return try reply(for: user) { budget throws(Problem) in try answer(known, host, budget) }
    }
    return .task { () async throws(Problem) in
      let known: StoredPlayer
      do throws(StoreError) { known = try await recent.read(id, counting: counts) } catch { throw Problem(error) }
      if isLong { return try await longWork.evaluation(for: user) { budget throws(Problem) in try answer(known, host, budget) } }
      return try await self.answer(for: user) { budget throws(Problem) in try answer(known, host, budget) }
    }
  }

  private func reply<Body>(for user: UInt32, _ body: @escaping Bounded<Body>) throws(Problem) -> TypedReply<Body> {
    if let answer = try BoundedEvaluation.within(LogicLimits.loopStepsMax, body) { return .now(answer) }
    return .task { () async throws(Problem) in try await longWork.evaluation(for: user, body) }
  }

  private func answer<Body>(for user: UInt32, _ body: @escaping Bounded<Body>) async throws(Problem) -> TypedAnswer<Body> {
    if let answer = try BoundedEvaluation.within(LogicLimits.loopStepsMax, body) { return answer }
    return try await longWork.evaluation(for: user, body)
  }
}
