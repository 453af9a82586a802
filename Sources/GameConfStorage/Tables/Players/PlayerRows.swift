// The rows of players: the state, the purchases, and the heads of the linked lists of history lines.
package import GameConfCore

enum PlayerRows {
  /// Other tables refer to a player by `players.number` instead of the game and the id.
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

  static let storedTables = [
    StoredTable(
      "players", of: .row,
      [
        "number": .number(.ordinal), "game": .text, "player": .text, "revision": .number(.revision), "offset_ms": .number(.milliseconds),
        "state": .text, "requests": .blob, "marks": .blob, "head": .optional(.ordinal), "bests": .number(.count), "events": .blob,
      ]),
    StoredTable("ledgers", of: .row, ["number": .number(.ordinal), "ledger": .text]),
    StoredTable("forgotten_players", ["player": .number(.ordinal)]),
  ]

  /// The player revision and the recent request ids are columns of the player's row. An event writes that row anyway, and a row elsewhere
  /// would dirty one more page for each event.
  static let revisionColumn = [
    """
    CREATE TABLE players_with_revision (
      number INTEGER PRIMARY KEY, game TEXT NOT NULL, player TEXT NOT NULL, revision INTEGER NOT NULL, offset_ms INTEGER NOT NULL DEFAULT 0,
      state TEXT, requests BLOB, UNIQUE (game, player)
    )
    """,
    """
    INSERT INTO players_with_revision (number, game, player, revision, offset_ms, state)
    SELECT number, players.game, players.player, coalesce(revision, 0), offset_ms, state
    FROM players LEFT JOIN player_revisions AS revisions ON revisions.game = players.game AND revisions.player = players.player
    """,
    "DROP TABLE players",
    "ALTER TABLE players_with_revision RENAME TO players",
    "DELETE FROM player_revisions WHERE (game, player) IN (SELECT game, player FROM players)",
  ]

  /// Adds the column of ``ClientSequences``, the processed sequence numbers of clients' queues.
  static let marksColumn = ["ALTER TABLE players ADD COLUMN marks BLOB"]

  /// Selects a player's row and ledger.
  static let whole = Statement(
    .query,
    """
    SELECT state, requests, offset_ms, ledger, revision, marks, players.number, head, bests, events
    FROM players LEFT JOIN ledgers ON ledgers.number = players.number
    WHERE game = ? AND player = ?
    """, locks: .player, prefetched: .player)
  /// The number of columns of ``whole``.
  static let wholeColumns: Int32 = 10
  /// The column of ``whole`` with the row's number.
  static let wholeNumber: Int32 = 6
  /// Selects the columns of ``PlayerRowPosition`` from a player's row.
  static let place = Statement(
    .query, "SELECT number, head, bests, events FROM players WHERE game = ? AND player = ?", locks: .player, prefetched: .place)
  /// Selects the number of a player's row.
  static let number = Statement(
    .query, "SELECT number FROM players WHERE game = ? AND player = ?", locks: .player, prefetched: .number)
  /// Selects a page of a game's players. The subquery counts, because PostgreSQL would answer EXISTS for a page of players by reading every
  /// ledger first.
  static let list = Statement(
    .query,
    """
    SELECT player, state, requests, offset_ms, (SELECT count(*) FROM ledgers WHERE ledgers.number = players.number), revision
    FROM players WHERE game = ? AND player > ? ORDER BY player LIMIT ?
    """, locks: .noRow)
  static let stored = Statement(.query, "SELECT * FROM players WHERE game = ? AND player = ?", locks: .player)
  static let storedLedger = Statement(.query, "SELECT * FROM ledgers WHERE number = ?")
  /// Overwrites a player's row if it has not changed since it was read.
  ///
  /// It avoids RETURNING and INSERT … SELECT: SQLite builds an ephemeral table for each RETURNING, and a statement journal for a statement
  /// that may write several rows. Both cost more than a second lookup of the player's number.
  static let write = write(.change)
  /// Overwrites a player's row like ``write``, if this transaction has locked it.
  static let writeHeld = write(.certainChange)

  private static func write(_ kind: Statement.Kind) -> Statement {
    let sets = """
      UPDATE players SET revision = ?, offset_ms = coalesce(?, offset_ms), head = ?, state = coalesce(?, state), requests = coalesce(?, requests),
        marks = coalesce(?, marks), bests = bests + ?, events = coalesce(?, events)
      """
    return Statement(
      kind, sqlite: "\(sets) WHERE number = ? AND max(revision, ?) = ? AND head IS ? AND player = ? AND game = ?",
      postgres: "\(sets) WHERE number = ? AND greatest(revision, ?) = ? AND head IS NOT DISTINCT FROM ? AND player = ? AND game = ?")
  }

