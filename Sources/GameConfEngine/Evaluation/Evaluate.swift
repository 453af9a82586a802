// Brings what is kept of a player to an evaluation: from memory, else by one indexed read.

internal import GameConfCore

/// Evaluates games for callers.
public struct Evaluate: Sendable {
  /// The players in memory.
  public let players: RecentPlayers
  /// The host's time.
  public let clock: any HostClock

  /// An evaluator.
  public init(players: RecentPlayers, clock: any HostClock) {
    self.players = players
    self.clock = clock
  }

  /// The game as the caller sees it now, from memory alone; nil when the player must be read first.
  public func atOnce(_ context: EvaluationContext, in game: GameSnapshot) -> Evaluation? {
    let host = clock.now
    guard let player = context.player else { return Evaluation(context, in: game, host: host) }
    let id = PlayerID(game: game.game, player: player)
    return players.cached(id).map { Self.evaluation(context, $0, id, in: game, host: host) }
  }

  /// The game as the caller sees it now. When the store cannot be asked it does without the player's settings and registered context.
  public func callAsFunction(_ context: EvaluationContext, in game: GameSnapshot) async -> Evaluation {
    let host = clock.now
    guard let player = context.player else { return Evaluation(context, in: game, host: host) }
    let id = PlayerID(game: game.game, player: player)
    do throws(StoreError) {
      return Self.evaluation(context, try await players.read(id), id, in: game, host: host)
    } catch {
      return Evaluation(context, in: game, host: host, trouble: error)
    }
  }

  private static func evaluation(
    _ context: EvaluationContext, _ known: StoredPlayer, _ id: PlayerID, in game: GameSnapshot, host: Instant
  ) -> Evaluation {
    Evaluation(PlayerView(known, id, of: game, host: host, context: context.attributes), under: context)
  }
}
