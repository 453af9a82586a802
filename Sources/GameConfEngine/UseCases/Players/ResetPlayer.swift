// Makes a player new again.
import GameConfCore
public import GameConfStorage

/// The numbers of what was removed to make a player new.
public struct PlayerResetOutcome: Sendable, Hashable {
  /// State, history, settings, purchases, bests and plays.
  public var rows = RemovedRowCounts()
  /// The number of overrides, windows counted.
  public var overrides = 0
  /// The number of the overrides that other users had set, by their names.
  public var overridesOfOthers: [String: Int] = [:]
  /// True if the player's clock was ahead of the game's.
  public var hadClock = false
  /// True if the store was set to behave otherwise for the player.
  public var hadBehaviour = false
  /// True if anything was there.
  public var isKnown: Bool { rows.isKnown || overrides > 0 }
}

extension PlayerAct<PlayerResetOutcome> {
  /// Makes a player new again, as a test wants: scores, counters, history, settings, context, purchases, how the store behaves, the clock and
  /// overrides are gone. If nothing is known of the player, nothing changes.
  ///
  /// Who the player is stays known: the audit log keeps what it says, what is done of the queues of the player's clients is not done again, and the
  /// player revision goes on. ``PlayerAct/forget`` takes those away too.
  public static var reset: Self {
    // Memory does not say what an earlier transaction of the batch has written, and nothing here would find that out.
    // The player's overrides go too, which makes a revision of the game.
    Self(reach: .game, trustsMemory: false) { edit in try edit.reset() }
  }
}

extension PlayerEdit {
  /// Makes the player new.
  func reset() throws -> PlayerChangeOutcome<PlayerResetOutcome> {
    var gone = PlayerResetOutcome()
    let overrides = try transaction.overrides(in: id.game, OverrideSelection(.player(id.player)))
    gone.overrides = overrides.reduce(0) { $0 + $1.records.count }
    for record in overrides.flatMap(\.records) where record.author.uid != change.author.uid {
      gone.overridesOfOthers[record.author.name, default: 0] += 1
    }
    guard gone.overrides > 0 || !view.stored.isUnknown else { return PlayerChangeOutcome(outcome: gone, player: view.stored) }
    gone.hadClock = view.stored.clock != .game
    gone.hadBehaviour = view.stored.ledger.map { $0.behaviour != ShopBehaviour() } ?? false
    let revision = try transaction.nextPlayerRevision(id.player, in: id.game)
    if let gameRevision = try remove(overrides, playerRevision: revision) { try note(overrides, revision: gameRevision) }
    gone.rows = try transaction.forget(id, by: .reset)
    var stored = try transaction.player(id)
    // With whom purchases were exchanged is kept, so that all of them are found when the player is forgotten.
    let ledger = view.stored.ledger.flatMap { $0.partners.isEmpty ? nil : $0.fresh(keepingBehaviour: false) }
    let marks = view.stored.marks
    if ledger != nil || !marks.isEmpty {
      var write = PlayerWrite(ledger: ledger, marks: marks.isEmpty ? nil : marks)
      write.at = change.now
      guard let kept = try transaction.write(write, of: id, over: stored) else {
        throw ChangeRefusal.store(.failed("a player of \(id.game) has another revision than was just read"))
      }
      stored = kept
    }
    var line = line(.playerReset)
    var detail = gone.rows.auditDetail
    detail["overrides"] = .integer(Int64(gone.overrides))
    line.detail = .object(detail)
    try transaction.append(line)
    return PlayerChangeOutcome(outcome: gone, player: stored)
  }

  /// Writes a line for each slot that is emptied, by which it can be brought back.
  private func note(_ overrides: [KeyOverrides], revision: Int64) throws {
    for each in overrides {
      var line = line(.overrideRemoved)
      line.key = each.slot.key
      line.before = (each.permanent ?? each.windows.first)?.value
      line.revision = revision
      line.undo = OverrideUndo.undo(from: each, to: KeyOverrides(slot: each.slot))
      try transaction.append(line)
    }
  }
}

extension AuditAction {
  /// A player was made new again.
  public static let playerReset = AuditAction(.playerReset)
}
