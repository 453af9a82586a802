// The rows of players' history lines, in the order of writing. One line serves as the player's history, as the stored answer to a repeated
// request, and as an entry of the game's stream.
package import GameConfCore

enum PlayerLineRows {
  /// History lines are only appended, so that one write of a database page stores lines of many players. Each line has a link to the
  /// player's previous line, and the player's row has a link to the newest line. So no index must be updated.
  ///
  /// `forgotten_lines` has the newest line of each forgotten player until all of them are deleted.
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

  static let storedTables = [
    StoredTable(
      "player_lines", of: .row,
      [
        "number": .number(.ordinal), "player": .number(.ordinal), "prior": .optional(.ordinal), "entry": .number(.ordinal),
        "at_ms": .optional(.instant), "line": .text, "answer": .text, "event_prior": .optional(.ordinal),
        "event_entry": .optional(.ordinal),
      ]),
    StoredTable("forgotten_lines", ["player": .number(.ordinal), "head": .number(.ordinal), "events": .blob]),
  ]

  /// Adds two columns to history lines of events: a link to the event's previous line, and the line's ordinal within the event. The
  /// player's row has each event's newest line. Lines of older versions have neither a link nor an ordinal, and are only found among the
  /// player's newest lines. For a forgotten player, `events` has each event's newest remaining line.
  static let eventColumns = StoreSchema.SchemaMigration(
    sqlite: [
      "ALTER TABLE player_lines ADD COLUMN event_prior INTEGER",
      "ALTER TABLE player_lines ADD COLUMN event_entry INTEGER",
      "ALTER TABLE players ADD COLUMN events BLOB",
      "ALTER TABLE forgotten_lines ADD COLUMN events BLOB",
    ],
    postgres: [
      "ALTER TABLE player_lines ADD COLUMN event_prior BIGINT",
      "ALTER TABLE player_lines ADD COLUMN event_entry BIGINT",
      "ALTER TABLE players ADD COLUMN events BYTEA",
      "ALTER TABLE forgotten_lines ADD COLUMN events BYTEA",
    ])

  /// Selects a player's lines of one event, newest first, from a given line to older ones. Lines up to the ordinal in the third parameter
  /// are left out.
  private static let ofEvent = """
    WITH RECURSIVE chain (number, player, event_prior, entry) AS (
      SELECT number, player, event_prior, entry FROM player_lines WHERE number = ?1 AND player = ?2
      UNION ALL
      SELECT older.number, older.player, older.event_prior, older.entry FROM chain JOIN player_lines AS older ON older.number = chain.event_prior
      WHERE older.player = chain.player AND older.event_entry > ?3
    )
    """

  static func events(_ row: RawRow, _ column: Int32) throws(DatabaseFailure) -> EventChains {
    guard let bytes = row.bytes(column) else { return EventChains() }
    do throws(Fault) { return try EventChains(bytes: bytes) } catch { throw .damaged(error.message) }
  }

  /// A player's newest lines, newest first, by following the link from each line to the previous one. The queries that use it join the
  /// remaining columns.
  private static let newest = """
    WITH RECURSIVE lines (number, player, prior, entry) AS (
      SELECT player_lines.number, player_lines.player, prior, entry FROM players JOIN player_lines ON player_lines.number = head
      WHERE game = ?1 AND players.player = ?2 AND player_lines.player = players.number
      UNION ALL
      SELECT older.number, older.player, older.prior, older.entry FROM lines JOIN player_lines AS older ON older.number = lines.prior
      WHERE older.player = lines.player AND lines.entry > ?3
      LIMIT \(PlayerLimits.historyEntriesMax)
    )
    """

  /// A player's newest lines like ``newest``, by an index, which PostgreSQL maintains at little cost.
  private static let newestByIndex = """
    WITH lines AS (
      SELECT player_lines.number, player_lines.player, prior, entry FROM players JOIN player_lines ON player_lines.player = players.number
      WHERE game = ?1 AND players.player = ?2 AND entry >= ?3 ORDER BY entry DESC LIMIT \(PlayerLimits.historyEntriesMax)
    )
    """

  /// Returns a query over a player's newest lines.
  private static func ofNewest(_ query: String) -> Statement {
    Statement(.query, sqlite: "\(newest) \(query)", postgres: "\(newestByIndex) \(query)", locks: .noRow)
  }

