// Reads players: one as things stand, one's history, many in a list.
public import GameConfCore
public import GameConfStorage

/// Shows one player as things stand.
public struct ReadPlayer: Sendable {
  fileprivate let service: PlayerService

  /// The use case over a player service.
  public init(_ service: PlayerService) { self.service = service }

  /// The player, from memory or by one read; one of whom nothing is known reads as a fresh one.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.store`.
  public func callAsFunction(_ id: PlayerID, host: Instant, context: ObjectValue? = nil) async throws(ChangeRefusal) -> PlayerView {
    try await service.view(id, host: host, context: context)
  }

  /// The newest lines of the player's history, the newest first.
  /// - Parameters:
  ///   - before: only lines with a lower number: the next page.
  ///   - limit: how many at most; never more than ``PlayerLimits/historyEntriesMax``.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.store`.
  public func history(of id: PlayerID, before: Int64? = nil, limit: Int) async throws(ChangeRefusal) -> [HistoryEntry] {
    guard service.world.world[id.game] != nil else { throw .unknownGame(id.game) }
    guard OverrideLimits.admits(player: id.player) else { throw .notAPlayer(id.player) }
    do throws(StoreError) {
      return try await service.store.read { view in
        try view.history(of: id, before: before, limit: min(limit, PlayerLimits.historyEntriesMax))
      }
    } catch { throw .store(error) }
  }
}

extension ReadPlayer {
  /// All rows of a player, the newest lines and plays among them, are more than the one row of a read that a game waits for.
  private static let rowsDeadlineMilliseconds = 2_000

  /// Everything that is stored of the player, as it is stored: by table, column by column, readable or not.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.store`.
  public func storedRows(of id: PlayerID) async throws(ChangeRefusal) -> ObjectValue {
    guard service.world.world[id.game] != nil else { throw .unknownGame(id.game) }
    guard OverrideLimits.admits(storedPlayer: id.player) else { throw .notAPlayer(id.player) }
    do throws(StoreError) {
      return try await service.store.read(deadlineMilliseconds: Self.rowsDeadlineMilliseconds) { try $0.storedRows(of: id) }
    } catch { throw .store(error) }
  }
}

/// Lists the players of a game.
public struct ListPlayers: Sendable {
  /// The most players that are listed at once.
  public static let playersMax = 500
  private static let deadlineMilliseconds = 2_000
  private let service: PlayerService

  /// The use case over a player service.
  public init(_ service: PlayerService) { self.service = service }

  /// The players of whom something is stored, in the order of their ids' bytes.
  /// - Parameters:
  ///   - after: only those that follow this id: the next page.
  ///   - limit: how many at most; never more than ``playersMax``.
  /// - Throws: `.unknownGame`, `.store`.
  public func callAsFunction(in game: String, after: String? = nil, limit: Int = 100) async throws(ChangeRefusal) -> [PlayerListItem] {
    guard service.world.world[game] != nil else { throw .unknownGame(game) }
    do throws(StoreError) {
      return try await service.store.read(deadlineMilliseconds: Self.deadlineMilliseconds) { view in
        try view.players(in: game, after: after, limit: min(limit, Self.playersMax))
      }
    } catch { throw .store(error) }
  }
}
