// One change of overrides within the writer's transaction, with the reads, checks and writes that all such changes share.
import GameConfCore
import GameConfStorage

/// An atomic change of one game's overrides within a database transaction.
struct OverrideEdit {
  struct SlotChange: Sendable {
    var before: KeyOverrides
    var after: KeyOverrides
    var action: AuditAction
    var window: String?
    var reverts: Int64?
    /// Further details for the audit line, such as the window that was replaced.
    var detail: Value?
  }

  let transaction: WriteTransaction
  let checking: any OverrideChecking
  let game: String
  let context: ChangeContext
  /// The id of the scenario that makes the change; nil for other changes.
  let holder: String?

  /// Begins a change of a served game, with a valid reason.
  /// - Throws: `.unknownGame`, `.reason`.
  init(
    _ transaction: WriteTransaction, _ checking: any OverrideChecking, game: String, _ context: ChangeContext, holder: String? = nil
  ) throws(ChangeRefusal) {
    self.transaction = transaction
    self.holder = holder
    self.checking = checking
    self.game = game
    self.context = context
    guard checking.has(game: game) else { throw .unknownGame(game) }
    if let reason = context.reason { try ChangeContext.check(reason: reason) }
  }

  /// Returns the overrides of a key, after the time windows that have begun or ended by now are applied.
  /// - Parameter isStored: True if the player's id was read from the store, where ids may be in a form that is no longer permitted.
  func load(_ slot: OverrideSlot, isStored: Bool = false) throws -> KeyOverrides {
    if !isStored, let player = slot.player, !OverrideLimits.admits(player: player) { throw ChangeRefusal.notAPlayer(player) }
    let stored = try transaction.overrides(at: slot)
    var advanced = stored
    let edges = advanced.advance(to: context.now)
    if edges.isEmpty { return stored }
    try WindowEdgeWriter(transaction: transaction).apply([(advanced, edges)])
    return advanced
  }

  func admit(_ value: Value, at slot: OverrideSlot) throws(ChangeRefusal) -> Value {
    try checking.admit(value, for: slot.key, player: slot.player, in: game)
  }

  func checkPrecondition(at slot: OverrideSlot?) throws {
    let actual: Int64
    switch context.precondition {
    case .none: return
    case .gameRevision(let expected):
      actual = try transaction.revision(of: game)
      if actual == expected { return }
    case .slotRevision(let expected):
      actual = try slot.map { try transaction.revision(at: $0) ?? 0 } ?? transaction.revision(of: game)
      if actual == expected { return }
    case .playerRevision(let expected):
      actual = try slot?.player.map { try transaction.playerRevision($0, in: game) } ?? 0
      if actual == expected { return }
    case .newestTemplate, .templateInForce, .playState: actual = try transaction.revision(of: game)
    }
    throw ChangeRefusal.changedMeanwhile(revision: actual)
  }

  /// Creates an override with this change's author.
  func record(_ value: Value, at slot: OverrideSlot, revision: Int64) -> OverrideRecord {
    OverrideRecord(slot: slot, value: value, author: context.author, reason: context.reason, at: context.now, revision: revision)
  }

  /// Writes the changes and their audit lines at the game's new revision. Throws if a limit is exceeded or a constraint violated.
  func commit(_ changes: [SlotChange], revision: Int64) throws -> OverrideOutcome {
    for change in changes { try checkHold(on: change.after.slot) }
    var writes = OverrideChangeSet(game: game, context, revision: revision)
    for change in changes { writes.add(change) }
    let playerRevisions = try transaction.nextPlayerRevisions(writes.players, in: game)
    try transaction.put(writes.changed(playerRevisions), revision: revision)
    try checkLimits(writes)
    try OverrideConstraints(edit: self, changes: changes).run()
    return outcome(of: writes, lines: AuditLines(try transaction.append(writes.lines.map(EncodedAuditLine.init))), playerRevisions)
  }

  /// Writes a change that was computed and checked before the transaction. Throws if a limit on the number of overrides is exceeded.
  func commit(_ prepared: PreparedChange) throws -> OverrideOutcome {
    let writes = prepared.writes
    if let precomputed = prepared.precomputed { transaction.publish(precomputed) }
    let playerRevisions = try transaction.nextPlayerRevisions(writes.players, in: game)
    try transaction.put(
      BulkOverrides(slots: writes.slots, revision: writes.revision, players: writes.players, playerRevisions: playerRevisions),
      written: writes.written, over: writes.playersBefore)
    try checkLimits(writes)
    return outcome(of: writes, lines: try transaction.append(writes.lines, packed: writes.packs), playerRevisions)
  }

  /// True if a prepared change may be written: the game has not changed since, and no scenario holds any of the keys. If a scenario holds
  /// one, the transaction computes the change itself and refuses it.
  func mayCommit(_ prepared: PreparedChange) throws -> Bool {
    guard try prepared.holds(at: transaction.revision(of: game)) else { return false }
    do {
      for slot in prepared.writes.holdable { try checkHold(on: slot) }
      return true
    } catch let error as ChangeRefusal {
      if case .store = error { throw error }
      return false
    }
  }

  private func outcome(of writes: OverrideChangeSet, lines: AuditLines, _ playerRevisions: [Int64]) -> OverrideOutcome {
    var outcome = OverrideOutcome(revision: writes.revision, slots: writes.slots, removed: writes.removed, window: nil, lines: lines)
    outcome.replaced = writes.replaced
    if playerRevisions.count == 1 { outcome.playerRevision = playerRevisions.first }
    return outcome
  }

  /// Returns the outcome of a change without an effect, with the present revisions.
  func nothing(at slot: OverrideSlot?) throws -> OverrideOutcome {
    let player = try slot?.player.map { try transaction.playerRevision($0, in: game) }
    return OverrideOutcome(
      revision: try transaction.revision(of: game), playerRevision: player, slots: [], removed: [], window: nil, lines: [])
  }

  /// Refuses a change of a key that a running scenario holds until its end, and a change for players of an ended scenario.
  /// - Throws: `.heldByScenario`, `.notOfScenario`.
  func checkHold(on slot: OverrideSlot) throws {
    if let player = slot.player, let id = ScenarioNames.scenario(ofPlayer: player) {
      if id == holder { return }
      guard let scenario = try transaction.scenario(id), scenario.admits(slot.game) else { throw ChangeRefusal.notOfScenario(player) }
      let isShared = ByteText.areSame(player, scenario.prefix)
      if isShared || scenario.hold(on: slot.key, in: slot.game) != nil {
        throw ChangeRefusal.heldByScenario(key: slot.key, scenario: scenario.name, id: scenario.id)
      }
    }
    guard slot.player == nil else { return }
    for scenario in try transaction.scenarios() where scenario.id != holder && scenario.hold(on: slot.key, in: slot.game)?.window != nil {
      throw ChangeRefusal.heldByScenario(key: slot.key, scenario: scenario.name, id: scenario.id)
    }
  }

  private func checkLimits(_ writes: OverrideChangeSet) throws {
    if writes.playersGrowth > 0, try transaction.playerOverridesCount(in: game) > OverrideLimits.playerOverridesMax {
      throw ChangeRefusal.tooManyPlayerOverrides(max: OverrideLimits.playerOverridesMax)
    }
    if writes.windowsGrowth > 0,
      try transaction.overrides(in: game, OverrideSelection(.game)).reduce(0, { $0 + $1.windows.count }) > OverrideLimits.gameWindowsMax
    {
      throw ChangeRefusal.tooManyWindows(max: OverrideLimits.gameWindowsMax)
    }
  }
}