  static let history = ofNewest(
    """
    SELECT lines.entry, player_lines.line FROM lines JOIN player_lines ON player_lines.number = lines.number
    WHERE lines.entry < ?4 ORDER BY lines.entry DESC LIMIT ?5
    """)
  static let stored = ofNewest("SELECT player_lines.* FROM lines JOIN player_lines ON player_lines.number = lines.number")
  static let historyCount = ofNewest("SELECT count(*) FROM lines")
  static let answer = ofNewest(
    "SELECT answer FROM lines JOIN player_lines ON player_lines.number = lines.number WHERE lines.entry = ?3")
  static let eventHistory = Statement(
    .query,
    """
    \(ofEvent) SELECT chain.entry, player_lines.line FROM chain JOIN player_lines ON player_lines.number = chain.number
    ORDER BY chain.entry DESC
    """)
  static let eventAnswers = Statement(
    .query,
    """
    \(ofEvent) SELECT chain.entry, answer FROM chain JOIN player_lines ON player_lines.number = chain.number WHERE chain.entry % 256 = ?4
    ORDER BY chain.entry DESC
    """)
  static let storedOfEvent = Statement(
    .query, "\(ofEvent) SELECT player_lines.* FROM chain JOIN player_lines ON player_lines.number = chain.number")

  private static let columns = "player, prior, entry, at_ms, line, answer, event_prior, event_entry"
  static let add = Statement(
    .numberedInsert(table: PostgresGrammar.lines), sqlite: "INSERT INTO player_lines (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    postgres: "INSERT INTO player_lines (\(columns), number) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
  static let last = Statement(.query, "SELECT max(number) FROM player_lines")
  static let passing = Statement(
    .query,
    """
    SELECT line.number, line.at_ms < ?2 OR line.at_ms IS NULL OR line.number <= ?3, newest.entry - line.entry, line.event_entry, events, line.line
    FROM player_lines AS line LEFT JOIN players ON players.number = line.player LEFT JOIN player_lines AS newest ON newest.number = players.head
    WHERE line.number > ?1 ORDER BY line.number LIMIT ?4
    """, locks: .noRow)
  static let remove = Statement(.change, "DELETE FROM player_lines WHERE number = ?")
  static let removeBetween = Statement(.change, "DELETE FROM player_lines WHERE number > ? AND number <= ?")
  static let linked = Statement(.query, "SELECT prior, event_prior FROM player_lines WHERE number = ? AND player = ?")
  /// Clears the contents of a line but retains its number.
  static let empty = Statement(
    .change,
    """
    UPDATE player_lines SET player = 0, line = '[0,"visit",{}]', answer = NULL, prior = NULL, event_prior = NULL, event_entry = NULL
    WHERE number = ?
    """)
  static let forgotten = Statement(.query, "SELECT player, head, events FROM forgotten_lines LIMIT 1")
  static let addForgotten = Statement(.insert, "INSERT INTO forgotten_lines (player, head, events) VALUES (?, ?, ?)")
  static let setForgotten = Statement(.change, "UPDATE forgotten_lines SET head = ?, events = ? WHERE player = ?")
  static let removeForgotten = Statement(.change, "DELETE FROM forgotten_lines WHERE player = ?")

  static let statements = [
    history, stored, historyCount, answer, eventHistory, eventAnswers, storedOfEvent, add, last, passing, remove, removeBetween, linked,
    empty, forgotten, addForgotten, setForgotten, removeForgotten,
  ]
}

extension ReadTransaction {
  /// Returns the newest lines of a player's history, newest first; with `before`, only lines with lower numbers.
  package func history(of id: PlayerID, before: Int64?, limit: Int) throws(StoreError) -> [HistoryEntry] {
    let rows = try rows(PlayerLineRows.history, [id.game, id.player, 0, before ?? .max, max(limit, 0)])
    return try entries(rows, of: id)
  }

  private func entries(_ rows: [Row], of id: PlayerID) throws(StoreError) -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    entries.reserveCapacity(rows.count)
    for row in rows {
      let number = try attempting { try row.integer(0) }
      let entry = try reading(UnreadableRow(.line, game: id.game, player: id.player, name: String(number))) {
        let line = try row.value(1)
        do throws(Fault) { return try HistoryEntry(number: number, decoding: line) } catch {
          throw DatabaseFailure.damaged(error.message)
        }
      }
      entries.append(entry)
    }
    return entries
  }

