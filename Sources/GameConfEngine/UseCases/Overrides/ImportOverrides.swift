// Imports many overrides in one atomic change.
public import GameConfCore
import GameConfStorage

/// One row of an import or export: a permanent override, or an override with a time window.
public struct OverrideRow: Sendable, Hashable {
  /// The player's id; nil for a game-wide override.
  public var player: String?
  /// The key of the overridden parameter.
  public var key: String
  /// The value to set.
  public var value: Value
  /// The override's time window; nil for a permanent override.
  public var window: WindowRequest?
  /// The reason of this override; nil for the reason of the whole import.
  public var reason: String?

  /// Creates a row, by default a permanent game-wide override.
  public init(player: String? = nil, key: String, value: Value, window: WindowRequest? = nil, reason: String? = nil) {
    self.player = player
    self.key = key
    self.value = value
    self.window = window
    self.reason = reason
  }
}

extension OverrideService {
  /// The most invalid rows that a refused import reports. The rows after them are not checked.
  private static let faultsMax = 100

  /// Sets the overrides of all rows atomically, with one revision of the game and one audit line for each key of the game or of a player.
  ///
  /// A row without a time window replaces the permanent override of its key. A row with a window adds it, or replaces the one with the same
  /// beginning and end. Other overrides stay. Constraints are checked once, after the last row.
  /// - Parameter replacing: True to also remove every override of the game that no row names.
  /// - Throws: `.rows` with the invalid rows, `.tooManyRows`, `.unknownGame`, `.constraint`, a limit, `.reason`,
  ///   `.changedMeanwhile`, `.repeatedWithOtherContent`, `.store`.
  public func importRows(
    _ rows: [OverrideRow], into game: String, replacing: Bool = false, _ context: ChangeContext,
    remembering: RepeatableChange<OverrideOutcome, ChangeRefusal>? = nil
  ) async throws(ChangeRefusal) -> ChangeAnswer<OverrideOutcome> {
    if rows.count < ChangePreparation.slotsMin, !replacing {
      return try await importRows(rows, game, false, nil, context, remembering, nil)
    }
    return try await pace.run(by: context.author.uid) {
      await ChangePreparation(store: store, checking: checking, game: game, context).importing(rows, replacing: replacing)
    } change: { prepared, time async throws(ChangeRefusal) in
      try await importRows(rows, game, replacing, prepared, context, remembering, time)
    }
  }

  private func importRows(
    _ rows: [OverrideRow], _ game: String, _ replacing: Bool, _ prepared: PreparedChange?, _ context: ChangeContext,
    _ remembering: RepeatableChange<OverrideOutcome, ChangeRefusal>?, _ time: BulkChangeLimiter.TransactionTime?
  ) async throws(ChangeRefusal) -> ChangeAnswer<OverrideOutcome> {
    let (store, checking) = (store, checking)
    return try await transaction(in: game, context, remembering) { transaction in
      time?.begin()
      defer { time?.end(othersWait: store.health.writesWaiting > 0) }
      guard rows.count <= OverrideLimits.importRowsMax else { throw ChangeRefusal.tooManyRows(max: OverrideLimits.importRowsMax) }
      let edit = try OverrideEdit(transaction, checking, game: game, context)
      try edit.checkPrecondition(at: nil)
      if rows.isEmpty, !replacing { return try edit.nothing(at: nil) }
      let isPrepared = try prepared.map(edit.mayCommit) ?? false
      let revision = try transaction.nextRevision(of: game)
      if let prepared, isPrepared { return try edit.commit(prepared) }
      var taken = ImportedRows(edit: edit, revision: revision, isEmptying: replacing)
      var faults: [RowFault] = []
      for (number, row) in rows.enumerated() where faults.count < Self.faultsMax {
        do { try taken.take(row, number) } catch let error as ChangeRefusal {
          if case .store = error { throw error }
          faults.append(RowFault(row: number, error: .refused(error)))
        } catch let fault as RowFault { faults.append(fault) }
      }
      guard faults.isEmpty else { throw ChangeRefusal.rows(faults) }
      if replacing { try taken.empty(transaction.overrides(in: game, OverrideSelection(.all)).map(\.slot)) }
      var outcome = try edit.commit(taken.changes, revision: revision)
      if rows.count <= OverrideLimits.rowsShownMax {
        outcome.inForce = try edit.valuesInForce(after: taken.changes.filter { !$0.after.isEmpty }, revision: revision)
      }
      return outcome
    }
  }
}

/// The changes of an import so far: one for each key of the game or of a player, in the order of their first rows.
private struct ImportedRows {
  let edit: OverrideEdit
  let revision: Int64
  /// True to remove a key's former overrides before its rows are applied.
  let isEmptying: Bool
  var changes: [OverrideEdit.SlotChange] = []
  private var places: [OverrideSlot: Int] = [:]
  private var permanent: [OverrideSlot: Int] = [:]
  private var windows: [String: Int] = [:]

  init(edit: OverrideEdit, revision: Int64, isEmptying: Bool) {
    self.edit = edit
    self.revision = revision
    self.isEmptying = isEmptying
  }

  mutating func take(_ row: OverrideRow, _ number: Int) throws {
    let slot = OverrideSlot(game: edit.game, player: row.player, key: row.key)
    let place = try place(of: slot)
    var record = edit.record(try edit.admit(row.value, at: slot), at: slot, revision: revision)
    if let reason = row.reason { try ChangeContext.check(reason: reason) }
    record.reason = row.reason ?? record.reason
    guard let request = row.window else {
      if let earlier = permanent.updateValue(number, forKey: slot) { throw RowFault(row: number, error: .duplicate(of: earlier)) }
      changes[place].after.setPermanent(record)
      return
    }
    let window = try request.window(id: "w\(revision)-\(number + 1)", now: edit.context.now)
    let same = changes[place].after.windows.first { $0.window?.from == window.from && $0.window?.until == window.until }?.window
    if let same {
      if let earlier = windows[same.id] { throw RowFault(row: number, error: .duplicate(of: earlier)) }
      _ = changes[place].after.remove(window: same.id)
    }
    do throws(WindowFault) { try changes[place].after.add(record, window: window, now: edit.context.now) } catch {
      throw ChangeRefusal.window(error)
    }
    windows[window.id] = number
  }

  /// Removes the overrides of each given key that no row has named.
  mutating func empty(_ slots: [OverrideSlot]) throws {
    for slot in slots where places[slot] == nil {
      let before = try edit.load(slot, isStored: true)
      changes.append(OverrideEdit.SlotChange(before: before, after: KeyOverrides(slot: slot), action: .overrideImported))
    }
  }

  private mutating func place(of slot: OverrideSlot) throws -> Int {
    if let place = places[slot] { return place }
    try edit.checkHold(on: slot)
    let before = try edit.load(slot)
    places[slot] = changes.count
    changes.append(
      OverrideEdit.SlotChange(before: before, after: isEmptying ? KeyOverrides(slot: slot) : before, action: .overrideImported))
    return changes.count - 1
  }
}
