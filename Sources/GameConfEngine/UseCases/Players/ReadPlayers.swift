// Reads players: one's history and rows, many in a list.
public import GameConfCore
public import GameConfStorage

extension PlayerService {
  /// The newest lines of the player's history, the newest first.
  /// - Parameters:
  ///   - before: only lines with a lower number: the next page.
  ///   - limit: how many at most; never more than ``PlayerLimits/historyEntriesMax``.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.store`.
  public func history(of id: PlayerID, before: Int64? = nil, limit: Int) async throws(ChangeRefusal) -> [HistoryEntry] {
    guard world.world[id.game] != nil else { throw .unknownGame(id.game) }
    guard OverrideLimits.admits(player: id.player) else { throw .notAPlayer(id.player) }
    do throws(StoreError) {
      return try await store.read { view in
        try view.history(of: id, before: before, limit: min(limit, PlayerLimits.historyEntriesMax))
      }
    } catch { throw .store(error) }
  }

  /// All rows of a player, the newest lines and plays among them, are more than the one row of a read that a game waits for.
  private static let rowsDeadlineMilliseconds = 2_000

  /// Everything that is stored of the player, as it is stored: by table, column by column, readable or not.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.store`.
  public func storedRows(of id: PlayerID) async throws(ChangeRefusal) -> ObjectValue {
    guard world.world[id.game] != nil else { throw .unknownGame(id.game) }
    guard OverrideLimits.admits(storedPlayer: id.player) else { throw .notAPlayer(id.player) }
    do throws(StoreError) {
      return try await store.read(deadlineMilliseconds: Self.rowsDeadlineMilliseconds) { try $0.storedRows(of: id) }
    } catch { throw .store(error) }
  }

  /// The most players that are listed at once.
  public static let playersListedMax = 500
  private static let listDeadlineMilliseconds = 2_000

  /// The players of whom something is stored, in the order of their ids' bytes.
  /// - Parameters:
  ///   - after: only those that follow this id: the next page.
  ///   - limit: how many at most; never more than ``playersListedMax``.
  /// - Throws: `.unknownGame`, `.store`.
  public func players(in game: String, after: String? = nil, limit: Int = 100) async throws(ChangeRefusal) -> [PlayerListItem] {
    guard world.world[game] != nil else { throw .unknownGame(game) }
    do throws(StoreError) {
      return try await store.read(deadlineMilliseconds: Self.listDeadlineMilliseconds) { view in
        try view.players(in: game, after: after, limit: min(limit, Self.playersListedMax))
      }
    } catch { throw .store(error) }
  }
}
