// A turn over tables in memory.
public import GameConfCore

/// A turn that reads and writes a ``MemoryState``; good for one thread.
public final class MemoryTurn: StoreTurn {
  /// The tables, as the turn leaves them.
  public internal(set) var state: MemoryState
  /// What the turn publishes.
  public private(set) var changes: [StoreChange] = []

  /// A turn that begins with these tables.
  public init(_ state: MemoryState) { self.state = state }

  /// Changes the tables.
  func change(_ body: (inout MemoryState) -> Void) { body(&state) }

  /// Adds to what is published, and applies it.
  public func publish(_ change: StoreChange) {
    state.stored.apply(change)
    changes.append(change)
  }

  /// Runs a part, undone when it throws.
  public func attempt<Answer>(_ part: () throws -> Answer) throws -> Answer {
    let (state, count) = (state, changes.count)
    do { return try part() } catch {
      self.state = state
      changes.removeLast(changes.count - count)
      throw error
    }
  }
}

extension MemoryTurn {
  /// The game's last revision.
  public func revision(of game: String) -> Int64 { state.stored.revisions[game] ?? 0 }
  /// The last revision of every game.
  public func revisions() -> [String: Int64] { state.stored.revisions }
  /// The revision that last changed a slot.
  public func revision(at slot: OverrideSlot) -> Int64? {
    ([state.stored.slotRevisions[slot]] + (state.stored.overrides[slot]?.records.map(\.revision) ?? [])).compactMap { $0 }.max()
  }
  /// The revisions of the game-wide slots.
  public func keyRevisions(of game: String) -> [String: Int64] { state.stored.keyRevisions(of: game) }
  /// The player's last revision.
  public func playerRevision(_ player: String, in game: String) -> Int64 {
    let id = PlayerID(game: game, player: player)
    return max(state.playerRevisions[id] ?? state.forgotten[id] ?? 0, state.stored.playerRevisionMax)
  }

  /// Raises the game's revision.
  public func nextRevision(of game: String) -> Int64 {
    let revision = revision(of: game) + 1
    publish(.revision(game: game, revision: revision))
    return revision
  }

  /// Notes that a revision changed the game-wide answers at keys.
  public func setRevision(_ revision: Int64, at keys: Set<String>, of game: String) {
    publish(.keys(keys, game: game, revision: revision))
  }

  /// Raises the player's revision.
  public func nextPlayerRevision(_ player: String, in game: String) -> Int64 {
    let revision = playerRevision(player, in: game) + 1
    state.playerRevisions[PlayerID(game: game, player: player)] = revision
    return revision
  }

  /// Forgets the oldest revisions of players' slots without overrides.
  public func dropOldRevisions(max: Int) -> Int {
    let bare = state.stored.slotRevisions.filter { $0.key.player != nil && state.stored.overrides[$0.key] == nil }
    var dropped = 0
    for (_, slots) in Dictionary(grouping: bare, by: \.key.game) where slots.count > StoreLimits.revisionsOfRemovedMax {
      for slot in slots.sorted(by: { $0.value < $1.value }).prefix(
        Swift.min(slots.count - StoreLimits.revisionsOfRemovedMax, max - dropped))
      {
        state.stored.slotRevisions[slot.key] = nil
        dropped += 1
      }
    }
    return dropped
  }
}

extension MemoryTurn {
  /// What is forced at a slot.
  public func overrides(at slot: OverrideSlot) -> KeyOverrides { state.stored.overrides[slot] ?? KeyOverrides(slot: slot) }

  /// What is forced in a game.
  public func overrides(in game: String, _ selection: OverrideSelection) -> [KeyOverrides] {
    state.stored.overrides.values.filter { $0.slot.game == game && selection.contains($0.slot) }.sorted { $0.slot < $1.slot }
  }

  /// What is forced in every game.
  public func overrides() -> [KeyOverrides] { state.stored.overrides.values.sorted { $0.slot < $1.slot } }

  /// How many overrides of players a game has.
  public func playerOverridesCount(in game: String) -> Int {
    state.stored.overrides.values.reduce(0) { $1.slot.game == game && $1.slot.player != nil ? $0 + $1.records.count : $0 }
  }

