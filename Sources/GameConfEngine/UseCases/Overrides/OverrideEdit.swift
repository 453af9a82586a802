// One change of overrides within the writer's turn: what every such change reads, checks and writes.
import GameConfCore

/// A change of one or more slots of a game, made whole within a turn.
struct OverrideEdit {
  /// What happens to one slot.
  struct SlotChange: Sendable {
    var before: KeyOverrides
    var after: KeyOverrides
    var action: AuditAction
    var window: String?
    var reverts: Int64?
    /// What else the audit log says.
    var detail: Value?
  }

  let turn: any StoreTurn
  let checking: any OverrideChecking
  let game: String
  let context: Change
  /// The scenario on whose behalf it is made; nil for everybody else.
  let holder: String?

  /// Opens a change.
  /// - Throws: `.unknownGame`, `.reason`.
  init(
    _ turn: any StoreTurn, _ checking: any OverrideChecking, game: String, _ context: Change, holder: String? = nil
  ) throws(OverrideError) {
    self.turn = turn
    self.holder = holder
    self.checking = checking
    self.game = game
    self.context = context
    guard checking.has(game: game) else { throw .unknownGame(game) }
    if let reason = context.reason { try Change.check(reason: reason) }
  }

  /// What is forced at a slot, with the edges that are due applied.
  func load(_ slot: OverrideSlot) throws -> KeyOverrides {
    if let player = slot.player, !OverrideLimits.admits(player: player) { throw OverrideError.notAPlayer(player) }
    let stored = try turn.overrides(at: slot)
    var advanced = stored
    let edges = advanced.advance(to: context.now)
    if edges.isEmpty { return stored }
    try EdgeApplication(turn: turn).apply([(advanced, edges)])
    return advanced
  }

  func admit(_ value: Value, at slot: OverrideSlot) throws(OverrideError) -> Value {
    try checking.admit(value, for: slot.key, player: slot.player, in: game)
  }

  /// Holds the change's precondition against the slot.
  func checkPrecondition(at slot: OverrideSlot?) throws {
    let actual: Int64
    switch context.precondition {
    case .none: return
    case .gameRevision(let expected):
      actual = try turn.revision(of: game)
      if actual == expected { return }
    case .slotRevision(let expected):
      actual = try slot.map { try turn.revision(at: $0) ?? 0 } ?? turn.revision(of: game)
      if actual == expected { return }
    case .playerRevision(let expected):
      actual = try slot?.player.map { try turn.playerRevision($0, in: game) } ?? 0
      if actual == expected { return }
    case .newestTemplate, .templateInForce: actual = try turn.revision(of: game)
    }
    throw OverrideError.changedMeanwhile(revision: actual)
  }

  /// An override by this change's author.
  func record(_ value: Value, at slot: OverrideSlot, revision: Int64) -> OverrideRecord {
    OverrideRecord(slot: slot, value: value, author: context.author, reason: context.reason, at: context.now, revision: revision)
  }

  /// Checks limits and constraints and writes the changes, at a revision that ``StoreTurn`` has given.
  /// - Parameter areHeld: whether constraints were held against these very changes, over what is stored now.
  func commit(_ changes: [SlotChange], revision: Int64, areHeld: Bool = false) throws -> OverrideOutcome {
    for change in changes { try checkHold(on: change.after.slot) }
    let slots = changes.map(\.after)
    try turn.put(slots)
    try checkLimits(changes)
    if !areHeld { try OverrideConstraints(edit: self, changes: changes).run() }
    var outcome = OverrideOutcome(revision: revision, slots: slots, removed: [], window: nil, lines: [])
    try turn.setRevision(revision, at: slots.map(\.slot))
    let playerRevisions = try raisePlayers(of: slots)
    outcome.lines = try turn.append(changes.map { audit(of: $0, revision: revision) })
    for (change, line) in zip(changes, outcome.lines) {
      let player = change.after.slot.player.map(ByteText.init)
      outcome.removed += change.before.records.filter { record in !change.after.records.contains { $0.window?.id == record.window?.id } }
      turn.publish(.overrides(change.after, revision: revision, playerRevision: player.flatMap { playerRevisions[$0] }))
      turn.publish(.audited(line))
    }
    if playerRevisions.count == 1 { outcome.playerRevision = playerRevisions.values.first }
    return outcome
  }

