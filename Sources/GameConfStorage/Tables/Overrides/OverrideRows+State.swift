// Overrides as a kind of state that is served, with the revisions of their slots.
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

  /// The players of whom the database is asked one by one.
  private static let forgottenMax = 256

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

  static func changes(of game: ChangedGame) throws -> [StoreChange]? {
    guard let forgotten = try forgotten(of: game) else { return nil }
    return try forgotten + slots(of: game)
  }

  /// The changes of the slots that have another revision.
  ///
  /// A slot's last revision stays when its overrides are removed, so all slots that have changed are found by it, those too that were set and unset since
  /// the last look. Where another catalog was accepted, its keys are left to the code that follows catalogs: before that, the new revision would name the
  /// value of the old one.
  private static func slots(of game: ChangedGame) throws -> [StoreChange] {
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

  /// The changes that players who were forgotten leave behind. Their slots are gone with their revisions, so what is served is compared with what is there.
  /// - Returns: nil if so many are gone that everything is read sooner.
  private static func forgotten(of game: ChangedGame) throws -> [StoreChange]? {
    guard game.hasForgotten else { return [] }
    let (name, view, served) = (game.name, game.view, game.served)
    let present = Set(try view.overrides(in: name, OverrideSelection(.players)).map(\.slot)).union(try view.playerSlotRevisions().keys)
    let gone = served.slots.filter { $0.game == name && $0.player != nil && !present.contains($0) }
    let players = Dictionary(grouping: gone) { $0.player ?? "" }
    if players.count > forgottenMax { return nil }
    let revision = try view.revision(of: name)
    var changes: [StoreChange] = [.playersForgotten(game: name)]
    for (player, slots) in players.sorted(by: { $0.key < $1.key }) {
      let playerRevision = try view.playerRevision(player, in: name)
      changes += slots.filter { served[$0] != nil }.sorted().map {
        .overrides(KeyOverrides(slot: $0), revision: revision, playerRevision: playerRevision)
      }
      changes.append(.forgotten(PlayerID(game: name, player: player)))
    }
    return changes
  }

  /// The forget has emptied the player's slots, which raises the game's revision.
  static func forget(_ id: PlayerID, in transaction: WriteTransaction) throws(StoreError) -> Bool { false }

  static func isWritten(_ row: UnreadableRow, by change: StoreChange) -> Bool {
    row.kind == .override && change.overrides.contains { row.name == $0.slot.key && row.isAbout($0.slot.player, in: $0.slot.game) }
  }
}
