// The dependencies that use cases about players share.
public import GameConfCore
public import GameConfStorage

/// The dependencies of use cases that change players: the store, the present games, the cached players, and rate limits. A daemon has one.
public struct PlayerService: Sendable {
  /// The store that every change is written to.
  package let store: any Store
  /// The present games, against whose catalogs changes are decided.
  public let world: CurrentWorld
  /// The recently used players in memory.
  public let recent: PlayerCache
  /// The rate limits of each user of the host: writes, new players, and growth of the database.
  public let rates: WriteRateLimiter

  /// Creates the service. The caller must let the store's publications update the world and the cache.
  package init(store: any Store, world: CurrentWorld, recent: PlayerCache, rates: WriteRateLimiter) {
    self.store = store
    self.world = world
    self.recent = recent
    self.rates = rates
  }

  /// Returns a player at the host's time, from the cache or by one read of the database.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.store`.
  public func view(_ id: PlayerID, host: Instant, context: ObjectValue? = nil) async throws(ChangeRefusal) -> PlayerView {
    guard let game = world.world[id.game] else { throw .unknownGame(id.game) }
    guard OverrideLimits.admits(player: id.player) else { throw .notAPlayer(id.player) }
    let stored: StoredPlayer
    do throws(StoreError) { stored = try await recent.read(id, counting: game.table.playerRules.bestCounts) } catch { throw .store(error) }
    return PlayerView(stored, id, of: game, host: host, context: context)
  }
}
