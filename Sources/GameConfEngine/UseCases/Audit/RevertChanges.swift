// Reverts all changes of one user or one session.
import GameConfCore
public import GameConfStorage

/// The outcome of reverting several changes.
public struct RevertOutcome: Sendable {
  /// An audit line whose change is not reverted, with the reason.
  public struct SkippedLine: Sendable {
    /// The audit line of the change that stays.
    public var line: AuditRecord
    /// The reason; nil if the line changed the whole game and the caller may only change players.
    public var refusal: ChangeRefusal?
  }

  /// The change that reverted the lines; an outcome without a change if there was nothing to revert.
  public var change: OverrideOutcome
  /// The audit lines whose changes are not reverted, newest first.
  public var left: [SkippedLine]
}

extension OverrideService {
  /// Reverts the changes that the selected lines of a game's audit log record, from the newest backwards, in one change.
  ///
  /// Lines that are reverted already, and lines that reverted others, are skipped. If a key also has a change that is not selected, only
  /// the selected changes after that one are reverted for the key.
  /// - Parameter isForPlayers: True to revert only changes for players, and to leave those for the whole game.
  /// - Throws: `.tooManyLines` for ``AuditSelection/linesMax`` lines or more, `.unknownGame`, `.constraint`, a limit, `.reason`,
  ///   `.changedMeanwhile`, `.repeatedWithOtherContent`, `.store`.
  public func revertAll(
    _ selection: AuditSelection, in game: String, isForPlayers: Bool, _ context: ChangeContext,
    remembering: RepeatableChange<RevertOutcome, ChangeRefusal>? = nil
  ) async throws(ChangeRefusal) -> ChangeAnswer<RevertOutcome> {
    var selection = selection
    (selection.game, selection.limit) = (game, AuditSelection.linesMax)
    return try await change(in: game, context, remembering) { [selection] edit in
      let transaction = edit.transaction
      try edit.checkPrecondition(at: nil)
      let lines = try transaction.audits(selection)
      guard lines.count < AuditSelection.linesMax else { throw ChangeRefusal.tooManyLines(max: AuditSelection.linesMax) }
      var walk = RevertWalk(edit: edit, isForPlayers: isForPlayers)
      let owner = selection.author == nil && selection.session != nil ? Self.owner(of: lines, context.author.uid) : nil
      for line in lines {
        if let owner, line.author.uid != owner { walk.leave(line) } else { try walk.take(line) }
      }
      let slots = try walk.restorable()
      guard !slots.isEmpty else { return RevertOutcome(change: try edit.nothing(at: nil), left: walk.left) }
      let revision = try transaction.nextRevision(of: game)
      let outcome = try edit.commit(try slots.map { try $0.change(edit, revision: revision) }, revision: revision)
      for (slot, own) in zip(slots, outcome.audits) {
        for line in slot.lines { try transaction.markReverted(line, by: own) }
      }
      return RevertOutcome(change: outcome, left: walk.left)
    }
  }

  /// Returns the user who owns the session: the caller if any line is the caller's, otherwise the author of the session's first line.
  ///
  /// Clients choose the names of sessions, so another user may send the same name. That user's lines are not reverted, and that user is
  /// not the owner.
  private static func owner(of lines: [AuditRecord], _ caller: UInt32) -> UInt32? {
    lines.contains { $0.author.uid == caller } ? caller : lines.last?.author.uid
  }
}

/// The traversal of a game's audit lines, newest first, that computes the overrides to restore.
private struct RevertWalk {
  /// The traversal's state for one key of the game or of a player.
  struct RevertedKey {
    /// The overrides of the key before the revert.
    let before: KeyOverrides
    /// The overrides of the key before the change of the last visited audit line.
    var state: KeyOverrides
    var restored: KeyOverrides
    /// The audit lines to revert, newest first.
    var lines: [AuditRecord] = []
    /// True if the traversal has found an unselected change of the key, so that older changes of the key are not reverted.
    var isChangedSince = false

    func change(_ edit: OverrideEdit, revision: Int64) throws -> OverrideEdit.SlotChange {
      let records = try edit.restored(restored.records, at: before.slot, revision: revision)
      var change = OverrideEdit.SlotChange(
        before: before, after: KeyOverrides(slot: before.slot, records: records), action: .overrideReverted, reverts: lines.last?.id)
      if lines.count > 1 { change.detail = ["reverted": .list(lines.map { .integer($0.id) })] }
      return change
    }
  }

  let edit: OverrideEdit
  let isForPlayers: Bool
  private(set) var left: [RevertOutcome.SkippedLine] = []
  private var slots: [OverrideSlot: RevertedKey] = [:]
  private var order: [OverrideSlot] = []

  init(edit: OverrideEdit, isForPlayers: Bool) {
    self.edit = edit
    self.isForPlayers = isForPlayers
  }

  /// Records that an audit line, made by another user under the same name of a session, is not reverted.
  mutating func leave(_ line: AuditRecord) {
    if line.revertedBy == nil { left.append(RevertOutcome.SkippedLine(line: line, refusal: .ofAnotherUser(line.author))) }
  }

  mutating func take(_ line: AuditRecord) throws {
    let isTakenBack = line.revertedBy != nil
    guard let undo = line.undo, let key = line.key else {
      if !isTakenBack { left.append(RevertOutcome.SkippedLine(line: line, refusal: .notRevertible(line.action))) }
      return
    }
    let slot = OverrideSlot(game: edit.game, player: line.player, key: key)
    // A line that reverted another is traversed to reach older lines, but is not reverted.
    let isMeant = !isTakenBack && line.action != .overrideReverted
    if isForPlayers, slot.player == nil {
      if isMeant { left.append(RevertOutcome.SkippedLine(line: line, refusal: nil)) }
      return
    }
    if slots[slot] == nil {
      let now = try edit.load(slot)
      slots[slot] = RevertedKey(before: now, state: now, restored: now)
      order.append(slot)
    }
    guard var place = slots[slot] else { return }
    if !place.isChangedSince, let records = OverrideUndo.records(in: undo, over: place.state) {
      place.state = KeyOverrides(slot: slot, records: records)
      if isMeant {
        place.restored = place.state
        place.lines.append(line)
      }
    } else {
      place.isChangedSince = true
      if isMeant { left.append(RevertOutcome.SkippedLine(line: line, refusal: .changedSince)) }
    }
    slots[slot] = place
  }

  /// Returns the states of the keys to change, in the order of their newest audit lines. A key that may not be changed is skipped, and its
  /// lines are recorded as not reverted.
  mutating func restorable() throws -> [RevertedKey] {
    var found: [RevertedKey] = []
    for name in order {
      guard let slot = slots[name], !slot.lines.isEmpty, slot.restored != slot.before else { continue }
      do {
        try edit.checkHold(on: name)
        for record in slot.restored.records { _ = try edit.admit(record.value, at: name) }
        found.append(slot)
      } catch let refusal as ChangeRefusal {
        if case .store = refusal { throw refusal }
        left += slot.lines.map { RevertOutcome.SkippedLine(line: $0, refusal: refusal) }
      }
    }
    left.sort { $0.line.id > $1.line.id }
    return found
  }
}
