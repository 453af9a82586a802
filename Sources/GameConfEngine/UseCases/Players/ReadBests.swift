// Reads and removes the bests of a player.
public import GameConfCore
public import GameConfStorage

/// Lists a player's bests.
public struct ReadBests: Sendable {
  private let service: PlayerService

  /// The use case over a player service.
  public init(_ service: PlayerService) { self.service = service }

  /// The bests, by event and detail.
  /// - Parameters:
  ///   - after: only those that follow this one: the next page.
  ///   - limit: how many at most; never more than ``BoardLimits/bestsListedMax``.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.store`.
  public func callAsFunction(
    _ id: PlayerID, _ selection: BestSelection, after: StoredBest? = nil, limit: Int
  ) async throws(ChangeRefusal) -> [StoredBest] {
    guard service.world.world[id.game] != nil else { throw .unknownGame(id.game) }
    guard OverrideLimits.admits(player: id.player) else { throw .notAPlayer(id.player) }
    do throws(StoreError) {
      return try await service.store.read { view in
        try view.bests(of: id, selection, after: after, limit: min(limit, BoardLimits.bestsListedMax))
      }
    } catch { throw .store(error) }
  }
}

extension PlayerAct<Int> {
  /// Removes bests of a player, a game's "start over"; leaderboards keep what they have. The outcome is the number of bests removed.
  public static func removeBests(_ selection: BestSelection) -> Self {
    Self(trustsMemory: false) { edit in
      let count = try edit.transaction.bests(of: edit.id, selection, after: nil, limit: PlayerLimits.bestsMax).count
      if count == 0 { return try edit.nothing(0) }
      var state = edit.view.state
      let entry = state.noteBestsRemoved(event: selection.event, prefix: selection.prefix, count: count, now: edit.view.now)
      var write = PlayerWrite(state: state, entry: entry)
      write.removedBests = selection
      var line = edit.line(.bestsRemoved)
      line.detail = .object(entry.details)
      return try edit.commit(write, lines: [line], count)
    }
  }
}

extension AuditAction {
  /// A player's bests were removed over the admin socket.
  static let bestsRemoved = AuditAction(rawValue: "player.bests")
}
