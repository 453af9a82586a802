// Resets a player to the state of a new one.
import GameConfCore
public import GameConfStorage

/// The number of removed items of a player's reset, by kind.
public struct PlayerResetOutcome: Sendable, Hashable {
  /// The numbers of removed rows: state, history, settings, purchases, bests and plays.
  public var rows = RemovedRowCounts()
  /// The number of removed overrides, including overrides with a time window.
  public var overrides = 0
  /// The number of overrides that other users had set and the reset removed, by the users' names.
  public var overridesOfOthers: [String: Int] = [:]
  /// True if the player's clock was ahead of the game's.
  public var hadClock = false
  /// True if the simulated store had a special behaviour for the player.
  public var hadBehaviour = false
  /// True if the reset removed any data of the player.
  public var isKnown: Bool { rows.isKnown || overrides > 0 }
}

extension PlayerAct<PlayerResetOutcome> {
  /// Resets a player to the state of a new one, as tests need it: scores, counters, history, settings, context, purchases, the simulated
  /// store's behaviour, the clock and overrides are removed. For an unknown player, nothing changes.
  ///
  /// The id stays known: the audit log keeps its lines, requests in clients' queues that were done are not repeated, and the
  /// player revision continues. Only ``PlayerAct/forget`` removes the id.
  public static var reset: Self {
    // The cache lacks the writes of earlier transactions of the same batch, and this act would not detect that, so it reads the database.
    // The scope is the game, because the removal of the player's overrides creates a revision of the game.
    Self(reach: .game, trustsMemory: false) { edit in try edit.reset() }
  }
}

extension PlayerEdit {
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
    // The players with whom purchases were exchanged stay in the ledger, so that forgetting the player finds all of them.
    let ledger = view.stored.ledger.flatMap { $0.partners.isEmpty ? nil : $0.fresh(keepingBehaviour: false) }
    let marks = view.stored.marks
    if ledger != nil || !marks.isEmpty {
      var write = PlayerWrite(ledger: ledger, marks: marks.isEmpty ? nil : marks)
      write.at = change.now
      guard let written = try transaction.write(write, of: id, over: stored) else {
        throw ChangeRefusal.store(.failed("a player of \(id.game) has another revision than was just read"))
      }
      stored = written
    }
    var line = line(.playerReset)
    var detail = gone.rows.auditDetail
    detail["overrides"] = .integer(Int64(gone.overrides))
    line.detail = .object(detail)
    try transaction.append(line)
    return PlayerChangeOutcome(outcome: gone, player: stored)
  }

  /// Writes an audit line for each key whose overrides were removed, by which they can be restored.
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
  /// A player was reset to the state of a new one.
  public static let playerReset = AuditAction(.playerReset)
}
