// Rows of players: the state, the ring of history lines with answers beside them, and purchases.
import GRDB
import GameConfCore
import GameConfEngine

enum PlayerRows {
  /// A player's number stands for game and id wherever there is more than one row of a player.
  static let tables = [
    """
    CREATE TABLE players (
      number INTEGER PRIMARY KEY, game TEXT NOT NULL, player TEXT NOT NULL, state TEXT, offset_ms INTEGER NOT NULL DEFAULT 0,
      UNIQUE (game, player)
    )
    """,
    """
    CREATE TABLE player_history (
      number INTEGER NOT NULL, slot INTEGER NOT NULL, entry INTEGER NOT NULL, line TEXT NOT NULL, answer TEXT, PRIMARY KEY (number, slot)
    ) WITHOUT ROWID
    """,
    "CREATE TABLE ledgers (number INTEGER PRIMARY KEY, ledger TEXT NOT NULL)",
  ]

  static func state(_ row: Row, _ column: Int) throws -> PlayerState? {
    guard let value = try row.optionalValue(column) else { return nil }
    do throws(PlayerCodingFault) { return try PlayerState(decoding: value) } catch { throw Trouble.damaged(error.message) }
  }

  static func ledger(_ row: Row, _ column: Int) throws -> Ledger? {
    guard let value = try row.optionalValue(column) else { return nil }
    do throws(LedgerFault) { return try Ledger(decoding: value) } catch {
      throw Trouble.damaged("a stored ledger: \(error.message) (at \(error.pointer))")
    }
  }
}

extension SQLiteView {
  func player(_ id: PlayerID) throws(StoreError) -> StoredPlayer {
    let row = try row(
      """
      SELECT state, offset_ms, ledger FROM players LEFT JOIN ledgers ON ledgers.number = players.number WHERE game = ? AND player = ?
      """, [id.game, id.player])
    var stored = StoredPlayer(revision: try playerRevision(id.player, in: id.game))
    guard let row else { return stored }
    return try attempting {
      stored.state = try PlayerRows.state(row, 0)
      stored.clock = PlayerClock(offsetMilliseconds: try row.integer(1))
      stored.ledger = try PlayerRows.ledger(row, 2)
      return stored
    }
  }

  func players(in game: String, after: String?, limit: Int) throws(StoreError) -> [ListedPlayer] {
    let rows = try rows(
      """
      SELECT players.player, state, offset_ms, EXISTS (SELECT 1 FROM ledgers WHERE ledgers.number = players.number), revision
      FROM players LEFT JOIN player_revisions AS revisions ON revisions.game = players.game AND revisions.player = players.player
      WHERE players.game = ? AND players.player > ? ORDER BY players.player LIMIT ?
      """, [game, after ?? "", max(limit, 0)])
    return try attempting {
      try rows.map { row in
        ListedPlayer(
          player: try row.text(0), state: try PlayerRows.state(row, 1), hasLedger: try row.integer(3) != 0,
          clock: PlayerClock(offsetMilliseconds: try row.integer(2)), revision: max(row.optionalInteger(4) ?? 0, floors.players))
      }
    }
  }

  func history(of id: PlayerID, before: Int64?, limit: Int) throws(StoreError) -> [HistoryEntry] {
    let rows = try rows(
      """
      SELECT entry, line FROM player_history
      WHERE number = (SELECT number FROM players WHERE game = ? AND player = ?) AND entry < ? ORDER BY entry DESC LIMIT ?
      """, [id.game, id.player, before ?? .max, max(limit, 0)])
    return try attempting {
      try rows.map { row in
        let number = try row.integer(0)
        let line = try row.value(1)
        do throws(PlayerCodingFault) { return try HistoryEntry(number: number, decoding: line) } catch {
          throw Trouble.damaged(error.message)
        }
      }
    }
  }

  func answer(beside entry: Int64, of id: PlayerID) throws(StoreError) -> Value? {
    let row = try row(
      """
      SELECT answer FROM player_history
      WHERE number = (SELECT number FROM players WHERE game = ? AND player = ?) AND slot = ? AND entry = ?
      """, [id.game, id.player, entry % Int64(PlayerLimits.historyEntriesMax), entry])
    return try attempting {
      guard let row else { return nil }
      return try row.optionalValue(0)
    }
  }
}

extension SQLiteTurn {
  func put(_ state: PlayerState, entry: HistoryEntry?, answer: Value?, of id: PlayerID) throws(StoreError) {
    let number = try number(
      "INSERT INTO players (game, player, state) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET state = excluded.state RETURNING number",
      [id.game, id.player, state.encoded.stored])
    guard let entry else { return }
    try run(
      "INSERT OR REPLACE INTO player_history (number, slot, entry, line, answer) VALUES (?, ?, ?, ?, ?)",
      [number, entry.slot, entry.number, entry.encoded.stored, answer?.stored])
  }

  func put(_ ledger: Ledger, of id: PlayerID) throws(StoreError) {
    let number = try number(
      "INSERT INTO players (game, player) VALUES (?, ?) ON CONFLICT DO UPDATE SET player = player RETURNING number", [id.game, id.player])
    try run("INSERT OR REPLACE INTO ledgers (number, ledger) VALUES (?, ?)", [number, ledger.encoded.stored])
  }

  func put(_ clock: PlayerClock, of id: PlayerID) throws(StoreError) {
    try run(
      "INSERT INTO players (game, player, offset_ms) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET offset_ms = excluded.offset_ms",
      [id.game, id.player, clock.offsetMilliseconds])
  }

  func forget(_ id: PlayerID) throws(StoreError) -> ForgottenRows {
    var gone = ForgottenRows()
    let stored = try player(id)
    gone.settings = stored.state?.settings.count ?? 0
    gone.transactions = stored.ledger?.transactions.count ?? 0
    if let row = try row("SELECT number FROM players WHERE game = ? AND player = ?", [id.game, id.player]) {
      let number = try attempting { try row.integer(0) }
      gone.isKnown = true
      gone.historyEntries = try run("DELETE FROM player_history WHERE number = ?", [number])
      try run("DELETE FROM ledgers WHERE number = ?", [number])
      try run("DELETE FROM players WHERE number = ?", [number])
    }
    try run("DELETE FROM slot_revisions WHERE game = ? AND player = ?", [id.game, id.player])
    try run(
      "UPDATE OR REPLACE player_revisions SET player = ?3 WHERE game = ?1 AND player = ?2",
      [id.game, id.player, RevisionRows.forgottenName(of: id.player)])
    return gone
  }

  private func number(_ sql: String, _ arguments: StatementArguments) throws(StoreError) -> Int64 {
    let row = try row(sql, arguments)
    return try attempting {
      guard let row else { throw Trouble.failing("a player's row was not written") }
      return try row.integer(0)
    }
  }
}
