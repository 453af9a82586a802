// Computes and checks a large change of overrides before its transaction, so that the writer only writes it.
import GameConfCore
import GameConfStorage

/// A computed and checked change of many overrides, valid as long as no other change raises the game's revision.
struct PreparedChange: Sendable {
  /// The rows to write. Their revision is one higher than the game's revision for which the change was computed.
  let writes: OverrideChangeSet
  /// The game's snapshot after the change, for publication; nil if the snapshot must be built override by override.
  let precomputed: StoreChange?

  /// True if the game still has the revision for which the change was computed, so that the change may be written.
  func holds(at revision: Int64) -> Bool { writes.revision == revision + 1 }
}

/// The computation of a large change of overrides before its transaction. It reads on the reader threads, a few players at a time, so that
/// it blocks no reader, task or writer for long.
///
/// A change that cannot be prepared is computed in its transaction, with the same result, but blocking other writes. The reasons are few
/// overrides, time windows, a window that begins or ends now, a refusal, or a game that keeps changing.
struct ChangePreparation {
  /// The fewest overrides that are prepared. A smaller change is computed as fast in its transaction.
  static let slotsMin = 256
  /// The most game-wide overrides that are prepared. A change with more of them is checked in its transaction, because each group of
  /// players would check all of them again.
  static let gameSlotsMax = 64
  /// The most attempts to prepare a change while other changes raise the game's revision.
  static let attemptsMax = 3
  private static let playersAtOnce = 32
  /// The number of overrides after which the task yields its thread.
  private static let slotsAtOnce = 256
  /// The time limit of one database read of the preparation, for which no client waits.
  private static let deadlineMilliseconds = 10_000

  private let store: any Store
  private let checking: any OverrideChecking
  private let game: String
  private let context: ChangeContext

  private struct PreparationFailure: Error {}

  init(store: any Store, checking: any OverrideChecking, game: String, _ context: ChangeContext) {
    self.store = store
    self.checking = checking
    self.game = game
    self.context = context
  }

  /// Prepares an import of permanent overrides; nil if the transaction must compute it.
  /// - Parameter replacing: True to also remove the overrides that no row names.
  func importing(_ rows: [OverrideRow], replacing: Bool) async -> PreparedChange? {
    guard rows.count <= OverrideLimits.importRowsMax, replacing || rows.count >= Self.slotsMin else { return nil }
    var slots: Set<OverrideSlot> = []
    for row in rows {
      guard row.window == nil, row.player.map(OverrideLimits.admits(player:)) ?? true,
        slots.insert(OverrideSlot(game: game, player: row.player, key: row.key)).inserted
      else { return nil }
    }
    return await again { revision in
      let others = replacing ? await found(OverrideSelection(.all), at: revision)?.filter { !slots.contains($0.slot) } : []
      guard let others, rows.count + others.count >= Self.slotsMin else { return nil }
      return await prepared(rows.map(\.player) + others.map(\.slot.player), at: revision) { view, at throws in
        guard at < rows.count else {
          let before = try settled(others[at - rows.count])
          return OverrideEdit.SlotChange(before: before, after: KeyOverrides(slot: before.slot), action: .overrideImported)
        }
        return try change(to: rows[at], replacing: replacing, revision: revision + 1, in: view)
      }
    }
  }

  /// Prepares the removal of the selected overrides; nil if the transaction must compute it.
  func clearing(_ selection: OverrideSelection) async -> PreparedChange? {
    await again { revision in
      guard let found = await found(selection, at: revision), found.count >= Self.slotsMin else { return nil }
      return await prepared(found.map(\.slot.player), at: revision) { _, at throws in
        OverrideEdit.SlotChange(
          before: try settled(found[at]), after: KeyOverrides(slot: found[at].slot), action: .overrideCleared)
      }
    }
  }

  /// Prepares a change at the game's present revision, and again if the game has changed meanwhile, at most ``attemptsMax`` times.
  private func again(_ prepare: (_ revision: Int64) async -> PreparedChange?) async -> PreparedChange? {
    for _ in 0..<Self.attemptsMax {
      guard let revision = checking.revision(of: game) else { return nil }
      if let made = await prepare(revision) { return made }
      if Task.isCancelled || checking.revision(of: game) == revision { return nil }
    }
    return nil
  }

