// Lists a player's plays.
internal import GameConfCore
public import GameConfStorage

extension PlayerService {
  /// The most plays in one page.
  public static let playsListedMax = 500

  /// Returns a page of a player's plays, newest first.
  /// - Parameters:
  ///   - before: Only plays opened before this one, for the next page.
  ///   - limit: The most plays; never more than ``playsListedMax``.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.unknownPlay`, `.store`.
  public func plays(of id: PlayerID, before: String? = nil, limit: Int) async throws(ChangeRefusal) -> [StoredPlay] {
    guard world.world[id.game] != nil else { throw .unknownGame(id.game) }
    guard OverrideLimits.admits(player: id.player) else { throw .notAPlayer(id.player) }
    let found: [StoredPlay]?
    do throws(StoreError) {
      found = try await store.read { view in
        if let before, try view.play(before, of: id) == nil { return nil }
        return try view.plays(of: id, before: before, limit: min(limit, Self.playsListedMax))
      }
    } catch { throw .store(error) }
    guard let found else { throw .unknownPlay(before ?? "") }
    return found
  }
}
