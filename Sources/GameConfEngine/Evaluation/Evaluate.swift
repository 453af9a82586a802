// Brings what is kept of a player to an evaluation: from memory, else by one indexed read.

internal import GameConfCore
public import GameConfStorage

/// Evaluates games for callers.
public struct Evaluate: Sendable {
  /// The players in memory.
  public let players: PlayerCache
  /// The host's time.
  public let clock: any HostClock

  /// An evaluator.
  public init(players: PlayerCache, clock: any HostClock) {
    self.players = players
    self.clock = clock
  }

  /// The game as the caller sees it now. When the store cannot be asked it does without the player's settings and registered context.
  public func evaluation(_ context: EvaluationContext, in game: GameSnapshot) async -> Evaluation {
    let host = clock.now
    return Evaluation(context, await kept(of: context, in: game), in: game, host: host)
  }

  /// The caller's player as cached, from memory alone; nil when it must be read first.
  public func keptAtOnce(of context: EvaluationContext, in game: GameSnapshot) -> CachedPlayer? {
    guard let player = context.player else { return .nothing }
    let id = PlayerID(game: game.game, player: player)
    return players.cached(id, counting: game.table.playerRules.bestCounts).map { .player($0, id) }
  }

  /// The caller's player as cached.
  public func kept(of context: EvaluationContext, in game: GameSnapshot) async -> CachedPlayer {
    guard let player = context.player else { return .nothing }
    let id = PlayerID(game: game.game, player: player)
    do throws(StoreError) {
      return .player(try await players.read(id, isOptional: true, counting: game.table.playerRules.bestCounts), id)
    } catch { return .unknown(error) }
  }
}

/// The caller's player, as an evaluation has it.
public enum CachedPlayer: Sendable {
  /// The call names no player.
  case nothing
  /// The stored player.
  case player(StoredPlayer, PlayerID)
  /// The store could not be asked.
  case unknown(StoreError)
}
