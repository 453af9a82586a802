// Lists a player's plays.
internal import GameConfCore
public import GameConfStorage

/// Lists plays, open and closed.
public struct ListPlays: Sendable {
  /// The most plays that are listed at once.
  public static let playsMax = 500
  private let service: PlayerService

  /// The use case over a player service.
  public init(_ service: PlayerService) { self.service = service }

  /// A player's plays, the newest first.
  /// - Parameters:
  ///   - before: only those that were opened before this one: the next page.
  ///   - limit: how many at most; never more than ``playsMax``.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.unknownPlay`, `.store`.
  public func callAsFunction(of id: PlayerID, before: String? = nil, limit: Int) async throws(ChangeRefusal) -> [StoredPlay] {
    guard service.world.world[id.game] != nil else { throw .unknownGame(id.game) }
    guard OverrideLimits.admits(player: id.player) else { throw .notAPlayer(id.player) }
    let found: [StoredPlay]?
    do throws(StoreError) {
      found = try await service.store.read { view in
        if let before, try view.play(before, of: id) == nil { return nil }
        return try view.plays(of: id, before: before, limit: min(limit, Self.playsMax))
      }
    } catch { throw .store(error) }
    guard let found else { throw .unknownPlay(before ?? "") }
    return found
  }
}