  private static let columns = "game, player, revision, offset_ms, state, requests, marks, bests"
  /// Inserts a player's row. In SQLite its number is above those of all players, and of forgotten players of whom rows remain. In
  /// PostgreSQL the database has assigned the number before.
  static let add = Statement(
    .numberedInsert(table: PostgresGrammar.players),
    sqlite: """
      INSERT INTO players (number, \(columns))
      VALUES (1 + max(
        coalesce((SELECT max(number) FROM players), 0), coalesce((SELECT max(player) FROM forgotten_lines), 0),
        coalesce((SELECT max(player) FROM forgotten_players), 0)), ?, ?, ?, ?, ?, ?, ?, ?)
      """,
    postgres: "INSERT INTO players (\(columns), number) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
  static let setHead = Statement(.certainChange, "UPDATE players SET head = ?, events = ? WHERE number = ?")
  static let remove = Statement(.change, "DELETE FROM players WHERE number = ?")
  static let putLedger = Statement(
    .insert, "INSERT INTO ledgers (number, ledger) VALUES (?, ?) ON CONFLICT (number) DO UPDATE SET ledger = excluded.ledger")
  static let removeLedger = Statement(.change, "DELETE FROM ledgers WHERE number = ?")
  static let forgetting = Statement(
    .query, "SELECT number, revision, head, bests FROM players WHERE game = ? AND player = ?", locks: .player)
  static let addForgotten = Statement(.insert, "INSERT INTO forgotten_players (player) VALUES (?)")

  static let statements = [
    whole, place, number, list, stored, storedLedger, write, writeHeld, add, setHead, remove, putLedger, removeLedger, forgetting,
    addForgotten,
  ]

  /// The step, in bytes, in which a player's row grows. A row is padded to a multiple of it.
  static let stepBytes = 256

  /// Returns a state as JSON, padded with spaces so that the row's size is a multiple of ``stepBytes``.
  ///
  /// A player's row grows a little with each event. SQLite overwrites a row of unchanged size in place; a larger one may no longer fit its
  /// page, and SQLite then rebalances rows across neighbouring pages, which writes several pages instead of one.
  static func padded(_ state: PlayerState, _ marks: ClientSequences, _ events: EventChains) -> [UInt8] {
    var json = state.storedJSON
    let over = (json.count + state.remembered.bytes.count + marks.bytesCount + events.bytesCount) % stepBytes
    if over > 0 { json.append(contentsOf: repeatElement(UInt8(ascii: " "), count: stepBytes - over)) }
    return json
  }

  /// Decodes a state and, from the column after it, the recent request ids.
  static func state(_ row: RawRow, _ column: Int32) throws -> PlayerState? {
    guard let value = try row.value(column) else { return nil }
    do throws(Fault) {
      return try PlayerState(decoding: value, requests: row.bytes(column + 1).map { Array($0) })
    } catch { throw DatabaseFailure.damaged(error.message) }
  }

  /// Decodes a position from the row's number and the columns after it.
  static func placeCells(_ row: RawRow, _ column: Int32) throws -> PlayerRowPosition {
    var place = PlayerRowPosition(
      number: try row.integer(column), head: row.optionalInteger(column + 1), bests: Int(try row.integer(column + 2)))
    place.events = try PlayerLineRows.events(row, column + 3)
    return place
  }

  static func marks(_ row: RawRow, _ column: Int32) throws -> ClientSequences {
    guard let bytes = row.bytes(column) else { return ClientSequences() }
    do throws(Fault) { return try ClientSequences(bytes: Array(bytes)) } catch { throw DatabaseFailure.damaged(error.message) }
  }

  static func ledger(_ row: RawRow, _ column: Int32) throws -> Ledger? {
    guard let value = try row.value(column) else { return nil }
    do throws(Fault) { return try Ledger(decoding: value) } catch {
      throw DatabaseFailure.damaged("a stored ledger: \(error.message) (at \(error.pointer))")
    }
  }
}

/// The cells of a player's row and ledger, each with the error of its own decoding.
private struct PlayerCells {
  var state: Result<PlayerState?, any Error>
  var marks: Result<ClientSequences, any Error>
  var ledger: Result<Ledger?, any Error>
  var offset: Int64
  var revision: Int64
  var place: PlayerRowPosition
}

extension ReadTransaction {
  /// Returns the stored player, or an empty one if nothing is stored.
  /// - Throws: `.unreadable` if the row does not have the form that this version writes.
  package func player(_ id: PlayerID) throws(StoreError) -> StoredPlayer {
    let known = try rawRows(PlayerRows.whole) { query in
      query.bind(id.game)
      query.bind(id.player)
    } _: { row in
      Result {
        PlayerCells(
          state: Result { try PlayerRows.state(row, 0) }, marks: Result { try PlayerRows.marks(row, 5) },
          ledger: Result { try PlayerRows.ledger(row, 3) }, offset: try row.integer(2), revision: try row.integer(4),
          place: try PlayerRows.placeCells(row, PlayerRows.wholeNumber))
      }
    }
    guard let found = known.first else { return StoredPlayer(revision: try playerRevision(id.player, in: id.game)) }
    func row(_ kind: UnreadableRow.Kind) -> UnreadableRow { UnreadableRow(kind, game: id.game, player: id.player) }
    let cells = try reading(row(.player)) { try found.get() }
    return StoredPlayer(
      state: try reading(row(.player)) { try cells.state.get() }, ledger: try reading(row(.ledger)) { try cells.ledger.get() },
      clock: PlayerClock(offsetMilliseconds: cells.offset), marks: try reading(row(.marks)) { try cells.marks.get() },
      revision: max(cells.revision, floors.players), place: cells.place)
  }

