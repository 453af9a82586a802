// Plays in the memory store.
public import GameConfCore

extension MemoryTurn {
  /// The play of that id.
  public func play(_ id: String, of player: PlayerID) -> StoredPlay? { state.plays[player]?.first { $0.id == id } }

  /// A player's plays, the newest first.
  public func plays(of player: PlayerID, before: String?, limit: Int) -> [StoredPlay] {
    var plays = state.plays[player] ?? []
    if let before {
      guard let at = plays.firstIndex(where: { $0.id == before }) else { return [] }
      plays.removeSubrange(at...)
    }
    return Array(plays.reversed().prefix(max(limit, 0)))
  }

  /// How many plays a player has.
  public func playCounts(of player: PlayerID) -> PlayCounts {
    let plays = state.plays[player] ?? []
    let open = plays.count { $0.closedAt == nil }
    return PlayCounts(open: open, closed: plays.count - open, bytes: plays.reduce(0) { $0 + $1.chargedBytes + stateBytes(of: $1) })
  }

  /// The state of a play.
  public func playState(_ id: String, of player: PlayerID) -> [UInt8]? { play(id, of: player).flatMap { state.playStates[$0.id] } }

  private func stateBytes(of play: StoredPlay) -> Int64 { Int64(state.playStates[play.id]?.count ?? 0) }

  /// Stores the state of a play.
  public func set(state: [UInt8], ofPlay id: String, player: PlayerID) {
    if play(id, of: player) != nil { change { $0.playStates[id] = state } }
  }

  /// The values of that digest.
  public func pinnedValues(_ digest: String) -> [UInt8]? { state.pinned[digest]?.bytes }

  /// How many bytes the plays take that a user opened.
  public func playBytes(of uid: UInt32) -> Int64 {
    let own = state.plays.values.joined().reduce(Int64(0)) { $1.uid == uid ? $0 + $1.ownBytes + stateBytes(of: $1) : $0 }
    return own + state.pinned.values.reduce(0) { $1.uid == uid ? $0 + Int64($1.bytes.count) : $0 }
  }

  /// Adds a play.
  public func add(_ play: StoredPlay, of player: PlayerID, values: [UInt8]) {
    change { tables in
      tables.plays[player, default: []].append(play)
      let known = tables.pinned[play.digest] ?? (bytes: values, uid: play.uid, uses: 0)
      tables.pinned[play.digest] = (known.bytes, known.uid, known.uses + 1)
    }
  }

  /// Closes a play.
  public func close(_ id: String, of player: PlayerID, at now: Instant, host: Instant) {
    change { tables in
      guard let at = tables.plays[player]?.firstIndex(where: { $0.id == id && $0.closedAt == nil }) else { return }
      tables.plays[player]?[at].closedAt = now
      tables.plays[player]?[at].closedAtHost = host
    }
  }

  /// Dates what lay ahead to now.
  public func redatePlays(of player: PlayerID, to now: Instant) -> [StoredPlay] {
    var redated: [StoredPlay] = []
    for (at, play) in (state.plays[player] ?? []).enumerated() {
      var moved = play
      moved.openedAt = min(play.openedAt, now)
      moved.closedAt = play.closedAt.map { min($0, now) }
      if moved == play { continue }
      redated.append(moved)
      change { [moved] in $0.plays[player]?[at] = moved }
    }
    return redated
  }

  /// Removes what is kept no longer.
  public func dropPlays(of player: PlayerID, host: Instant) -> [String] {
    var dropped: [String] = []
    while dropped.count < PlayLimits.droppedAtOnceMax {
      let closed = (state.plays[player] ?? []).enumerated().filter { $0.element.closedAt != nil }
      let oldest = closed.min { ($0.element.closedAtHost ?? host, $0.offset) < ($1.element.closedAtHost ?? host, $1.offset) }
      guard let oldest, playCounts(of: player).lets(go: oldest.element, host: host) else { break }
      remove(oldest.element, of: player)
      dropped.append(oldest.element.id)
    }
    return dropped
  }

  /// Removes every play of a player; nothing is left to be removed later.
  public func hidePlays(of player: PlayerID) -> Int {
    let plays = state.plays[player] ?? []
    for each in plays { remove(each, of: player) }
    change { $0.plays[player] = nil }
    return plays.count
  }

  /// Nothing is ever left.
  public func dropHiddenPlays(max: Int) -> Int { 0 }

  private func remove(_ play: StoredPlay, of player: PlayerID) {
    change { tables in
      tables.plays[player]?.removeAll { $0.id == play.id }
      tables.playStates[play.id] = nil
      guard let known = tables.pinned[play.digest] else { return }
      tables.pinned[play.digest] = known.uses > 1 ? (known.bytes, known.uid, known.uses - 1) : nil
    }
  }
}

extension PlayCounts {
  /// Whether a player's oldest closed play is kept no longer.
  public func lets(go oldest: StoredPlay, host: Instant) -> Bool {
    if bytes > PlayLimits.playerBytesMax { return true }
    guard closed > PlayLimits.closedMax, let closedAt = oldest.closedAtHost else { return false }
    return closedAt.milliseconds < host.milliseconds - PlayLimits.keptMilliseconds
  }
}