  private func raisePlayers(of slots: [KeyOverrides]) throws -> [ByteText: Int64] {
    var seen: Set<ByteText> = []
    let players = slots.compactMap { $0.slot.player.map(ByteText.init) }.filter { seen.insert($0).inserted }
    let revisions = try turn.nextPlayerRevisions(players.map(\.text), in: game)
    return Dictionary(zip(players, revisions), uniquingKeysWith: max)
  }

  /// What a change that changes nothing answers.
  func nothing(at slot: OverrideSlot?) throws -> OverrideOutcome {
    let player = try slot?.player.map { try turn.playerRevision($0, in: game) }
    return OverrideOutcome(revision: try turn.revision(of: game), playerRevision: player, slots: [], removed: [], window: nil, lines: [])
  }

  /// Refuses what would change a key that a scenario holds, and what is for a player of a scenario that is over.
  /// - Throws: `.heldByScenario`, `.notOfScenario`.
  func checkHold(on slot: OverrideSlot) throws {
    if let player = slot.player, let id = ScenarioNames.scenario(ofPlayer: player) {
      if id == holder { return }
      guard let scenario = try turn.scenario(id), scenario.admits(slot.game) else { throw OverrideError.notOfScenario(player) }
      let isShared = ByteText.areSame(player, scenario.prefix)
      if isShared || scenario.hold(on: slot.key, in: slot.game) != nil {
        throw OverrideError.heldByScenario(key: slot.key, scenario: scenario.name)
      }
    }
    guard slot.player == nil else { return }
    for scenario in try turn.scenarios() where scenario.id != holder && scenario.hold(on: slot.key, in: slot.game)?.window != nil {
      throw OverrideError.heldByScenario(key: slot.key, scenario: scenario.name)
    }
  }

  private func checkLimits(_ changes: [SlotChange]) throws {
    func grows(_ isMeant: (OverrideSlot) -> Bool, _ count: (KeyOverrides) -> Int) -> Bool {
      changes.reduce(0) { isMeant($1.after.slot) ? $0 + count($1.after) - count($1.before) : $0 } > 0
    }
    if grows({ $0.player != nil }, { $0.records.count }),
      try turn.playerOverridesCount(in: game) > OverrideLimits.playerOverridesMax
    {
      throw OverrideError.tooManyPlayerOverrides(max: OverrideLimits.playerOverridesMax)
    }
    if grows({ $0.player == nil }, { $0.windows.count }),
      try turn.overrides(in: game, OverrideSelection(.game)).reduce(0, { $0 + $1.windows.count }) > OverrideLimits.gameWindowsMax
    {
      throw OverrideError.tooManyWindows(max: OverrideLimits.gameWindowsMax)
    }
  }

  private func audit(of change: SlotChange, revision: Int64) -> AuditRecord {
    let slot = change.after.slot
    var line = AuditRecord(at: context.now, author: context.author, action: change.action, game: game, reason: context.reason)
    line.player = slot.player
    line.key = slot.key
    line.window = change.window
    if change.action == .overrideSet {
      line.before = change.before.standing?.value
      line.after = change.after.standing?.value
    } else {
      line.before = change.before.value(shownFor: change.window)
      line.after = change.after.value(shownFor: change.window)
    }
    line.revision = revision
    line.reverts = change.reverts
    line.detail = change.detail
    line.undo = OverrideUndo.undo(from: change.before, to: change.after)
    return line
  }
}

extension KeyOverrides {
  /// The value an audit line shows: the window's, else the standing one, else, when all are meant, the first window's.
  fileprivate func value(shownFor window: String?) -> Value? {
    if let window { return windows.first { $0.window?.id == window }?.value ?? standing?.value }
    return (standing ?? windows.first)?.value
  }
}