  /// Returns a page of a game's stored players that follow `after`, in the order of their ids' bytes.
  package func players(in game: String, after: String?, limit: Int) throws(StoreError) -> [PlayerListItem] {
    let found = try rawRows(PlayerRows.list) { query in
      query.bind(game)
      query.bind(after ?? "")
      query.bind(Int64(max(limit, 0)))
    } _: { row in
      (
        listed: PlayerListItem(
          player: try row.text(0), state: nil, hasLedger: try row.integer(4) != 0,
          clock: PlayerClock(offsetMilliseconds: row.optionalInteger(3) ?? 0), revision: max(row.optionalInteger(5) ?? 0, floors.players)),
        state: Result {
          // If the offset of the clock or the revision cannot be read, the whole player is unreadable.
          (_, _) = (try row.integer(3), try row.integer(5))
          return try PlayerRows.state(row, 1)
        }
      )
    }
    var players: [PlayerListItem] = []
    players.reserveCapacity(found.count)
    for (listed, state) in found {
      var listed = listed
      let read = try readable(UnreadableRow(.player, game: game, player: listed.player)) { try state.get() }
      (listed.state, listed.isUnreadable) = (read ?? nil, read == nil)
      players.append(listed)
    }
    return players
  }

  /// Returns the position of a player's row; nil if there is no row.
  func place(of id: PlayerID) throws(StoreError) -> PlayerRowPosition? {
    let found = try rawRows(PlayerRows.place) { query in
      query.bind(id.game)
      query.bind(id.player)
    } _: { row in
      Result { try PlayerRows.placeCells(row, 0) }
    }
    guard let place = found.first else { return nil }
    return try reading(UnreadableRow(.player, game: id.game, player: id.player)) { try place.get() }
  }

  /// Returns every row about a player as it is stored, readable or not, by table: lists of objects of columns. Binary data is
  /// `{"hex": "…"}`.
  package func storedRows(of id: PlayerID) throws(StoreError) -> ObjectValue {
    let player = try storedRows(PlayerRows.stored, [id.game, id.player])
    guard case .integer(let number)? = player.first?["number"] else { return ObjectValue() }
    return [
      "players": .list(player),
      "ledgers": .list(try storedRows(PlayerRows.storedLedger, [number])),
      "player_lines": .list(try storedLines(of: id)),
      "plays": .list(try storedRows(PlayRows.stored, [id.game, id.player])),
    ]
  }

