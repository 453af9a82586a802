// The rows that a change of overrides writes: made in its transaction, or, where it is large, before it.
import GameConfCore
import GameConfStorage

/// The rows, lines and players of a change of one game, all of one revision.
struct OverrideChangeSet: Sendable {
  /// The revision that the change makes.
  let revision: Int64
  /// The overrides at each slot that changes.
  private(set) var slots: [KeyOverrides] = []
  /// The overrides that were removed.
  private(set) var removed: [OverrideRecord] = []
  /// The permanent overrides that another takes the place of.
  private(set) var replaced: [OverrideRecord] = []
  /// The audit lines, one for each slot.
  private(set) var lines: [AuditRecord] = []
  /// The same, packed, where that was done before the transaction.
  private(set) var packs: [AuditPack] = []
  /// The slots as they are kept, where that was done before the transaction.
  private(set) var written = OverrideRowBatch()
  /// Each player once whose slot changes.
  private(set) var players: [String] = []
  /// For each slot, which of the players it is of; nil for the game's.
  private(set) var playerNumbers: [Int?] = []
  /// By how many the players' overrides grow, windows counted.
  private(set) var playersGrowth = 0
  /// The number of overrides of players that were at the slots, windows counted.
  private(set) var playersBefore = 0
  /// By how many the game's windows grow.
  private(set) var windowsGrowth = 0
  /// The slots that a scenario may hold.
  private(set) var holdable: [OverrideSlot] = []

  private let game: String
  private let context: Change
  private var numbers: [ByteText: Int] = [:]

  /// Nothing yet.
  init(game: String, _ context: Change, revision: Int64) {
    self.game = game
    self.context = context
    self.revision = revision
  }

  /// Adds what happens to one more slot.
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

  /// Packs the lines and writes out the slots that came since the last time.
  mutating func pack() {
    for overrides in slots[written.slots.count...] { written.add(overrides, revision: revision) }
    let packed = packs.reduce(0) { $0 + $1.count }
    for at in stride(from: packed, to: lines.count, by: AuditPack.linesMax) {
      packs.append(AuditPack(lines[at..<min(at + AuditPack.linesMax, lines.count)]))
    }
    written.isToldByLines = !packs.isEmpty
  }

  /// The slots as they are written one by one.
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
  /// The value an audit line shows: the window's, else the permanent one, else, when all are meant, the first window's.
  fileprivate func value(shownFor window: String?) -> Value? {
    if let window { return windows.first { $0.window?.id == window }?.value ?? permanent?.value }
    return (permanent ?? windows.first)?.value
  }
}
