// Evaluates a game's parameters for a caller. The caller's stored player comes from a cache, or by one indexed read of the database.

internal import GameConfCore
public import GameConfStorage

/// Evaluates a game's parameters for a caller, with the caller's stored player from a cache or from the database.
public struct Evaluate: Sendable {
  /// The cache of stored players. A player that it does not have is read from the database.
  public let players: PlayerCache
  /// The host's clock, whose present time is the instant of an evaluation.
  public let clock: any HostClock

  /// Creates an evaluator, which reads the database only for players that the cache does not have.
  public init(players: PlayerCache, clock: any HostClock) {
    self.players = players
    self.clock = clock
  }

  /// Returns the values of the game for the caller at the present instant. If the database cannot be read, they are evaluated without the
  /// player's settings and registered context.
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

/// The stored player of an evaluation's caller, as far as it could be loaded.
public enum CachedPlayer: Sendable {
  /// The call names no player.
  case nothing
  case player(StoredPlayer, PlayerID)
  /// The store could not be read.
  case unknown(StoreError)
}
