// Removes what is stored of a player.
import GameConfCore

extension WriteTransaction {
  /// Removes a player's state, history, purchases, plays and clock, readable or not, hides bests and rows of leaderboards until they are removed, and
  /// removes every revision of slots of that player. The player revision goes on above what it was, under a digest of the id. Publishes
  /// ``StoreChange/forgotten(_:)`` and the player who is left if anything was there.
  /// - Parameters:
  ///   - removal: The act that removes it. A reset leaves state that is served until the player is forgotten.
  ///   - isServed: True if memory has something of the player that the rows may not have.
  /// - Returns: what was removed.
  package func forget(_ id: PlayerID, by removal: PlayerRemoval, isServed: Bool = false) throws(StoreError) -> RemovedRowCounts {
    var gone = RemovedRowCounts()
    var stored = StoredPlayer()
    // One who cannot be read goes like another; nobody knows how much of what was there.
    do throws(StoreError) { stored = try player(id) } catch {
      guard case .unreadable = error else { throw error }
      gone.isUnreadable = true
    }
    let (history, plays) = (try historyCount(of: id), try hidePlays(of: id))
    var bests = 0
    let name = RevisionRows.forgottenName(of: id.player)
    if let row = try row(PlayerRows.forgetting, [id.game, id.player]) {
      // Lines of events that cannot be found go when they are old.
      let events = (try? place(of: id))?.events ?? EventChains()
      let number = try attempting { try row.integer(0) }
      // Who cannot be read goes with what is known of others.
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
    for kind in RemovedRowCounts.Kind.allCases {
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
