// The rows that a change of overrides writes to the database. A large change computes them before its transaction.
import GameConfCore
import GameConfStorage

/// A change of one game's overrides at one revision: its rows, its rows in the audit log, and the players that it affects.
struct OverrideChangeSet: Sendable {
  /// The game's revision from which the change applies.
  let revision: Int64
  private(set) var slots: [KeyOverrides] = []
  private(set) var removed: [OverrideRecord] = []
  /// The permanent overrides that new ones replaced.
  private(set) var replaced: [OverrideRecord] = []
  /// The audit lines, one for each of ``slots``.
  private(set) var lines: [AuditRecord] = []
  /// The audit lines, serialized in groups of one row each; empty if they were not serialized before the transaction.
  private(set) var packs: [AuditPack] = []
  /// The overrides in the form of database rows, if they were encoded before the transaction.
  private(set) var written = OverrideRowBatch()
  /// The ids of the players with a changed override, each once.
  private(set) var players: [String] = []
  /// For each of ``slots``, the index of its player in ``players``; nil for game-wide overrides.
  private(set) var playerNumbers: [Int?] = []
  /// The number of players' overrides after the change minus the number before. Overrides with a time window count too.
  private(set) var playersGrowth = 0
  /// The number of overrides that the changed keys of players had before the change. Overrides with a time window count too.
  private(set) var playersBefore = 0
  /// The number of game-wide overrides with a time window after the change, minus the number before.
  private(set) var windowsGrowth = 0
  /// The changed keys that a running scenario may hold: game-wide ones, and those of scenarios' players.
  private(set) var holdable: [OverrideSlot] = []

  private let game: String
  private let context: ChangeContext
  private var numbers: [ByteText: Int] = [:]

  init(game: String, _ context: ChangeContext, revision: Int64) {
    self.game = game
    self.context = context
    self.revision = revision
  }

  mutating func add(_ change: OverrideEdit.SlotChange) {
    let slot = change.after.slot
    let (before, after) = (change.before.records, change.after.records)
    slots.append(change.after)
    removed += before.filter { record in !after.contains { $0.window?.id == record.window?.id } }
    if let old = change.before.permanent, let new = change.after.permanent, new.revision != old.revision { replaced.append(old) }
    lines.append(audit(of: change))
    guard let player = slot.player else {
      windowsGrowth += change.after.windows.count - change.before.windows.count
      playerNumbers.append(nil)
      holdable.append(slot)
      return
    }
    playersBefore += before.count
    playersGrowth += after.count - before.count
    let name = ByteText(player)
    if numbers[name] == nil {
      numbers[name] = players.count
      players.append(player)
    }
    playerNumbers.append(numbers[name])
    if ScenarioNames.scenario(ofPlayer: player) != nil { holdable.append(slot) }
  }

  /// Serializes the audit lines and encodes the overrides as rows. Lines and overrides that an earlier call encoded are left out.
  mutating func pack() {
    for overrides in slots[written.slots.count...] { written.add(overrides, revision: revision) }
    let packed = packs.reduce(0) { $0 + $1.count }
    for at in stride(from: packed, to: lines.count, by: AuditPack.linesMax) {
      packs.append(AuditPack(lines[at..<min(at + AuditPack.linesMax, lines.count)]))
    }
    written.hasPackedLines = !packs.isEmpty
  }

  /// Returns the changed overrides for writing them one by one, each with its player's new revision.
  /// - Parameter playerRevisions: The new revision of each of ``players``.
  func changed(_ playerRevisions: [Int64]) -> [ChangedOverrides] {
    slots.indices.map { at in
      ChangedOverrides(slots[at], playerRevision: playerNumbers[at].map { playerRevisions[$0] })
    }
  }

  private func audit(of change: OverrideEdit.SlotChange) -> AuditRecord {
    let slot = change.after.slot
    var line = AuditRecord(context, action: change.action, game: game)
    line.player = slot.player
    line.key = slot.key
    line.window = change.window
    if change.action == .overrideSet {
      line.before = change.before.permanent?.value
      line.after = change.after.permanent?.value
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
  /// Returns the value to show in an audit line: the time window's, otherwise the permanent override's, otherwise the first window's.
  fileprivate func value(shownFor window: String?) -> Value? {
    if let window { return windows.first { $0.window?.id == window }?.value ?? permanent?.value }
    return (permanent ?? windows.first)?.value
  }
}