  /// Returns the history entries of the player's events with this name, newest first. If the name is nil, returns the entries of every
  /// event whose lines are linked.
  /// - Parameter limit: the most events of one name.
  package func events(named event: String?, of id: PlayerID, limit: Int) throws(StoreError) -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    for (arguments, _) in try chains(of: id, named: event, limit: limit) {
      let rows = try rows(PlayerLineRows.eventHistory, arguments)
      entries += try self.entries(rows, of: id)
    }
    return entries.sorted { $0.number > $1.number }
  }

  /// Returns the stored answers to the player's events with this name, newest first, for the entry numbers whose last eight bits are
  /// `entryBits`.
  package func answers(toEvent event: String, entryBits: UInt8, of id: PlayerID) throws(StoreError) -> [Value] {
    var answers: [Value] = []
    for (arguments, _) in try chains(of: id, named: event, limit: Int(EventDefinition.historyMax)) {
      let rows = try rows(PlayerLineRows.eventAnswers, arguments + [Int64(entryBits)])
      for row in rows {
        let name = try attempting { String(try row.integer(0)) }
        let answer = try reading(UnreadableRow(.line, game: id.game, player: id.player, name: name)) { try row.optionalValue(1) }
        if let answer { answers.append(answer) }
      }
    }
    return answers
  }

  /// Returns the linked lists (chains) of a player's events, each with the query parameters that select its lines.
  private func chains(
    of id: PlayerID, named event: String?, limit: Int
  ) throws(StoreError) -> [(arguments: SQLiteArguments, chain: EventChains.Chain)] {
    guard let place = try place(of: id) else { return [] }
    var found: [(arguments: SQLiteArguments, chain: EventChains.Chain)] = []
    for chain in place.events.chains where event.map({ ByteText.areSame($0, chain.event) }) ?? true {
      found.append(([chain.head, place.number, chain.count - Int64(limit)], chain))
    }
    return found
  }

  /// Returns the lines that ``history(of:before:limit:)`` can show and the retained lines of events, in stored form.
  func storedLines(of id: PlayerID) throws(StoreError) -> [Value] {
    var lines = try storedRows(PlayerLineRows.stored, [id.game, id.player, 0])
    var known = Set(lines.map { $0["number"] })
    for (arguments, chain) in try chains(of: id, named: nil, limit: Int(EventDefinition.historyMax)) {
      let older = try storedRows(PlayerLineRows.storedOfEvent, [arguments[0], arguments[1], chain.count - chain.retained])
      lines += older.filter { known.insert($0["number"]).inserted }
    }
    return lines
  }

  /// Returns the number of lines that ``history(of:before:limit:)`` can show.
  func historyCount(of id: PlayerID) throws(StoreError) -> Int {
    let row = try row(PlayerLineRows.historyCount, [id.game, id.player, 0])
    return try attempting { Int(try row?.integer(0) ?? 0) }
  }

  /// Returns the answer stored with one of a player's newest ``PlayerLimits/historyEntriesMax`` lines; nil if the line has no answer or was
  /// removed.
  ///
  /// Reads as many rows as there are newer lines. Repeated requests are rare, and mostly repeat the newest line's request.
  package func answer(beside entry: Int64, of id: PlayerID) throws(StoreError) -> Value? {
    let row = try row(PlayerLineRows.answer, [id.game, id.player, entry])
    guard let row else { return nil }
    return try reading(UnreadableRow(.line, game: id.game, player: id.player, name: String(entry))) { try row.optionalValue(0) }
  }
}

extension WriteTransaction {
  /// Appends the lines of a write, each linked to the player's previous line and to the event's previous line.
  /// - Returns: the position of the player's rows, with the newest of the appended lines as heads.
  func append(_ write: PlayerWrite, of place: PlayerRowPosition) throws(StoreError) -> PlayerRowPosition {
    var place = place
    for line in write.lines {
      let event = line.retained == nil ? nil : line.entry.event
      let prior = event.flatMap { place.events[$0] }
      try runRaw(PlayerLineRows.add) { statement in
        statement.bind(place.number)
        statement.bind(place.head)
        statement.bind(line.entry.number)
        statement.bind(write.at?.milliseconds)
        statement.bind(text: line.entry.storedJSON)
        statement.bind(text: line.answer)
        statement.bind(prior?.head)
        statement.bind(event == nil ? nil : (prior?.count ?? 0) + 1)
      }
      place.head = database.lastInsertedRowID
      if let event, let retained = line.retained { place.events.add(database.lastInsertedRowID, of: event, retained: retained) }
    }
    return place
  }

