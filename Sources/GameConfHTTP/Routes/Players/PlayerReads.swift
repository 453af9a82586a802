// Reads that need what is kept of a player: from memory on the event loop, else by one indexed read.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

/// Answers reads about players.
struct PlayerReads: Sendable {
  let recent: RecentPlayers
  let clock: any HostClock

  /// Answers for a caller; one without a player never waits for anything. When the store cannot be asked, the answer does without the
  /// player's settings and registered context.
  func reply<Body>(
    _ context: EvaluationContext, of game: GameSnapshot,
    _ answer: @escaping @Sendable (Evaluation) throws(Problem) -> TypedAnswer<Body>
  ) throws(Problem) -> TypedReply<Body> {
    let evaluate = Evaluate(players: recent, clock: clock)
    if let seen = evaluate.atOnce(context, in: game) { return .now(try answer(seen)) }
    return .task { () async throws(Problem) in try answer(await evaluate(context, in: game)) }
  }

  /// Answers about the player in the path; the store's trouble is the answer when it cannot be asked.
  func reply<Ask, Body>(
    to asked: Asked<Ask>, _ answer: @escaping @Sendable (PlayerView) throws(Problem) -> TypedAnswer<Body>
  ) throws(Problem) -> TypedReply<Body> {
    let game = try asked.game.snapshot
    let id = PlayerID(game: game.game, player: try asked.request.pathPlayer())
    let context = asked.locale(.locale).map { ObjectValue([("locale", .string($0))]) }
    let host = clock.now
    if let known = recent.cached(id) { return .now(try answer(PlayerView(known, id, of: game, host: host, context: context))) }
    return .task { () async throws(Problem) in
      let known: StoredPlayer
      do throws(StoreError) { known = try await recent.read(id) } catch { throw Problem(error) }
      return try answer(PlayerView(known, id, of: game, host: host, context: context))
    }
  }
}
