// Reads a player's history and rows, and lists players.
public import GameConfCore
public import GameConfStorage

extension PlayerService {
  /// Returns a page of a player's history, newest lines first.
  /// - Parameters:
  ///   - before: Only lines with a lower number, for the next page.
  ///   - limit: The most lines; never more than ``PlayerLimits/historyEntriesMax``.
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

  /// The time limit for reading all of a player's rows, including lines and plays. It is longer than that for a single row.
  private static let rowsDeadlineMilliseconds = 2_000

  /// Returns all stored data of a player, by table and column, readable or not.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.store`.
  public func storedRows(of id: PlayerID) async throws(ChangeRefusal) -> ObjectValue {
    guard world.world[id.game] != nil else { throw .unknownGame(id.game) }
    guard OverrideLimits.admits(storedPlayer: id.player) else { throw .notAPlayer(id.player) }
    do throws(StoreError) {
      return try await store.read(deadlineMilliseconds: Self.rowsDeadlineMilliseconds) { try $0.storedRows(of: id) }
    } catch { throw .store(error) }
  }

  /// The most players in one page.
  public static let playersListedMax = 500
  private static let listDeadlineMilliseconds = 2_000

  /// Returns a page of the stored players, ordered by the bytes of their ids.
  /// - Parameters:
  ///   - after: The last id of the page before.
  ///   - limit: The most players; never more than ``playersListedMax``.
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
