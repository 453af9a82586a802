// The rows of bests, which are a player's best scores by event and detail, and of leaderboards.
package import GameConfCore

enum BestRows {
  /// Bests are clustered by player. The player's row has a column with the number of bests, because every write of a best updates that row
  /// anyway.
  ///
  /// `boards` names the lists of leaderboards. `board_rows` is clustered by player, with an index in the order of the list.
  /// `forgotten_players` reserves the numbers of forgotten players until their bests and rows are deleted, so that no new player gets them.
  static let tables = [
    """
    CREATE TABLE bests (
      player INTEGER NOT NULL, event TEXT NOT NULL, detail TEXT NOT NULL, score INTEGER, at_ms INTEGER NOT NULL, PRIMARY KEY (player, event, detail)
    ) WITHOUT ROWID
    """,
    "ALTER TABLE players ADD COLUMN bests INTEGER NOT NULL DEFAULT 0",
    """
    CREATE TABLE boards (
      number INTEGER PRIMARY KEY, game TEXT NOT NULL, board TEXT NOT NULL, per TEXT NOT NULL, UNIQUE (game, board, per)
    )
    """,
    """
    CREATE TABLE board_rows (
      board INTEGER NOT NULL, player INTEGER NOT NULL, score INTEGER NOT NULL, at_ms INTEGER NOT NULL, PRIMARY KEY (board, player)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX board_order ON board_rows (board, score DESC, at_ms, player)",
    "CREATE TABLE forgotten_players (player INTEGER PRIMARY KEY)",
  ]

  static let storedTables = [
    StoredTable(
      "bests",
      ["player": .number(.ordinal), "event": .text, "detail": .text, "score": .optional(.score), "at_ms": .number(.instant)]),
    StoredTable("boards", ["number": .number(.ordinal), "game": .text, "board": .text, "per": .text]),
    StoredTable(
      "board_rows", ["board": .number(.ordinal), "player": .number(.ordinal), "score": .number(.score), "at_ms": .number(.instant)]),
  ]

  static let best = Statement(.query, "SELECT score, at_ms FROM bests WHERE player = ? AND event = ? AND detail = ?")
  static let bestsCount = Statement(.query, "SELECT bests FROM players WHERE game = ? AND player = ?", locks: .player)
  static let selected = Statement(
    .query,
    """
    SELECT event, detail, score, at_ms FROM bests
    WHERE player = ?1 AND (event, detail) > (?2, ?3) AND (CAST(?4 AS TEXT) IS NULL OR event = ?4)
      AND (CAST(?5 AS TEXT) IS NULL OR substr(detail, 1, length(?5)) = ?5)
    ORDER BY event, detail LIMIT ?6
    """)
  static let counted = Statement(
    .query,
    """
    SELECT count(*) FROM bests
    WHERE player = ?1 AND event = ?2 AND (CAST(?3 AS TEXT) IS NULL OR substr(detail, 1, length(?3)) = ?3)
      AND (CAST(?4 AS BIGINT) IS NULL OR score >= ?4)
    """)
  static let put = Statement(
    .insert,
    """
    INSERT INTO bests (player, event, detail, score, at_ms) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (player, event, detail) DO UPDATE SET score = excluded.score, at_ms = excluded.at_ms
    """)
  static let removeSelected = Statement(
    .change,
    """
    DELETE FROM bests
    WHERE player = ?1 AND (CAST(?2 AS TEXT) IS NULL OR event = ?2) AND (CAST(?3 AS TEXT) IS NULL OR substr(detail, 1, length(?3)) = ?3)
    """)
  static let countAgain = Statement(
    .change, "UPDATE players SET bests = (SELECT count(*) FROM bests WHERE player = ?1) WHERE number = ?1")

  /// Selects the row number of a leaderboard's list. The number never changes.
  static let boardNumber = Statement(
    .query, "SELECT number FROM boards WHERE game = ? AND board = ? AND per = ?", prefetched: .boardNumber)
  static let addBoard = Statement(.answeringInsert(number: "number"), "INSERT INTO boards (game, board, per) VALUES (?, ?, ?)")
  static let boardsCount = Statement(.query, "SELECT count(*) FROM boards WHERE game = ?")
  /// Selects a player's row on a leaderboard's list.
  static let boardRow = Statement(
    .query,
    """
    SELECT score, at_ms FROM board_rows WHERE board = (SELECT number FROM boards WHERE game = ? AND board = ? AND per = ?) AND player = ?
    """, prefetched: .boardRow)
  static let putRow = Statement(
    .insert,
    """
    INSERT INTO board_rows (board, player, score, at_ms) VALUES (?, ?, ?, ?)
    ON CONFLICT (board, player) DO UPDATE SET score = excluded.score, at_ms = excluded.at_ms
    """)
  /// Overwrites a player's row on a leaderboard's list. A subquery finds the list, which saves one statement and, over a network, one round
  /// trip.
  static let moveRow = Statement(
    .certainChange,
    """
    UPDATE board_rows SET score = ?, at_ms = ?
    WHERE board = (SELECT number FROM boards WHERE game = ? AND board = ? AND per = ?) AND player = ?
    """)
  /// Selects the best rows of a leaderboard's list. CROSS JOIN makes SQLite scan `board_rows` before `players`.
  static let rows = Statement(
    .query,
    sqlite: """
      SELECT players.player, score, at_ms FROM board_rows CROSS JOIN players ON players.number = board_rows.player
      WHERE board = ? ORDER BY score DESC, at_ms, board_rows.player LIMIT ?
      """,
    postgres: """
      SELECT players.player, score, at_ms FROM board_rows JOIN players ON players.number = board_rows.player
      WHERE board = ? ORDER BY score DESC, at_ms, board_rows.player LIMIT ?
      """, locks: .noRow)
  /// Counts the rows that rank above a row on a leaderboard's list, in three counts: rows with a higher score, earlier rows with the same
  /// score, and the rows of forgotten players among all these. The first two counts stop at `?5`.
  static let rowsBefore = Statement(.query, sqlite: rowsBefore(join: "CROSS JOIN"), postgres: rowsBefore(join: "JOIN"))

  private static func rowsBefore(join: String) -> String {
    """
    SELECT
      (SELECT count(*) FROM (SELECT 1 FROM board_rows WHERE board = ?1 AND score > ?2 LIMIT ?5) AS part),
      (SELECT count(*) FROM (SELECT 1 FROM board_rows WHERE board = ?1 AND score = ?2 AND (at_ms, player) < (?3, ?4) LIMIT ?5) AS part),
      (SELECT count(*) FROM forgotten_players AS gone \(join) board_rows AS was ON was.board = ?1 AND was.player = gone.player
        WHERE was.score > ?2 OR was.score = ?2 AND (was.at_ms, was.player) < (?3, ?4))
    """
  }

  static let rowsCount = Statement(.query, "SELECT count(*) FROM board_rows WHERE board = ?")
  static let scores = Statement(
    .query, "SELECT score, count(*) FROM board_rows WHERE board = ? GROUP BY score ORDER BY score DESC")

  static let forgotten = Statement(.query, "SELECT player FROM forgotten_players LIMIT 1")
  static let removeSome = Statement(
    .change, "DELETE FROM bests WHERE player = ?1 AND (event, detail) IN (SELECT event, detail FROM bests WHERE player = ?1 LIMIT ?2)")
  static let removeRows = Statement(.change, "DELETE FROM board_rows WHERE player = ?1 AND board IN (SELECT number FROM boards)")
  /// Selects a player's scores on a leaderboard, by list.
  static let rowsOfPlayer = Statement(
    .query,
    """
    SELECT boards.per, score FROM boards JOIN board_rows ON board_rows.board = boards.number AND board_rows.player = ?1
    WHERE boards.game = ?2 AND boards.board = ?3 AND (CAST(?4 AS TEXT) IS NULL OR boards.per = ?4) ORDER BY boards.per
    """)
  static let removeRowsOfPlayer = Statement(
    .change,
    """
    DELETE FROM board_rows WHERE player = ?1 AND board IN (
      SELECT number FROM boards WHERE game = ?2 AND board = ?3 AND (CAST(?4 AS TEXT) IS NULL OR per = ?4))
    """)
  static let removeForgotten = Statement(.change, "DELETE FROM forgotten_players WHERE player = ?")

  static let statements = [
    best, bestsCount, selected, counted, put, removeSelected, countAgain, boardNumber, addBoard, boardsCount, boardRow, putRow, moveRow,
    rows,
    rowsBefore, rowsCount, scores, forgotten, removeSome, removeRows, rowsOfPlayer,
    removeRowsOfPlayer, removeForgotten,
  ]
}

extension ReadTransaction {
  /// Returns the number of a player's row in `players`; nil if the player is unknown.
  private func number(of id: PlayerID, at place: PlayerRowPosition?) throws(StoreError) -> Int64? {
    if let place { return place.number }
    return try rawRows(PlayerRows.number) { query in
      query.bind(id.game)
      query.bind(id.player)
    } _: { row in
      try row.integer(0)
    }.first
  }

  /// Returns the player's stored best for an event and a detail.
  /// - Parameter place: the position of the player's row, if the caller knows it.
  package func best(_ event: String, _ detail: String, of id: PlayerID, at place: PlayerRowPosition?) throws(StoreError) -> StoredBest? {
    guard let number = try number(of: id, at: place) else { return nil }
    return try rawRows(BestRows.best) { query in
      query.bind(number)
      query.bind(event)
      query.bind(detail)
    } _: { row in
      StoredBest(event: event, detail: detail, score: row.anyInteger(0), at: try row.instant(1))
    }.first
  }

  /// Returns the number of the player's bests, from the player's row.
  package func bestsCount(of id: PlayerID, at place: PlayerRowPosition?) throws(StoreError) -> Int {
    if let place { return place.bests }
    let row = try row(BestRows.bestsCount, [id.game, id.player])
    return try attempting { Int(try row?.integer(0) ?? 0) }
  }

  /// Computes those of the given counts of bests that are not cached in the player yet, and caches them there.
  package func count(_ counts: [BestCount], of player: inout StoredPlayer) throws(StoreError) {
    guard var place = player.place else { return }
    for count in counts where place.bestCounts[count] == nil {
      let row = try row(BestRows.counted, [place.number, count.event, count.prefix, count.score])
      place.bestCounts[count] = try attempting { try row?.integer(0) ?? 0 }
    }
    player.place = place
  }

  /// Returns a page of the player's bests, ordered by event and detail, that follow `after`.
  package func bests(of id: PlayerID, _ selection: BestSelection, after: StoredBest?, limit: Int) throws(StoreError) -> [StoredBest] {
    guard let number = try number(of: id, at: nil) else { return [] }
    let rows = try rows(
      BestRows.selected, [number, after?.event ?? "", after?.detail ?? "", selection.event, selection.prefix, max(limit, 0)])
    return try attempting {
      try rows.map { row in
        StoredBest(
          event: try row.text(0), detail: try row.text(1), score: row.anyInteger(2), at: try row.instant(3))
      }
    }
  }

  package func row(of id: PlayerID, at place: PlayerRowPosition?, in list: BoardList) throws(StoreError) -> BoardRow? {
    guard let number = try number(of: id, at: place) else { return nil }
    return try rawRows(BestRows.boardRow) { query in
      query.bind(list.game)
      query.bind(list.place.board)
      query.bind(list.place.per)
      query.bind(number)
    } _: { row in
      BoardRow(player: id.player, score: try row.score(0), at: try row.instant(1))
    }.first
  }

  /// Returns the player's score on each list of a leaderboard, or on the selected list.
  package func scores(of id: PlayerID, on selection: BoardSelection) throws(StoreError) -> [ImprovableScores.BoardPartition: Int64] {
    guard let number = try number(of: id, at: nil) else { return [:] }
    let rows = try rows(BestRows.rowsOfPlayer, [number, id.game, selection.board, selection.per])
    return try attempting {
      var scores: [ImprovableScores.BoardPartition: Int64] = [:]
      for row in rows { scores[ImprovableScores.BoardPartition(board: selection.board, per: try row.text(0))] = try row.score(1) }
      return scores
    }
  }

  package func isKnown(_ list: BoardList) throws(StoreError) -> Bool { try board(list) != nil }

  /// Returns the number of lists that a game's leaderboards have.
  package func listsCount(of game: String) throws(StoreError) -> Int {
    let row = try row(BestRows.boardsCount, [game])
    return try attempting { Int(try row?.integer(0) ?? 0) }
  }

  /// Returns the row number of a leaderboard's list; nil if no player was ever on it.
  fileprivate func board(_ list: BoardList) throws(StoreError) -> Int64? {
    try rawRows(BestRows.boardNumber) { query in
      query.bind(list.game)
      query.bind(list.place.board)
      query.bind(list.place.per)
    } _: { row in
      try row.integer(0)
    }.first
  }

  /// Returns the best rows of a leaderboard's list, the best first. The join with `players` leaves out forgotten players.
  package func rows(of list: BoardList, limit: Int) throws(StoreError) -> [BoardRow] {
    guard let board = try board(list) else { return [] }
    let rows = try rows(BestRows.rows, [board, max(limit, 0)])
    return try attempting {
      try rows.map { BoardRow(player: try $0.text(0), score: try $0.score(1), at: try $0.instant(2)) }
    }
  }

  /// Returns the number of rows above a player's row on a leaderboard's list.
  /// - Parameter max: the number at which counting stops.
  package func rows(before row: BoardRow, in list: BoardList, max: Int) throws(StoreError) -> Int {
    guard let board = try board(list), let number = try number(of: PlayerID(game: list.game, player: row.player), at: nil) else { return 0 }
    // The rows of forgotten players are counted, and then subtracted. Such rows are few, because a job removes them.
    let counts = try self.row(BestRows.rowsBefore, [board, row.score, row.at.milliseconds, number, max])
    return try attempting {
      guard let counts else { return 0 }
      let before = Swift.min(max, Int(try counts.integer(0) + counts.integer(1)))
      return before < max ? Swift.max(0, before - Int(try counts.integer(2))) : before
    }
  }

  /// Computes approximate ranks of the scores on a leaderboard's list by a scan of all its rows.
  package func histogram(of list: BoardList) throws(StoreError) -> BoardHistogram {
    guard let board = try board(list) else { return BoardHistogram(rows: 0) }
    let row = try row(BestRows.rowsCount, [board])
    var histogram = BoardHistogram(rows: try attempting { try row?.integer(0) ?? 0 })
    _ = try rawRows(BestRows.scores) { query in
      query.bind(board)
    } _: { row in
      histogram.add(score: try row.score(0), rows: try row.integer(1))
    }
    return histogram
  }
}

extension WriteTransaction {
  /// Writes the bests and leaderboard rows that a write improves, and removes those that it selects for removal.
  func put(_ write: PlayerWrite, besideNumber number: Int64, of id: PlayerID) throws(StoreError) {
    if let selection = write.removedBests {
      try run(BestRows.removeSelected, [number, selection.event, selection.prefix])
      try run(BestRows.countAgain, [number])
    }
    if let selection = write.removedRows {
      try run(BestRows.removeRowsOfPlayer, [number, id.game, selection.board, selection.per])
    }
    guard let gains = write.gains else { return }
    for best in gains.bests {
      try runRaw(BestRows.put) { statement in
        statement.bind(number)
        statement.bind(best.event)
        statement.bind(best.detail)
        statement.bind(best.score)
        statement.bind(best.at.milliseconds)
      }
    }
    for (list, row) in gains.rows {
      if !gains.firstRows.contains(list), try move(row, ofNumber: number, on: list) { continue }
      let board = try known(list)
      try runRaw(BestRows.putRow) { statement in
        statement.bind(board)
        statement.bind(number)
        statement.bind(row.score)
        statement.bind(row.at.milliseconds)
      }
    }
  }

  /// Overwrites the player's row on a leaderboard's list with a better score.
  /// - Returns: true if there was a row.
  private func move(_ row: BoardRow, ofNumber number: Int64, on list: BoardList) throws(StoreError) -> Bool {
    try runRaw(BestRows.moveRow) { statement in
      statement.bind(row.score)
      statement.bind(row.at.milliseconds)
      statement.bind(list.game)
      statement.bind(list.place.board)
      statement.bind(list.place.per)
      statement.bind(number)
    } == 1
  }

  /// Returns the row number of a leaderboard's list, and adds the list if it is new.
  private func known(_ list: BoardList) throws(StoreError) -> Int64 {
    if let board = try board(list) { return board }
    try run(BestRows.addBoard, [list.game, list.place.board, list.place.per])
    return database.lastInsertedRowID
  }

  /// Removes bests and leaderboard rows of forgotten players, until about `max` rows are removed. All leaderboard rows of a player are
  /// removed together.
  /// - Returns: the number of removed rows; `max` if more rows may have to be removed.
  package func dropForgotten(max limit: Int) throws(StoreError) -> Int {
    var count = 0
    while count < limit, let row = try row(BestRows.forgotten) {
      let player = try attempting { try row.integer(0) }
      let removed = try run(BestRows.removeSome, [player, limit - count])
      count += removed
      guard count < limit else { break }
      count += try run(BestRows.removeRows, [player]) + 1
      try run(BestRows.removeForgotten, [player])
    }
    return min(count, limit)
  }
}
