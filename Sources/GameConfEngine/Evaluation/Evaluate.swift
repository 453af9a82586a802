// Loads the stored player for an evaluation: from the cache, otherwise by one indexed read.

internal import GameConfCore
public import GameConfStorage

/// Evaluates a game with the stored player from the cache, otherwise from the store.
public struct Evaluate: Sendable {
  /// The cache that stored players are looked up in.
  public let players: PlayerCache
  /// The clock that dates evaluations.
  public let clock: any HostClock

  /// Creates an evaluator, which reads the store only for players that the cache lacks.
  public init(players: PlayerCache, clock: any HostClock) {
    self.players = players
    self.clock = clock
  }

  /// Returns the evaluation of the game for the caller now. Without the store, it lacks the player's settings and registered context.
  public func evaluation(_ context: EvaluationContext, in game: GameSnapshot) async -> Evaluation {
    let host = clock.now
    return Evaluation(context, await loadedPlayer(of: context, in: game), in: game, host: host)
  }

  /// Returns the caller's player from the cache alone; nil if it must be read first.
  public func cachedPlayer(of context: EvaluationContext, in game: GameSnapshot) -> CachedPlayer? {
    guard let player = context.player else { return .nothing }
    let id = PlayerID(game: game.game, player: player)
    return players.cached(id, counting: game.table.playerRules.bestCounts).map { .player($0, id) }
  }

  /// Returns the caller's player, from the cache or the store.
  public func loadedPlayer(of context: EvaluationContext, in game: GameSnapshot) async -> CachedPlayer {
    guard let player = context.player else { return .nothing }
    let id = PlayerID(game: game.game, player: player)
    do throws(StoreError) {
      return .player(try await players.read(id, isOptional: true, counting: game.table.playerRules.bestCounts), id)
    } catch { return .unknown(error) }
  }
}

/// The caller's player for an evaluation.
public enum CachedPlayer: Sendable {
  /// The call names no player.
  case nothing
  case player(StoredPlayer, PlayerID)
  /// The store could not be read.
  case unknown(StoreError)
}
