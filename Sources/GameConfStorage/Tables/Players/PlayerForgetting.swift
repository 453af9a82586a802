// The removal of a player's stored data.
import GameConfCore

extension WriteTransaction {
  /// Deletes a player's state, history, purchases, plays and clock, readable or not, and every revision of the player's keys. Bests and
  /// leaderboard rows are hidden until a job deletes them. The player revision continues from its last value, stored under a digest of the
  /// id. Publishes ``StoreChange/forgotten(_:_:)`` and the player's remaining state if there was any data.
  /// - Parameters:
  ///   - removal: The act that removes the data. A reset retains served state that only forgetting the player removes.
  ///   - isServed: True if memory has state of the player that the rows may not have.
  /// - Returns: the number of removed rows.
  package func forget(_ id: PlayerID, by removal: PlayerRemoval, isServed: Bool = false) throws(StoreError) -> RemovedRowCounts {
    var gone = RemovedRowCounts()
    var stored = StoredPlayer()
    // An unreadable player is removed too; the counts of its data are then unknown.
    do throws(StoreError) { stored = try player(id) } catch {
      guard case .unreadable = error else { throw error }
      gone.isUnreadable = true
    }
    let (history, plays) = (try historyCount(of: id), try hidePlays(of: id))
    var bests = 0
    let name = RevisionRows.forgottenName(of: id.player)
    if let row = try row(PlayerRows.forgetting, [id.game, id.player]) {
      // If the heads of the events' linked lists cannot be read, the lines in these lists are removed by age.
      let events = (try? place(of: id))?.events ?? EventChains()
      let number = try attempting { try row.integer(0) }
      // An unreadable player's revision is unknown. The lower bound of all players' revisions is at least as high.
      let revision = row.optionalInteger(1) ?? floors.players
      bests = Int(row.optionalInteger(3) ?? 0)
      gone.isKnown = true
      if let head = row.optionalInteger(2) {
        try runRaw(PlayerLineRows.addForgotten) { statement in
          statement.bind(number)
          statement.bind(head)
          statement.bind(blob: events.bytes)
        }
      }
      try run(PlayerRows.addForgotten, [number])
      try run(PlayerRows.removeLedger, [number])
      try run(PlayerRows.remove, [number])
      try run(RevisionRows.putBeside, [id.game, name, revision])
    } else {
      try run(RevisionRows.renameBeside, [name, id.game, id.player])
    }
    for kind in RemovedRowCounts.RemovedRowKind.allCases {
      gone[kind] =
        switch kind {
        case .history: history
        case .settings: stored.state?.settings.count ?? 0
        case .transactions: stored.ledger?.transactions.count ?? 0
        case .bests: bests
        case .plays: plays
        }
    }
    var wasThere = isServed || gone.isKnown
    for kind in StateKinds.ofPlayers where kind.served.ends(with: removal) {
      if try kind.forget(id, in: self) { wasThere = true }
    }
    if wasThere {
      publish(.forgotten(id, removal.served))
      publish(.player(id, StoredPlayer(revision: try playerRevision(id.player, in: id.game))))
    }
    return gone
  }
}
