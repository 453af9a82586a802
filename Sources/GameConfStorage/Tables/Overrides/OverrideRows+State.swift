// Overrides and the revisions of their slots, as a kind of served state.
import GameConfCore

extension OverrideRows: StateRows {
  static let storedTables = [
    StoredTable(
      "overrides",
      [
        "game": .text, "player": .text, "key": .text, "window": .text, "from_ms": .optional(.instant), "until_ms": .optional(.instant),
        "is_open": .number(.flag), "value": .text, "author_uid": .number(.uid), "author_name": .text, "author_pid": .optional(.pid),
        "reason": .text, "at_ms": .number(.instant), "revision": .number(.revision), "quarantined": .text,
      ]),
    StoredTable("override_counts", ["game": .text, "of_players": .number(.count)]),
  ]

  static let lastGood = [
    LastGoodMember(name: "overrides") { change in
      switch change {
      case .overrides, .overridesMany: true
      default: false
      }
    } value: { state in
      .list(state.sortedOverrides.flatMap(\.records).map(OverrideDocument.document))
    } read: { document, state in
      guard let overrides = document?.listValue else { return false }
      var records: [OverrideRecord] = []
      for override in overrides {
        guard let record = OverrideDocument.record(in: override) else { return false }
        records.append(record)
      }
      for (slot, records) in Dictionary(grouping: records, by: \.slot) { state.put(KeyOverrides(slot: slot, records: records)) }
      return true
    }
  ]

  static func load(into state: inout StoredState, from view: ReadTransaction) throws {
    for overrides in try view.overrides() { state.put(overrides) }
    for game in state.revisions.keys {
      for (key, revision) in try view.keyRevisions(of: game) { state.note(revision, at: OverrideSlot(game: game, key: key)) }
    }
    for (slot, revision) in try view.playerSlotRevisions() { state.note(revision, at: slot) }
  }

  static func rebuild(_ state: StoredState, in transaction: WriteTransaction) throws {
    try transaction.putRows(of: Array(state.allOverrides))
  }

  /// Returns the changes of all keys, for the game or for a player, that have a later revision than the served state of the game.
  ///
  /// A key keeps its last revision when its overrides are removed. So this finds every changed key, even if an override was set and removed
  /// since the last read. If another catalog was accepted, its changed keys without a game-wide override are published with
  /// ``StoreChange/catalogAccepted(game:digest:keyRevisions:)`` instead. If these keys were published as changes of overrides, their new
  /// revision would name the old catalog's value.
  static func changes(of game: ChangedGame) throws -> [StoreChange]? {
    var changes: [StoreChange] = []
    var keysOfCatalog: [String: Int64] = [:]
    for row in try game.view.rows(RevisionRows.changedSlots, [game.name, game.known]) {
      let player = try row.text(0)
      let slot = OverrideSlot(game: game.name, player: player.isEmpty ? nil : player, key: try row.text(1))
      let revision = try row.integer(2)
      let overrides = try game.view.overrides(at: slot)
      if overrides.isEmpty, game.served[slot] == nil, slot.player == nil, game.accepted != nil {
        keysOfCatalog[slot.key] = revision
      } else {
        let playerRevision = try slot.player.map { try game.view.playerRevision($0, in: game.name) }
        changes.append(.overrides(overrides, revision: revision, playerRevision: playerRevision))
      }
    }
    if let accepted = game.accepted { changes.append(.catalogAccepted(game: game.name, digest: accepted, keyRevisions: keysOfCatalog)) }
    return changes
  }

  static func isWritten(_ row: UnreadableRow, by change: StoreChange) -> Bool {
    row.kind == .override && change.overrides.contains { row.name == $0.slot.key && row.isAbout($0.slot.player, in: $0.slot.game) }
  }
}

extension OverrideRows: PlayerStateRows {
  static let served = PlayerServedState.overrides

  /// Deletes the revisions of the player's keys. The use case removes the player's overrides before, which raises the game's revision.
  static func forget(_ id: PlayerID, in transaction: WriteTransaction) throws(StoreError) -> Bool {
    // Packed lines would restore the revisions of the player's keys, so they are unpacked first.
    try transaction.unpackAudits(about: id)
    return try transaction.run(RevisionRows.removeSlots, [id.game, id.player]) > 0
  }

  /// Returns the changes that remove the overrides of players who no longer have rows.
  static func gone(from game: ChangedGame) throws -> [String: [StoreChange]]? {
    let (name, view, served) = (game.name, game.view, game.served)
    let present = Set(try view.overrides(in: name, OverrideSelection(.players)).map(\.slot)).union(try view.playerSlotRevisions().keys)
    let missing = served.slots.filter { $0.game == name && $0.player != nil && !present.contains($0) }
    let gone = Dictionary(grouping: missing) { $0.player ?? "" }
    if ChangedGame.isTooMany(gone.count) { return nil }
    let revision = try view.revision(of: name)
    return try gone.reduce(into: [:]) { changes, each in
      let playerRevision = try view.playerRevision(each.key, in: name)
      changes[each.key] = each.value.filter { served[$0] != nil }.sorted().map {
        .overrides(KeyOverrides(slot: $0), revision: revision, playerRevision: playerRevision)
      }
    }
  }
}
