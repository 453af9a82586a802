// Revisions as a kind of served state.
import GameConfCore

extension RevisionRows: StateRows {
  static let storedTables = [
    StoredTable("game_revisions", ["game": .text, "revision": .number(.revision)]),
    StoredTable("slot_revisions", ["game": .text, "player": .text, "key": .text, "revision": .number(.revision)]),
    StoredTable("player_revisions", ["game": .text, "player": .text, "revision": .number(.revision)]),
    // The range of each number depends on its name; see ``StoredNumber``.
    StoredTable("numbers", ["name": .text, "number": .number(.bits)]),
  ]

  static let lastGood = [
    LastGoodMember(name: "revisions") { change in
      if case .revision = change { true } else { false }
    } value: { state in
      .object(ObjectValue(state.revisions.sorted { $0.key < $1.key }.map { ($0.key, Value.integer($0.value)) }))
    } read: { document, state in
      guard let revisions = document?.objectValue else { return false }
      for member in revisions.members {
        guard let revision = member.value.countValue else { return false }
        state.revisions[member.name] = revision
      }
      return true
    },
    // This number rises with each event, so a change of it does not cause a write of `last-good.json`. The file is written when the number
    // has risen by much.
    LastGoodMember(name: "player_revision_max") { _ in
      false
    } value: { state in
      .integer(state.playerRevisionMax)
    } read: { document, state in
      guard let revision = document?.countValue else { return false }
      state.playerRevisionMax = revision
      return true
    },
  ]

  static func load(into state: inout StoredState, from view: ReadTransaction) throws {
    state.epoch = UInt64(bitPattern: try view.number(epoch))
    state.revisions = try view.revisions()
    state.playerRevisionMax = try view.number(playerMax)
  }

  /// Writes nothing. After a rebuild, as after a restore, `DatabaseRestoration` raises every revision above the served ones.
  static func rebuild(_ state: StoredState, in transaction: WriteTransaction) throws {}

  static func changes(of game: ChangedGame) throws -> [StoreChange]? {
    let revision = try game.view.revision(of: game.name)
    return revision > game.known ? [.revision(game: game.name, revision: revision)] : []
  }

  static func isWritten(_ row: UnreadableRow, by change: StoreChange) -> Bool { false }
}

extension SQLiteConnection {
  /// Returns the store's epoch, which may be any 64 bits; nil if there is none.
  func epoch() throws(DatabaseFailure) -> Int64? {
    try row("SELECT number FROM numbers WHERE name = ?", [RevisionRows.epoch])?.anyInteger(0)
  }
}