  /// Returns rows as objects of columns, without decoding their contents.
  func storedRows(_ statement: Statement, _ arguments: SQLiteArguments) throws(StoreError) -> [Value] {
    try attempting {
      try database.read(statement) { list in
        for argument in arguments { if let argument { argument.bind(to: &list) } else { list.bind(nil as Int64?) } }
      } each: {
        .object($0.stored)
      }
    }
  }
}

extension WriteTransaction {
  /// Writes the changed parts of a player, raises the player revision by one, and publishes the player.
  /// - Parameter stored: the player as read when the change was decided.
  /// - Returns: the stored player after the write; nil if the revision is no longer that of `stored`, so that the change must be
  ///   decided again.
  package func write(_ write: PlayerWrite, of id: PlayerID, over stored: StoredPlayer) throws(StoreError) -> StoredPlayer? {
    var known = stored.place
    if known == nil { known = try place(of: id) }
    guard let place = known else { return try insert(write, of: id, over: stored) }
    let isCertain = database.isCurrent(place, at: stored.revision)
    if isCertain == false { return nil }
    let revision = stored.revision + 1
    // The history lines are appended before the player's row is written, because the row contains the number of the newest line. If the row
    // has another revision than expected, the lines are removed again.
    let appended = try append(write, of: place)
    let state = write.state.map { PlayerRows.padded($0, write.marks ?? stored.marks, appended.events) }
    let events = appended.events == place.events ? nil : appended.events.bytes
    let updated = try runRaw(isCertain == true ? PlayerRows.writeHeld : PlayerRows.write) { statement in
      statement.bind(revision)
      statement.bind(write.clock?.offsetMilliseconds)
      statement.bind(appended.head)
      statement.bind(text: state)
      statement.bind(blob: write.state?.remembered.bytes)
      statement.bind(blob: write.marks?.bytes)
      statement.bind(Int64(write.gains?.newBests ?? 0))
      statement.bind(blob: events)
      statement.bind(place.number)
      statement.bind(floors.players)
      statement.bind(stored.revision)
      statement.bind(place.head)
      statement.bind(id.player)
      statement.bind(id.game)
    }
    guard updated == 1 else {
      if let head = appended.head, !write.lines.isEmpty {
        try run(PlayerLineRows.removeBetween, [head - Int64(write.lines.count), head])
      }
      return nil
    }
    try put(write.ledger, of: place.number)
    try put(write, besideNumber: place.number, of: id)
    notes.playerRevisionMax = max(notes.playerRevisionMax, revision)
    var after = stored.after(write)
    after.place = appended.after(write)
    // The removal of bests or leaderboard rows makes the cached counts and scores stale, so the position is read again.
    if write.removedBests != nil || write.removedRows != nil {
      after.place = try self.place(of: id)
      try count(Array(place.bestCounts.keys), of: &after)
    }
    if let place = after.place { database.moved(place, to: revision) }
    publish(.player(id, after))
    return after
  }

  /// Inserts a player's first row, with a number that no remaining row of a forgotten player has.
  private func insert(_ write: PlayerWrite, of id: PlayerID, over stored: StoredPlayer) throws(StoreError) -> StoredPlayer? {
    guard try playerRevision(id.player, in: id.game) == stored.revision else { return nil }
    let revision = stored.revision + 1
    // The real line numbers do not matter here, only the size of the column with the heads of the events' linked lists.
    let events = write.lines.reduce(into: EventChains()) { chains, line in
      if let retained = line.retained, let event = line.entry.event { chains.add(0, of: event, retained: retained) }
    }
    try runRaw(PlayerRows.add) { statement in
      statement.bind(id.game)
      statement.bind(id.player)
      statement.bind(revision)
      statement.bind(write.clock?.offsetMilliseconds ?? 0)
      statement.bind(text: write.state.map { PlayerRows.padded($0, write.marks ?? stored.marks, events) })
      statement.bind(blob: write.state?.remembered.bytes)
      statement.bind(blob: write.marks?.bytes)
      statement.bind(Int64(write.gains?.newBests ?? 0))
    }
    let number = database.lastInsertedRowID
    let appended = try append(write, of: PlayerRowPosition(number: number, head: nil))
    if let head = appended.head {
      try runRaw(PlayerRows.setHead) { statement in
        statement.bind(head)
        statement.bind(blob: appended.events.bytes)
        statement.bind(number)
      }
    }
    try run(RevisionRows.removeBeside, [id.game, id.player, RevisionRows.forgottenName(of: id.player)])
    try put(write.ledger, of: number)
    try put(write, besideNumber: number, of: id)
    notes.playerRevisionMax = max(notes.playerRevisionMax, revision)
    var after = stored.after(write)
    after.place = appended.after(write)
    publish(.player(id, after))
    return after
  }

  private func put(_ ledger: Ledger?, of number: Int64) throws(StoreError) {
    guard let ledger else { return }
    try run(PlayerRows.putLedger, [number, ledger.encoded.stored])
  }
}
