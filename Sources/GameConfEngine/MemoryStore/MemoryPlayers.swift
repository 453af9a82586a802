// Players and clocks in memory.
public import GameConfCore

/// What is stored of one player.
public struct MemoryPlayer: Sendable {
  /// What the player has done and chosen.
  public var state: PlayerState?
  /// The player's purchases.
  public var ledger: Ledger?
  /// How far the player's time is ahead.
  public var clock = PlayerClock.game
  /// What is done of the queues of the player's clients.
  public var marks = SequenceMarks()
  /// The lines of history that are kept, each with the answer beside it, by their places.
  public var history: [Int: (entry: HistoryEntry, answer: [UInt8]?)] = [:]

  /// Nothing yet.
  public init() {}
}

extension MemoryTurn {
  /// What is stored of a player.
  public func player(_ id: PlayerID) -> StoredPlayer {
    let stored = state.players[id]
    return StoredPlayer(
      state: stored?.state, ledger: stored?.ledger, clock: stored?.clock ?? .game, marks: stored?.marks ?? SequenceMarks(),
      revision: playerRevision(id.player, in: id.game))
  }

  /// The players of a game.
  public func players(in game: String, after: String?, limit: Int) -> [ListedPlayer] {
    let ids = state.players.keys.filter { id in id.game == game && after.map { $0.utf8.lexicographicallyPrecedes(id.player.utf8) } ?? true }
    return ids.sorted { $0.player.utf8.lexicographicallyPrecedes($1.player.utf8) }.prefix(max(limit, 0)).map { id in
      let stored = player(id)
      return ListedPlayer(
        player: id.player, state: stored.state, hasLedger: stored.ledger != nil, clock: stored.clock, revision: stored.revision)
    }
  }

  /// The newest lines of a player's history.
  public func history(of id: PlayerID, before: Int64?, limit: Int) -> [HistoryEntry] {
    let entries = state.players[id]?.history.values.map(\.entry) ?? []
    return Array(
      entries.filter { entry in before.map { entry.number < $0 } ?? true }.sorted { $0.number > $1.number }.prefix(max(limit, 0)))
  }

  /// The answer beside a line of history.
  public func answer(beside entry: Int64, of id: PlayerID) -> Value? {
    let slot = Int(entry % Int64(PlayerLimits.historyEntriesMax))
    guard let kept = state.players[id]?.history[slot], kept.entry.number == entry, let answer = kept.answer else { return nil }
    return try? JSONReader.value(from: answer)
  }

  /// Writes what has changed of a player.
  public func write(_ write: PlayerWrite, of id: PlayerID, over stored: StoredPlayer) -> StoredPlayer? {
    guard playerRevision(id.player, in: id.game) == stored.revision else { return nil }
    change { tables in
      var player = tables.players[id] ?? MemoryPlayer()
      if let state = write.state { player.state = state }
      for line in write.lines { player.history[line.entry.slot] = (line.entry, line.answer) }
      if let ledger = write.ledger { player.ledger = ledger }
      if let clock = write.clock { player.clock = clock }
      if let marks = write.marks { player.marks = marks }
      tables.players[id] = player
      tables.playerRevisions[id] = stored.revision + 1
    }
    return stored.after(write)
  }

  /// Only the newest lines of each player are ever there.
  public func dropLines(before: Instant, max: Int) -> Int { 0 }

  /// Removes a player.
  public func forget(_ id: PlayerID) -> ForgottenRows {
    var gone = ForgottenRows()
    gone.plays = hidePlays(of: id)
    change { tables in
      if let stored = tables.players.removeValue(forKey: id) {
        gone.isKnown = true
        gone.historyEntries = stored.history.count
        gone.settings = stored.state?.settings.count ?? 0
        gone.transactions = stored.ledger?.transactions.count ?? 0
      }
      tables.forgetSlotRevisions(of: id)
      if let revision = tables.playerRevisions.removeValue(forKey: id) { tables.forgotten[id] = revision }
    }
    return gone
  }

  /// The game's clock.
  public func clock(ofGame game: String) -> SimulatedClock { state.clocks[game] ?? .host }

  /// The clock of every game that was ever set.
  public func clocks() -> [String: SimulatedClock] { state.clocks }

  /// Replaces the game's clock.
  public func put(_ clock: SimulatedClock, ofGame game: String) { change { $0.clocks[game] = clock } }

  /// Forgets every answer about a player.
  public func forgetAnswers(of id: PlayerID) -> Int {
    let about = Set(
      state.answers.keys.filter { request in
        request.player.map { PlayerID(game: request.game, player: $0) } == id
      })
    change { tables in
      tables.answersOrder.removeAll(where: about.contains)
      for each in about { tables.answers[each] = nil }
    }
    return about.count
  }

  /// Puts a pseudonym in a player's place.
  public func pseudonymise(player: String, in game: String, as pseudonym: String) -> Int {
    var count = 0
    change { tables in
      for at in tables.audits.indices where tables.audits[at].game == game {
        if tables.audits[at].pseudonymise(player, as: pseudonym) { count += 1 }
      }
    }
    return count
  }
}
