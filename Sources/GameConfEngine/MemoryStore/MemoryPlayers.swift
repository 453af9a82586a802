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
  /// The lines of history that are kept, the oldest first.
  public var history: [PlayerLine] = []
  /// The player's bests.
  public var bests: [StoredBest] = []

  /// Nothing yet.
  public init() {}

  /// Adds lines, and removes those that are neither among the newest nor kept of their event.
  mutating func append(_ lines: [PlayerLine]) {
    history += lines
    var (counts, kept): ([String: Int64], [String: Int64]) = ([:], [:])
    let newest = history.count - PlayerLimits.historyEntriesMax
    for at in history.indices.reversed() {
      var isKept = at >= newest
      if let max = history[at].kept, let event = history[at].entry.event {
        isKept = counts[event, default: 0] < kept[event, default: max] || isKept
        counts[event, default: 0] += 1
        kept[event] = kept[event] ?? max
      }
      if !isKept { history.remove(at: at) }
    }
  }
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
    let newest = state.players[id]?.history.suffix(PlayerLimits.historyEntriesMax).reversed() ?? []
    return Array(newest.lazy.map(\.entry).filter { entry in before.map { entry.number < $0 } ?? true }.prefix(max(limit, 0)))
  }

  /// The player's events that are linked by event.
  public func events(named event: String?, of id: PlayerID, limit: Int) -> [HistoryEntry] {
    var counts: [String: Int] = [:]
    return (state.players[id]?.history.reversed() ?? []).compactMap { line in
      guard line.kept != nil, let name = line.entry.event, event == nil || name == event else { return nil }
      counts[name, default: 0] += 1
      return counts[name, default: 0] <= limit ? line.entry : nil
    }
  }

  /// The answer beside a line of history.
  public func answer(beside entry: Int64, of id: PlayerID) -> Value? {
    let newest = state.players[id]?.history.suffix(PlayerLimits.historyEntriesMax) ?? []
    guard let answer = newest.last(where: { $0.entry.number == entry })?.answer else { return nil }
    return try? JSONReader.value(from: answer)
  }

  /// The answers beside lines of an event whose numbers end in those bits.
  public func answers(toEvent event: String, entryBits: UInt8, of id: PlayerID) -> [Value] {
    (state.players[id]?.history.reversed() ?? []).compactMap { line in
      guard line.kept != nil, line.entry.event == event, UInt8(truncatingIfNeeded: line.entry.number) == entryBits else { return nil }
      return line.answer.flatMap { try? JSONReader.value(from: $0) }
    }
  }

  /// What there is of a player, by what would be its tables.
  public func storedRows(of id: PlayerID) -> ObjectValue {
    guard let stored = state.players[id] else { return ObjectValue() }
    func text(_ bytes: [UInt8]) -> Value { .string(String(decoding: bytes, as: UTF8.self)) }
    let player: ObjectValue = [
      "game": .string(id.game), "player": .string(id.player), "offset_ms": .integer(stored.clock.offsetMilliseconds),
      "state": stored.state.map { text($0.storedJSON) } ?? .null, "revision": .integer(playerRevision(id.player, in: id.game)),
    ]
    let lines = stored.history.reversed().map { line -> Value in
      [
        "entry": .integer(line.entry.number), "line": text(line.entry.storedJSON), "answer": line.answer.map(text) ?? .null,
      ]
    }
    return [
      "players": .list([.object(player)]),
      "ledgers": .list(stored.ledger.map { [["ledger": .string(JSONWriter.text($0.encoded))]] } ?? []), "player_lines": .list(lines),
    ]
  }

  /// Writes what has changed of a player.
  public func write(_ write: PlayerWrite, of id: PlayerID, over stored: StoredPlayer) -> StoredPlayer? {
    guard playerRevision(id.player, in: id.game) == stored.revision else { return nil }
    change { tables in
      var player = tables.players[id] ?? MemoryPlayer()
      if let state = write.state { player.state = state }
      player.append(write.lines)
      if let ledger = write.ledger { player.ledger = ledger }
      if let clock = write.clock { player.clock = clock }
      if let marks = write.marks { player.marks = marks }
      if let gains = write.gains {
        for best in gains.bests {
          player.bests.removeAll { $0.event == best.event && $0.detail == best.detail }
          player.bests.append(best)
        }
        for (list, row) in gains.rows { tables.boards[list, default: [:]][ByteText(id.player)] = row }
      }
      if let selection = write.removedBests { player.bests.removeAll(where: selection.contains) }
      for line in write.lines {
        tables.lastLine += 1
        tables.stream.append(MemoryLine(number: tables.lastLine, player: id, at: write.at, entry: line.entry))
      }
      tables.players[id] = player
      tables.playerRevisions[id] = stored.revision + 1
    }
    return stored.after(write)
  }

  /// Lets go lines of the stream; of the histories only the newest lines are ever there.
  public func dropLines(before: Instant, max: Int) -> Int {
    let old = state.stream.prefix { line in
      line.at.map { $0 < before } ?? true || line.number <= state.lastLine - StoreLimits.linesMax
    }.prefix(max)
    guard let last = old.last?.number else { return 0 }
    change { tables in
      tables.stream.removeFirst(old.count)
      tables.streamTail = last
    }
    return old.count
  }

  /// Removes a player.
  public func forget(_ id: PlayerID) -> ForgottenRows {
    var gone = ForgottenRows()
    gone.plays = hidePlays(of: id)
    change { tables in
      if let stored = tables.players.removeValue(forKey: id) {
        gone.isKnown = true
        gone.historyEntries = min(stored.history.count, PlayerLimits.historyEntriesMax)
        gone.settings = stored.state?.settings.count ?? 0
        gone.transactions = stored.ledger?.transactions.count ?? 0
        gone.bests = stored.bests.count
        tables.stream.removeAll { $0.player == id }
        for list in tables.boards.keys where list.game == id.game { tables.boards[list]?[ByteText(id.player)] = nil }
      }
      if let revision = tables.playerRevisions.removeValue(forKey: id) { tables.forgotten[id] = revision }
    }
    if gone.isKnown || state.stored.slotRevisions.keys.contains(where: { $0.game == id.game && $0.isOf(player: id.player) }) {
      publish(.forgotten(id))
    }
    return gone
  }

  /// The game's clock.
  public func clock(ofGame game: String) -> SimulatedClock { state.stored.clocks[game] ?? .host }

  /// The clock of every game that was ever set.
  public func clocks() -> [String: SimulatedClock] { state.stored.clocks }

  /// Replaces the game's clock.
  public func put(_ clock: SimulatedClock, ofGame game: String) { publish(.clock(game: game, clock)) }

  /// What the host's clock showed last.
  public func hostSeen() -> Instant? { state.stored.hostSeen }

  /// Notes what the host's clock shows.
  public func see(host: Instant?) { change { $0.stored.hostSeen = host } }

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