  /// Removes old lines and all lines of forgotten players. A line is old if it was written before an instant or if ``StoreLimits/linesMax``
  /// newer lines exist. An old line is retained while it is one of the player's newest ``PlayerLimits/historyEntriesMax`` lines or is
  /// retained for its event. Each call resumes where the last one stopped.
  ///
  /// The newest line of all stays, so that its number is not assigned again.
  /// - Returns: the number of removed lines of forgotten players; `max` if more lines may have to be removed.
  package func dropLines(before: Instant, max limit: Int) throws(StoreError) -> Int {
    let newest = try attempting { try database.integer(PlayerLineRows.last) } ?? 0
    var ofForgotten = 0
    while ofForgotten < limit, let dropped = try dropForgottenLines(newest: newest, max: limit - ofForgotten) { ofForgotten += dropped }
    guard ofForgotten < limit else { return limit }
    let from = try number(PlayerLineRows.passedName)
    let rows = try rawRows(PlayerLineRows.passing) { query in
      query.bind(from)
      query.bind(before.milliseconds)
      query.bind(database.countsLines ? newest - StoreLimits.linesMax : .min)
      query.bind(Int64(limit))
    } _: { row in
      (try row.integer(0), try row.integer(1) != 0, PlayerLineRows.isRetained(row))
    }
    var last = from
    var tail: Int64 = 0
    for (line, isOld, isRetained) in rows {
      // Lines are nearly ordered by age, so the scan stops here. A few older lines, written while the host's clock was ahead or behind,
      // wait for the next pass.
      guard isOld, line < newest else { break }
      last = line
      tail = line
      if isRetained { continue }
      try run(PlayerLineRows.remove, [line])
    }
    // The tail is the newest line that is no longer in the event streams. It also moves past retained lines, which then belong only to a
    // player's history.
    if tail > (try number(StreamRows.tailName)) { try setNumber(tail, StreamRows.tailName) }
    let isMore = rows.count == limit && last > from
    // A retained line may no longer be among the player's newest, so a new pass from the beginning starts once a day.
    if !isMore, before.milliseconds - (try number(PlayerLineRows.passBeganName)) > 86_400_000 {
      try setNumber(before.milliseconds, PlayerLineRows.passBeganName)
      last = 0
    }
    if last != from { try setNumber(last, PlayerLineRows.passedName) }
    return isMore ? limit : ofForgotten
  }

  /// Removes lines of one forgotten player.
  /// - Returns: the number of removed lines, at least one; nil if no forgotten player has lines left.
  private func dropForgottenLines(newest: Int64, max limit: Int) throws(StoreError) -> Int? {
    let found = try rawRows(PlayerLineRows.forgotten) { _ in
    } _: { row in
      // If the heads of the events' linked lists cannot be read, older lines of these events are removed by age.
      (try row.integer(0), try row.integer(1), (try? PlayerLineRows.events(row, 2)) ?? EventChains())
    }
    guard let (player, first, chains) = found.first else { return nil }
    var (left, count) = (chains, 0)
    // A head of 0 means that all lines of the history are removed.
    var head: Int64? = first == 0 ? nil : first
    // Removes the newest linked line first, and reads its links before, so that the older lines stay reachable.
    while count < limit, let line = left.chains.map(\.head).reduce(head, { Swift.max($0 ?? $1, $1) }) {
      let row = try self.row(PlayerLineRows.linked, [line, player])
      if row != nil {
        // Of the newest line in the table only the contents are removed, because the next line's number is derived from its number.
        try run(line == newest ? PlayerLineRows.empty : PlayerLineRows.remove, [line])
        count += 1
      }
      if head == line { head = row?.optionalInteger(0) }
      left.replaceHeads { $0 == line ? row?.optionalInteger(1) : $0 }
    }
    if head == nil, left.chains.isEmpty {
      try run(PlayerLineRows.removeForgotten, [player])
    } else {
      let bytes = left.bytes
      try runRaw(PlayerLineRows.setForgotten) { statement in
        statement.bind(head ?? 0)
        statement.bind(blob: bytes)
        statement.bind(player)
      }
    }
    return Swift.max(count, 1)
  }
}

extension PlayerLineRows {
  /// True if a line is among its player's newest, or retained for its event.
  fileprivate static func isRetained(_ row: RawRow) -> Bool {
    if let behind = row.optionalInteger(2), behind < PlayerLimits.historyEntriesMax { return true }
    guard let place = row.optionalInteger(3), let chains = try? events(row, 4), !chains.chains.isEmpty, let line = row.bytes(5),
      let value = try? Row.value(line), let entry = try? HistoryEntry(number: place, decoding: value), let event = entry.event
    else { return false }
    return chains[event]?.keeps(place) ?? false
  }

  /// The name, in the table `numbers`, of the number of the last line that the removal of old lines has passed.
  static let passedName = "lines_passed"
  /// The name, in the table `numbers`, of the instant before which lines were old when the current pass over all lines began.
  static let passBeganName = "lines_pass_began"
}
