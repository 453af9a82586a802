// Rows of lines: what happened to players, one after the other as it was written. A line is the player's history, the answer that is kept for a
// repeat, and the game's stream at once.
import GameConfCore
import GameConfEngine

enum LineRows {
  /// Lines are only ever added at the end: a page of the table is written once, by many players' lines together. Each knows the player's line
  /// before it, and the player's row the newest, so that no index has to be kept in order.
  ///
  /// `forgotten_lines` has the newest line of each player who was forgotten, until all of them are gone.
  static let tables = [
    """
    CREATE TABLE player_lines (
      number INTEGER PRIMARY KEY, player INTEGER NOT NULL, prior INTEGER, entry INTEGER NOT NULL, at_ms INTEGER, line TEXT NOT NULL, answer TEXT
    )
    """,
    "CREATE TABLE forgotten_lines (player INTEGER PRIMARY KEY, head INTEGER NOT NULL)",
    "ALTER TABLE players ADD COLUMN head INTEGER",
    """
    INSERT INTO player_lines (number, player, prior, entry, line, answer)
    SELECT at, number, CASE WHEN lag(number) OVER (ORDER BY at) = number THEN at - 1 END, entry, line, answer
    FROM (SELECT row_number() OVER (ORDER BY number, entry) AS at, * FROM player_history)
    """,
    """
    UPDATE players SET head = newest.line FROM (SELECT player, max(number) AS line FROM player_lines GROUP BY player) AS newest
    WHERE players.number = newest.player
    """,
    "DROP TABLE player_history",
  ]

  /// A player's newest lines, the newest first; the columns behind them are of the last part of a query.
  static let newest = """
    WITH RECURSIVE lines (number, player, prior, entry) AS (
      SELECT player_lines.number, player_lines.player, prior, entry FROM players JOIN player_lines ON player_lines.number = head
      WHERE game = ?1 AND players.player = ?2 AND player_lines.player = players.number
      UNION ALL
      SELECT older.number, older.player, older.prior, older.entry FROM lines JOIN player_lines AS older ON older.number = lines.prior
      WHERE older.player = lines.player AND lines.entry > ?3
      LIMIT \(PlayerLimits.historyEntriesMax)
    )
    """
}

extension SQLiteView {
  func history(of id: PlayerID, before: Int64?, limit: Int) throws(StoreError) -> [HistoryEntry] {
    let rows = try rows(
      database.newestLines
        + """
         SELECT lines.entry, player_lines.line FROM lines JOIN player_lines ON player_lines.number = lines.number
        WHERE lines.entry < ?4 ORDER BY lines.entry DESC LIMIT ?5
        """, [id.game, id.player, 0, before ?? .max, max(limit, 0)])
    var entries: [HistoryEntry] = []
    for row in rows {
      let number = try attempting { try row.integer(0) }
      let entry = try reading(UnreadableRow(.line, game: id.game, player: id.player, name: String(number))) {
        let line = try row.value(1)
        do throws(PlayerCodingFault) { return try HistoryEntry(number: number, decoding: line) } catch {
          throw Trouble.damaged(error.message)
        }
      }
      entries.append(entry)
    }
    return entries
  }

  /// The lines that ``history(of:before:limit:)`` can show, as they are stored.
  func storedLines(of id: PlayerID) throws(StoreError) -> [Value] {
    try storedRows(
      database.newestLines + " SELECT player_lines.* FROM lines JOIN player_lines ON player_lines.number = lines.number",
      [id.game, id.player, 0])
  }

  /// How many lines ``history(of:before:limit:)`` can show.
  func historyCount(of id: PlayerID) throws(StoreError) -> Int {
    let row = try row(database.newestLines + " SELECT count(*) FROM lines", [id.game, id.player, 0])
    return try attempting { Int(try row?.integer(0) ?? 0) }
  }

  /// As many rows are looked at as there are newer lines: repeats are rare, and mostly of the newest.
  func answer(beside entry: Int64, of id: PlayerID) throws(StoreError) -> Value? {
    let row = try row(
      database.newestLines
        + " SELECT answer FROM lines JOIN player_lines ON player_lines.number = lines.number WHERE lines.entry = ?3",
      [id.game, id.player, entry])
    guard let row else { return nil }
    return try reading(UnreadableRow(.line, game: id.game, player: id.player, name: String(entry))) { try row.optionalValue(0) }
  }
}

