// Reverts what one user or one session changed.
import GameConfCore
public import GameConfStorage

/// The outcome of taking several changes back.
public struct RevertOutcome: Sendable {
  /// A line that is not taken back, and why.
  public struct SkippedLine: Sendable {
    /// The line.
    public var line: AuditRecord
    /// The reason; nil where it changed the whole game, and the caller may change players only.
    public var refusal: ChangeRefusal?
  }

  /// The change that took them back; one that changed nothing where there was nothing to take back.
  public var change: OverrideOutcome
  /// The lines that stay, the newest first.
  public var left: [SkippedLine]
}

extension OverrideService {
  /// Restores what stood before the selected changes of a game, in one change: the newest is reverted first.
  ///
  /// A line that was reverted already, and one that reverted another, is passed over. A slot that another user changed in between is restored as far
  /// as the selected changes are the last ones.
  /// - Parameter isForPlayers: whether lines about the whole game are left.
  /// - Throws: `.tooManyLines` for ``AuditSelection/linesMax`` lines or more, `.unknownGame`, `.constraint`, a limit, `.reason`,
  ///   `.changedMeanwhile`, `.repeatedWithOtherContent`, `.store`.
  public func revertAll(
    _ selection: AuditSelection, in game: String, isForPlayers: Bool, _ context: Change,
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

  /// The user whose session it is: the caller if it has lines of the caller's, else the author of its first line.
  ///
  /// A session's name is the client's word. Another user may send the same one, and must not have lines taken back, or be taken for its owner.
  private static func owner(of lines: [AuditRecord], _ caller: UInt32) -> UInt32? {
    lines.contains { $0.author.uid == caller } ? caller : lines.last?.author.uid
  }
}

/// The way back through the lines of a game, the newest first.
private struct RevertWalk {
  /// The way back at one slot.
  struct Slot {
    /// The overrides in force.
    let before: KeyOverrides
    /// The overrides before the last line that was passed.
    var state: KeyOverrides
    /// The overrides once the lines are taken back.
    var restored: KeyOverrides
    /// The lines that are taken back, the newest first.
    var lines: [AuditRecord] = []
    /// True if somebody else changed it in between.
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
  private var slots: [OverrideSlot: Slot] = [:]
  private var order: [OverrideSlot] = []

  init(edit: OverrideEdit, isForPlayers: Bool) {
    self.edit = edit
    self.isForPlayers = isForPlayers
  }

  /// Leaves a line that another user made under the session's name.
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
    // What took another line back is passed on the way to older ones, and stays.
    let isMeant = !isTakenBack && line.action != .overrideReverted
    if isForPlayers, slot.player == nil {
      if isMeant { left.append(RevertOutcome.SkippedLine(line: line, refusal: nil)) }
      return
    }
    if slots[slot] == nil {
      let now = try edit.load(slot)
      slots[slot] = Slot(before: now, state: now, restored: now)
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

  /// The slots that change, in the order of their newest lines; those that may not change are left.
  mutating func restorable() throws -> [Slot] {
    var found: [Slot] = []
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