  /// The slots that have an edge to apply.
  public func slotsWithEdges(at now: Instant) -> [OverrideSlot] { state.stored.slotsWithEdges(at: now) }

  /// The next edge of any window.
  public func nextEdge(after now: Instant) -> Instant? {
    state.stored.slotsWithWindows.compactMap { state.stored.overrides[$0]?.edges(after: now).min() }.min()
  }

  /// Replaces the overrides of slots.
  public func put(_ changed: [ChangedOverrides], revision: Int64) {
    for each in changed {
      state.stored.slotRevisions[each.overrides.slot] = revision
      publish(.overrides(each.overrides, revision: revision, playerRevision: each.playerRevision))
    }
  }

  /// Replaces the overrides of one large change.
  public func put(_ many: ManyOverrides, written: WrittenOverrides, over records: Int) {
    for overrides in many.slots { state.stored.slotRevisions[overrides.slot] = many.revision }
    publish(.overridesMany(many))
  }
}

extension MemoryTurn {
  /// A line of the audit log.
  public func audit(_ id: Int64) -> AuditRecord? { state.audits.first { $0.id == id } }

  /// Lines of the audit log, the newest first.
  public func audits(_ selection: AuditSelection) -> [AuditRecord] {
    let selected = state.audits.filter { selection.contains($0, about: state.auditKeys[$0.id] ?? []) }
    if selection.after != nil, selection.before == nil { return selected.prefix(selection.limit).reversed() }
    return selected.suffix(selection.limit).reversed()
  }

  /// Adds a line.
  public func append(_ record: AuditRecord, about keys: Set<String>) -> AuditRecord {
    var record = record
    state.lastAudit += 1
    record.id = state.lastAudit
    state.audits.append(record)
    if !keys.isEmpty { state.auditKeys[record.id] = keys }
    changes.append(.audited(record))
    return record
  }

  /// Notes that a line was taken back.
  public func markReverted(_ id: Int64, by other: Int64) {
    if let place = state.audits.firstIndex(where: { $0.id == id }) { state.audits[place].revertedBy = other }
  }

  /// Removes old lines.
  public func dropAudits(before: Instant, max: Int) -> Int {
    let old = Set(state.audits.filter { $0.at < before }.prefix(max).map(\.id))
    state.audits.removeAll { old.contains($0.id) }
    for id in old { state.auditKeys[id] = nil }
    return old.count
  }
}

extension MemoryTurn {
  /// What was answered.
  public func remembered(_ id: RepeatID) -> RememberedAnswer? { state.answers[id]?.answer }

  /// Remembers an answer.
  public func remember(_ answer: RememberedAnswer, for id: RepeatID, by uid: UInt32) {
    if state.answers.removeValue(forKey: id) != nil { state.answersOrder.removeAll { $0 == id } }
    state.answers[id] = MemoryAnswer(answer: answer, uid: uid, seenMilliseconds: state.seenMilliseconds)
    state.answersOrder.append(id)
    var taken: [UInt32: Int64] = [:]
    for each in state.answers.values { taken[each.uid, default: 0] += each.answer.storedBytes }
    while let user = AnswerShares.giver(taken, by: uid) {
      guard let oldest = state.answersOrder.firstIndex(where: { state.answers[$0]?.uid == user }) else { return }
      taken[user, default: 0] -= state.answers.removeValue(forKey: state.answersOrder.remove(at: oldest))?.answer.storedBytes ?? 0
    }
  }

  /// Notes that time was seen passing.
  public func pass(milliseconds: Int64) -> Int64 {
    state.seenMilliseconds += milliseconds
    return state.seenMilliseconds
  }

  /// Forgets old answers.
  public func dropRemembered(seenBefore milliseconds: Int64, max: Int) -> Int {
    let old = Set(state.answersOrder.filter { (state.answers[$0]?.seenMilliseconds ?? milliseconds) < milliseconds }.prefix(max))
    state.answersOrder.removeAll { old.contains($0) }
    for id in old { state.answers[id] = nil }
    return old.count
  }
}
