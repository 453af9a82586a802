// Lists a player's plays.
internal import GameConfCore
public import GameConfStorage

extension PlayerService {
  /// The most plays that are listed at once.
  public static let playsListedMax = 500

  /// A player's plays, the newest first.
  /// - Parameters:
  ///   - before: only those that were opened before this one: the next page.
  ///   - limit: how many at most; never more than ``playsListedMax``.
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
