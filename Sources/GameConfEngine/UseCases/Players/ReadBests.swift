// Reads and removes the best scores of a player.
public import GameConfCore
public import GameConfStorage

extension PlayerService {
  /// Returns a page of a player's best scores, ordered by event and detail.
  /// - Parameters:
  ///   - after: The last best score of the previous page; nil for the first page.
  ///   - limit: The most best scores in the page; never more than ``BoardLimits/bestsListedMax``.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.store`.
  public func bests(
    of id: PlayerID, _ selection: BestSelection, after: StoredBest? = nil, limit: Int
  ) async throws(ChangeRefusal) -> [StoredBest] {
    guard world.world[id.game] != nil else { throw .unknownGame(id.game) }
    guard OverrideLimits.admits(player: id.player) else { throw .notAPlayer(id.player) }
    do throws(StoreError) {
      return try await store.read { view in
        try view.bests(of: id, selection, after: after, limit: min(limit, BoardLimits.bestsListedMax))
      }
    } catch { throw .store(error) }
  }
}

extension PlayerAct<Int> {
  /// Removes best scores of a player, as for a game's “start over”. Leaderboards keep their rows. The outcome is the number of removed
  /// scores.
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

extension PlayerAct<[ImprovableScores.BoardPartition: Int64]> {
  /// Removes a player's rows on a leaderboard, for example a score from a test. The player's best scores stay, and the player's next score
  /// is entered on the leaderboard again.
  /// The outcome is the removed scores, by list.
  public static func removeRows(_ selection: BoardSelection) -> Self {
    Self(trustsMemory: false) { edit in
      let boards = edit.service.world.world[edit.id.game]?.catalog.leaderboards.map(\.id) ?? []
      guard boards.contains(selection.board) else {
        throw ChangeRefusal.unknownBoard(selection.board, in: edit.id.game, known: boards)
      }
      let scores = try edit.transaction.scores(of: edit.id, on: selection)
      if scores.isEmpty { return try edit.nothing(scores) }
      var write = PlayerWrite()
      write.removedRows = selection
      var line = edit.line(.rowsRemoved)
      let shown = scores.sorted { $0.key.per < $1.key.per }.prefix(AuditSelection.linesMax).map { ($0.key.per, Value.integer($0.value)) }
      line.detail = ["board": .string(selection.board), "removed": .integer(Int64(scores.count)), "scores": .object(ObjectValue(shown))]
      return try edit.commit(write, lines: [line], scores)
    }
  }
}

extension AuditAction {
  /// A player's rows were removed from a leaderboard.
  static let rowsRemoved = AuditAction(.rowsRemoved)
  /// A player's best scores were removed over the admin socket.
  static let bestsRemoved = AuditAction(.bestsRemoved)
}