extension SQLiteTurn {
  /// Adds the lines of a write, each behind the one before.
  /// - Returns: the player's newest line.
  func append(_ write: PlayerWrite, of place: PlayerPlace) throws(StoreError) -> Int64? {
    var head = place.head
    for line in write.lines {
      try runRaw("INSERT INTO player_lines (player, prior, entry, at_ms, line, answer) VALUES (?, ?, ?, ?, ?, ?)") { statement in
        statement.bind(place.number)
        statement.bind(head)
        statement.bind(line.entry.number)
        statement.bind(write.at?.milliseconds)
        statement.bind(text: line.entry.storedJSON)
        statement.bind(text: line.answer)
      }
      head = database.lastInsertedRowID
    }
    return head
  }

  /// The newest line of all stays, whoever's it is: a number that was given is not given again.
  func dropLines(before: Instant, max limit: Int) throws(StoreError) -> Int {
    let newest = try attempting { try database.integer("SELECT max(number) FROM player_lines") } ?? 0
    var ofForgotten = 0
    while ofForgotten < limit, let dropped = try dropForgottenLines(newest: newest, max: limit - ofForgotten) { ofForgotten += dropped }
    guard ofForgotten < limit else { return limit }
    let from = try number(LineRows.passedName)
    let rows = try rows(
      """
      SELECT line.number, line.at_ms < ?2 OR line.at_ms IS NULL OR line.number <= ?3, newest.entry - line.entry
      FROM player_lines AS line LEFT JOIN players ON players.number = line.player LEFT JOIN player_lines AS newest ON newest.number = players.head
      WHERE line.number > ?1 ORDER BY line.number LIMIT ?4
      """, [from, before.milliseconds, database.countsLines ? newest - StoreLimits.linesMax : .min, limit])
    var last = from
    var tail: Int64 = 0
    for row in rows {
      let (line, isOld, behind) = try attempting { (try row.integer(0), try row.integer(1) != 0, row.optionalInteger(2)) }
      // What follows is younger, but for lines of players who played on another day's clock; they wait for the next time around.
      guard isOld, line < newest else { break }
      last = line
      tail = line
      if let behind, behind < PlayerLimits.historyEntriesMax { continue }
      try run("DELETE FROM player_lines WHERE number = ?", [line])
    }
    // Also past those that are spared: a history keeps them, the stream does not.
    if tail > (try number(StreamRows.tailName)) { try setNumber(tail, StreamRows.tailName) }
    let isMore = rows.count == limit && last > from
    // Lines that were spared once may be a player's newest no more: a day later all are looked at again.
    if !isMore, before.milliseconds - (try number(LineRows.passBeganName)) > 86_400_000 {
      try setNumber(before.milliseconds, LineRows.passBeganName)
      last = 0
    }
    if last != from { try setNumber(last, LineRows.passedName) }
    return isMore ? limit : ofForgotten
  }

  /// Removes lines of one player who was forgotten.
  /// - Returns: how many, at least one; nil when nobody's are left.
  private func dropForgottenLines(newest: Int64, max limit: Int) throws(StoreError) -> Int? {
    guard let row = try row("SELECT player, head FROM forgotten_lines LIMIT 1") else { return nil }
    let (player, first) = try attempting { (try row.integer(0), try row.integer(1)) }
    var (head, count): (Int64?, Int) = (first, 0)
    while let line = head, count < limit {
      let prior = try self.row("SELECT prior FROM player_lines WHERE number = ? AND player = ?", [line, player])
      if prior != nil {
        // Its words go now, its number when a newer one was given.
        try run(
          line == newest
            ? "UPDATE player_lines SET player = 0, line = '[0,\"visit\",{}]', answer = NULL, prior = NULL WHERE number = ?"
            : "DELETE FROM player_lines WHERE number = ?", [line])
        count += 1
      }
      head = prior?.optionalInteger(0)
    }
    if let head {
      try run("UPDATE forgotten_lines SET head = ? WHERE player = ?", [head, player])
    } else {
      try run("DELETE FROM forgotten_lines WHERE player = ?", [player])
    }
    return Swift.max(count, 1)
  }
}

extension LineRows {
  /// How far lines were looked at for what is kept no longer.
  static let passedName = "lines_passed"
  /// Before when lines were old when that began at the first of them.
  static let passBeganName = "lines_pass_began"
}
