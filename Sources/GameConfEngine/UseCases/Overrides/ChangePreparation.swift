// Makes out and checks a large change of overrides before its turn, so that the writer has only to write it.
import GameConfCore

/// A change of many slots, whole and admitted as long as nothing else has changed the game.
struct PreparedChange: Sendable {
  /// The game's revision that it was made out by.
  let revision: Int64
  let changes: [OverrideEdit.SlotChange]

  /// Whether it may be written at this revision: nothing came between.
  func holds(at next: Int64) -> Bool { next == revision + 1 }
}

/// Prepares changes by the readers, some players at a time: neither a reader nor a task is held for long, and the writer not at all.
///
/// What cannot be prepared (few slots, windows, an edge that is due, a refusal, a game that changes meanwhile) is left to the turn, which says the
/// same of it with everybody waiting.
struct ChangePreparation {
  /// A change of fewer slots is made out in its turn as fast.
  static let slotsMin = 256
  /// A change of more of the game's own slots is checked in its turn: each piece would look at all of them.
  static let gameSlotsMax = 64
  private static let playersAtOnce = 32
  /// What nobody waits for may take long.
  private static let deadlineMilliseconds = 10_000

  private let store: any Store
  private let checking: any OverrideChecking
  private let game: String
  private let context: Change

  private struct Unprepared: Error {}

  init(store: any Store, checking: any OverrideChecking, game: String, _ context: Change) {
    self.store = store
    self.checking = checking
    self.game = game
    self.context = context
  }

  /// An import of standing overrides; nil where the turn is to see to it.
  func importing(_ rows: [OverrideRow]) async -> PreparedChange? {
    guard (Self.slotsMin...OverrideLimits.importRowsMax).contains(rows.count), let revision = checking.revision(of: game) else {
      return nil
    }
    var slots: Set<OverrideSlot> = []
    for row in rows {
      guard row.window == nil, row.player.map(OverrideLimits.admits) ?? true,
        slots.insert(OverrideSlot(game: game, player: row.player, key: row.key)).inserted
      else { return nil }
    }
    return await prepared(rows.map(\.player), at: revision) { view, at throws in
      let slot = OverrideSlot(game: game, player: rows[at].player, key: rows[at].key)
      let before = try standing(try view.overrides(at: slot))
      let value = try checking.admit(rows[at].value, for: slot.key, player: slot.player, in: game)
      if let reason = rows[at].reason { try Change.check(reason: reason) }
      var after = before
      after.setStanding(
        OverrideRecord(
          slot: slot, value: value, author: context.author, reason: rows[at].reason ?? context.reason, at: context.now,
          revision: revision + 1))
      return OverrideEdit.SlotChange(before: before, after: after, action: .overrideImported)
    }
  }

  /// A clear; nil where the turn is to see to it.
  func clearing(_ selection: OverrideSelection) async -> PreparedChange? {
    guard let revision = checking.revision(of: game) else { return nil }
    let found = try? await store.read(deadlineMilliseconds: Self.deadlineMilliseconds) { view throws in
      guard try view.revision(of: game) == revision else { throw Unprepared() }
      return try view.overrides(in: game, selection)
    }
    guard let found, found.count >= Self.slotsMin else { return nil }
    return await prepared(found.map(\.slot.player), at: revision) { _, at throws in
      OverrideEdit.SlotChange(
        before: try standing(found[at]), after: KeyOverrides(slot: found[at].slot), action: .overrideCleared)
    }
  }

  /// Overrides at a slot, which must have no edge that is due.
  private func standing(_ overrides: KeyOverrides) throws -> KeyOverrides {
    var advanced = overrides
    guard advanced.advance(to: context.now).isEmpty else { throw Unprepared() }
    return overrides
  }

  /// Makes the changes, each player's in one piece with the game's own, and holds each piece against the constraints.
  /// - Parameters:
  ///   - players: whom each change is about; nil for the game.
  ///   - make: one of them, by its number.
  private func prepared(
    _ players: [String?], at revision: Int64,
    _ make: @escaping @Sendable (any StoreView, Int) throws -> OverrideEdit.SlotChange
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
        guard try view.revision(of: game) == revision else { throw Unprepared() }
        let changes = try piece.map { try make(view, $0) }
        try OverrideConstraints(view: view, checking: checking, game: game, now: context.now, changes: changes).run()
        return changes
      }
      guard let changes, !Task.isCancelled else { return nil }
      for (number, change) in zip(piece, changes) { made[number] = change }
    } while next < each.count
    // What was asked of the catalog was asked of this revision's.
    guard checking.revision(of: game) == revision else { return nil }
    return PreparedChange(revision: revision, changes: made.compactMap { $0 })
  }
}