  /// Reads the selected overrides; nil if the game has another revision or the read fails.
  private func found(_ selection: OverrideSelection, at revision: Int64) async -> [KeyOverrides]? {
    try? await store.read(deadlineMilliseconds: Self.deadlineMilliseconds) { view throws in
      guard try view.revision(of: game) == revision else { throw PreparationFailure() }
      return try view.overrides(in: game, selection)
    }
  }

  private func change(
    to row: OverrideRow, replacing: Bool, revision: Int64, in view: ReadTransaction
  ) throws -> OverrideEdit.SlotChange {
    let slot = OverrideSlot(game: game, player: row.player, key: row.key)
    let before = try settled(try view.overrides(at: slot))
    let value = try checking.admit(row.value, for: slot.key, player: slot.player, in: game)
    if let reason = row.reason { try ChangeContext.check(reason: reason) }
    var after = replacing ? KeyOverrides(slot: slot) : before
    after.setPermanent(
      OverrideRecord(
        slot: slot, value: value, author: context.author, reason: row.reason ?? context.reason, at: context.now, revision: revision))
    return OverrideEdit.SlotChange(before: before, after: after, action: .overrideImported)
  }

  /// Returns the overrides unchanged. Throws if one of their time windows begins or ends by now, because the transaction must apply that
  /// first.
  private func settled(_ overrides: KeyOverrides) throws -> KeyOverrides {
    var advanced = overrides
    guard advanced.advance(to: context.now).isEmpty else { throw PreparationFailure() }
    return overrides
  }

  /// Computes the changes of a few players at a time, together with the game-wide changes, and checks them against the constraints.
  /// - Parameters:
  ///   - players: The player of each change; nil for the game.
  ///   - make: Computes the change at an index of `players`.
  private func prepared(
    _ players: [String?], at revision: Int64,
    _ make: @escaping @Sendable (ReadTransaction, Int) throws -> OverrideEdit.SlotChange
  ) async -> PreparedChange? {
    let numbers = Dictionary(grouping: players.indices) { players[$0].map(ByteText.init) }
    let ofGame = numbers[nil] ?? []
    guard ofGame.count <= Self.gameSlotsMax else { return nil }
    let each = numbers.filter { $0.key != nil }.values.sorted { ($0.first ?? 0) < ($1.first ?? 0) }
    var made: [OverrideEdit.SlotChange?] = Array(repeating: nil, count: players.count)
    var next = 0
    repeat {
      let piece = ofGame + each[next..<min(next + Self.playersAtOnce, each.count)].joined()
      next += Self.playersAtOnce
      let changes = try? await store.read(deadlineMilliseconds: Self.deadlineMilliseconds) { view throws in
        guard try view.revision(of: game) == revision else { throw PreparationFailure() }
        let changes = try piece.map { try make(view, $0) }
        try OverrideConstraints(view: view, checking: checking, game: game, now: context.now, changes: changes).run()
        return changes
      }
      guard let changes, !Task.isCancelled else { return nil }
      for (number, change) in zip(piece, changes) { made[number] = change }
    } while next < each.count
    return await written(made.compactMap { $0 }, at: revision)
  }

  /// Computes the rows to write and the game's snapshot after the changes, and yields the thread every ``slotsAtOnce`` changes.
  private func written(_ changes: [OverrideEdit.SlotChange], at revision: Int64) async -> PreparedChange? {
    let before = checking.snapshot(of: game)
    var draft = before.flatMap { $0.revision == revision ? GameDraft($0) : nil }
    var writes = OverrideChangeSet(game: game, context, revision: revision + 1)
    for (number, change) in changes.enumerated() {
      if number % Self.slotsAtOnce == Self.slotsAtOnce - 1 {
        writes.pack()
        await Task.yield()
      }
      writes.add(change)
      draft?.put(change.after, revision: revision + 1)
    }
    writes.pack()
    // The checks used this revision's catalog, so the revision must be unchanged.
    guard checking.revision(of: game) == revision, !Task.isCancelled else { return nil }
    let precomputed = before.flatMap { before in draft.map { StoreChange.precomputed(before: before, after: $0.snapshot()) } }
    return PreparedChange(writes: writes, precomputed: precomputed)
  }
}
