// Rows of overrides: one for each permanent override and each window.
package import GameConfCore

enum OverrideRows {
  static let tables = [
    """
    CREATE TABLE overrides (
      game TEXT NOT NULL, player TEXT NOT NULL, key TEXT NOT NULL, window TEXT NOT NULL,
      from_ms INTEGER, until_ms INTEGER, is_open INTEGER NOT NULL, value TEXT NOT NULL,
      author_uid INTEGER NOT NULL, author_name TEXT NOT NULL, author_pid INTEGER, reason TEXT,
      at_ms INTEGER NOT NULL, revision INTEGER NOT NULL, quarantined TEXT, PRIMARY KEY (game, player, key, window)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX override_windows ON overrides (until_ms) WHERE window > ''",
    "CREATE TABLE override_counts (game TEXT PRIMARY KEY, of_players INTEGER NOT NULL) WITHOUT ROWID",
  ]

  private static let columns = """
    game, player, key, "window", from_ms, until_ms, is_open, value, author_uid, author_name, author_pid, reason, at_ms, revision, quarantined
    """

  /// Orders the rows of one key, for the game or for one player, together, because ``ReadTransaction`` groups adjacent rows and PostgreSQL
  /// returns rows in any order.
  private static let bySlot = "ORDER BY game, player, key, \"window\""
  private static let ofGame = "SELECT \(columns) FROM overrides WHERE game = ?"

  static let atSlot = Statement(.query, ofGame + " AND player = ? AND key = ?")
  static let inGame = Statement(.query, "\(ofGame) \(bySlot)")
  static let gameWide = Statement(.query, "\(ofGame) AND player = '' \(bySlot)")
  static let ofPlayer = Statement(.query, "\(ofGame) AND player = ? \(bySlot)")
  static let ofPlayers = Statement(.query, "\(ofGame) AND player > '' \(bySlot)")
  static let all = Statement(.query, "SELECT \(columns) FROM overrides \(bySlot)")
  static let withEdges = ofWindows("game, player, key", where: "(until_ms <= ?1 OR is_open <> (from_ms <= ?1))")
  static let nextEdge = Statement(
    .query,
    """
    SELECT min(CASE WHEN from_ms > ?1 THEN from_ms ELSE until_ms END) FROM overrides WHERE "window" > '' AND until_ms > ?1
    """)
  static let withWindows = ofWindows("player, key", where: "game = ?")

  /// Selects overrides with a time window, which are few. INDEXED BY keeps SQLite from scanning the other overrides.
  private static func ofWindows(_ columns: String, where condition: String) -> Statement {
    func sql(_ overrides: String) -> String {
      "SELECT DISTINCT \(columns) FROM \(overrides) WHERE \"window\" > '' AND \(condition) ORDER BY \(columns)"
    }
    return Statement(.query, sqlite: sql("overrides INDEXED BY override_windows"), postgres: sql("overrides"))
  }

  static let playersCount = Statement(.query, "SELECT count(*) FROM overrides WHERE game = ? AND player > ''")
  static let countedPlayers = Statement(.query, "SELECT of_players FROM override_counts WHERE game = ?")
  static let countPlayers = Statement(
    .insert,
    "INSERT INTO override_counts (game, of_players) VALUES (?, ?) ON CONFLICT (game) DO UPDATE SET of_players = excluded.of_players")
  static let growPlayers = Statement(
    .insert,
    """
    INSERT INTO override_counts (game, of_players) VALUES (?1, ?2)
    ON CONFLICT (game) DO UPDATE SET of_players = override_counts.of_players + ?2
    """)
  static let removeOfPlayers = Statement(.change, "DELETE FROM overrides WHERE game = ? AND player > ''")

  static let statements = [
    atSlot, inGame, gameWide, ofPlayer, ofPlayers, all, withEdges, nextEdge, withWindows, playersCount, countedPlayers, countPlayers,
    growPlayers, removeOfPlayers, removal, insertion, permanent.one, permanent.many,
  ]

  static func record(_ row: Row) throws(DatabaseFailure) -> OverrideRecord {
    let player = try row.text(1)
    let id = try row.text(3)
    var window: OverrideWindow?
    if !id.isEmpty {
      window = OverrideWindow(
        id: id, from: try row.instant(4), until: try row.instant(5),
        isOpen: try row.integer(6) != 0)
    }
    return OverrideRecord(
      slot: OverrideSlot(game: try row.text(0), player: player.isEmpty ? nil : player, key: try row.text(2)), window: window,
      value: try row.value(7), author: try author(row, 8), reason: row.optionalText(11), at: try row.instant(12),
      revision: try row.integer(13), quarantined: row.optionalText(14))
  }

  /// Reads an author from three columns: uid, name, pid.
  static func author(_ row: Row, _ column: Int) throws(DatabaseFailure) -> Author {
    guard let uid = UInt32(exactly: try row.integer(column)) else { throw .damaged("a user id is out of range") }
    return Author(uid: uid, name: try row.text(column + 1), pid: row.optionalInteger(column + 2).flatMap(Int32.init(exactly:)))
  }

  static let removal = Statement(.change, "DELETE FROM overrides WHERE game = ? AND player = ? AND key = ?")
  static let insertion = Statement(
    .insert, "INSERT INTO overrides (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")

  /// Inserts permanent overrides of one change, which share game, author, instant and revision.
  static let permanent = BulkInsert(
    "INSERT OR REPLACE INTO overrides (\(columns))", shared: 6,
    row: ["?1", "?", "?", "''", "NULL", "NULL", "0", "?", "?2", "?3", "?4", "?", "?5", "?6", "NULL"])

  static func bind(_ record: OverrideRecord, to statement: inout SQLiteStatement) {
    let window = record.window
    bind(record.slot, to: &statement)
    statement.bind(window?.id ?? "")
    statement.bind(window?.from.milliseconds)
    statement.bind(window?.until.milliseconds)
    statement.bind(window?.isOpen == true ? 1 : 0)
    statement.bind(text: JSONWriter.bytes(record.value))
    statement.bind(record.author)
    statement.bind(optional: record.reason)
    statement.bind(record.at.milliseconds)
    statement.bind(record.revision)
    statement.bind(optional: record.quarantined)
  }

  static func bind(_ slot: OverrideSlot, to statement: inout SQLiteStatement) {
    statement.bind(slot.game)
    statement.bind(slot.player ?? "")
    statement.bind(slot.key)
  }
}

extension SQLiteStatement {
  /// Binds an author to the next three parameters.
  mutating func bind(_ author: Author) {
    bind(Int64(author.uid))
    bind(author.name)
    bind(author.pid.map(Int64.init))
  }
}

extension ReadTransaction {
  package func overrides(at slot: OverrideSlot) throws(StoreError) -> KeyOverrides {
    let rows = try rows(OverrideRows.atSlot, [slot.game, slot.player ?? "", slot.key])
    var records: [OverrideRecord] = []
    for row in rows { if let record = try record(row) { records.append(record) } }
    return KeyOverrides(slot: slot, records: records)
  }

  package func overrides(in game: String, _ selection: OverrideSelection) throws(StoreError) -> [KeyOverrides] {
    let rows =
      switch selection.scope {
      case .game: try rows(OverrideRows.gameWide, [game])
      case .player(let player): try rows(OverrideRows.ofPlayer, [game, player])
      case .players: try rows(OverrideRows.ofPlayers, [game])
      case .all: try rows(OverrideRows.inGame, [game])
      }
    return try grouped(rows).filter { selection.contains($0.slot) }
  }

  package func overrides() throws(StoreError) -> [KeyOverrides] {
    try grouped(try rows(OverrideRows.all))
  }

  /// Returns an override; nil for an unreadable row, which has no effect and is overwritten by the next write of the same key and player.
  private func record(_ row: Row) throws(StoreError) -> OverrideRecord? {
    let player = row.optionalText(1).flatMap { $0.isEmpty ? nil : $0 }
    return try readable(UnreadableRow(.override, game: row.optionalText(0), player: player, name: row.optionalText(2))) {
      try OverrideRows.record(row)
    }
  }

  private func grouped(_ rows: [Row]) throws(StoreError) -> [KeyOverrides] {
    var groups: [KeyOverrides] = []
    var records: [OverrideRecord] = []
    func close() {
      if let slot = records.first?.slot { groups.append(KeyOverrides(slot: slot, records: records)) }
      records = []
    }
    for row in rows {
      guard let record = try record(row) else { continue }
      if let slot = records.first?.slot, slot != record.slot { close() }
      records.append(record)
    }
    close()
    return groups
  }

  package func playerOverridesCount(in game: String) throws(StoreError) -> Int {
    let row = try row(OverrideRows.countedPlayers, [game])
    return Int(try attempting { try row?.integer(0) ?? 0 })
  }

  package func slotsWithEdges(at now: Instant) throws(StoreError) -> [OverrideSlot] {
    let rows = try rows(OverrideRows.withEdges, [now.milliseconds])
    return try attempting {
      try rows.map { row in
        let player = try row.text(1)
        return OverrideSlot(game: try row.text(0), player: player.isEmpty ? nil : player, key: try row.text(2))
      }
    }
  }

  package func nextEdge(after now: Instant) throws(StoreError) -> Instant? {
    let row = try row(OverrideRows.nextEdge, [now.milliseconds])
    return row?.optionalInteger(0).map(Instant.init(milliseconds:))
  }
}

extension WriteTransaction {
  package func put(_ changed: [ChangedOverrides], revision: Int64) throws(StoreError) {
    try putRows(of: changed.map(\.overrides))
    try setRevision(revision, at: changed.map(\.overrides.slot))
    for each in changed { publish(.overrides(each.overrides, revision: revision, playerRevision: each.playerRevision)) }
  }

  package func put(_ many: BulkOverrides, written: OverrideRowBatch, over records: Int) throws(StoreError) {
    try putRows(of: written, over: records, at: many.revision)
    publish(.overridesMany(many))
  }

  /// Writes the overrides of keys, for the game or for players, without publishing them.
  func putRows(of overrides: [KeyOverrides]) throws(StoreError) {
    guard database.writesManyRows, overrides.count >= BulkInsert.count, let game = overrides.first?.slot.game,
      overrides.allSatisfy({ $0.slot.game == game })
    else { return try putEach(overrides) }
    try putEach(try putMany(overrides, of: game))
    try countPlayers(of: game)
  }

  private func putRows(of overrides: OverrideRowBatch, over records: Int, at revision: Int64) throws(StoreError) {
    guard let game = overrides.slots.first?.slot.game else { return }
    guard database.writesManyRows, overrides.slots.count >= BulkInsert.count else {
      try setRevision(revision, at: overrides.slots.map(\.slot))
      return try putEach(overrides.slots)
    }
    let windows = try slotsWithWindows(of: game)
    let removesAll = records >= BulkInsert.count ? try playerRowsCount(of: game) == records : false
    // A row in `slot_revisions` for each removed override would double the work. If packed audit lines have the revisions of players' keys,
    // the rows in `slot_revisions` are written when the lines are unpacked.
    try setRevision(revision, at: overrides.hasPackedLines ? overrides.unsaid.filter { $0.player == nil } : overrides.unsaid)
    if removesAll { try run(OverrideRows.removeOfPlayers, [game]) }
    if windows.isEmpty || (removesAll && windows.allSatisfy { $0.player != nil }) {
      try putRows(of: overrides, in: game)
      try putEach(removesAll ? overrides.others.filter { $0.slot.player == nil || !$0.isEmpty } : overrides.others)
    } else {
      try putEach(try putMany(removesAll ? overrides.slots.filter { $0.slot.player == nil || !$0.isEmpty } : overrides.slots, of: game))
    }
    try countPlayers(of: game)
  }

  /// Counts the game's rows of players' overrides again, because INSERT OR REPLACE does not report which rows it replaced.
  private func countPlayers(of game: String) throws(StoreError) {
    try run(OverrideRows.countPlayers, [game, try playerRowsCount(of: game)])
  }

  /// Inserts the rows of a batch that was encoded before the transaction.
  private func putRows(of overrides: OverrideRowBatch, in game: String) throws(StoreError) {
    guard let shared = overrides.shared else { return }
    // The texts are bound in place, without a copy.
    let result = overrides.bytes.withUnsafeBytes { bytes in
      Result { () throws(StoreError) in
        try runMany(OverrideRows.permanent, Array(0..<overrides.rowsCount)) {
          $0.bind(game)
          $0.bind(shared.author)
          $0.bind(shared.at.milliseconds)
          $0.bind(shared.revision)
        } own: { row, list in
          for text in OverrideRowBatch.TextColumn.allCases { list.bind(lasting: overrides.text(text, ofRow: row, in: bytes)) }
        }
      }
    }
    try result.get()
  }

  private func playerRowsCount(of game: String) throws(StoreError) -> Int {
    let row = try row(OverrideRows.playersCount, [game])
    return Int(try attempting { try row?.integer(0) ?? 0 })
  }

  private func putEach(_ overrides: [KeyOverrides]) throws(StoreError) {
    var grown: [String: Int] = [:]
    for each in overrides {
      let gone = try runRaw(OverrideRows.removal) { OverrideRows.bind(each.slot, to: &$0) }
      let records = each.records
      for record in records { try runRaw(OverrideRows.insertion) { OverrideRows.bind(record, to: &$0) } }
      if each.slot.player != nil { grown[each.slot.game, default: 0] += records.count - gone }
    }
    for (game, count) in grown.sorted(by: { $0.key < $1.key }) where count != 0 {
      try run(OverrideRows.growPlayers, [game, count])
    }
  }

  /// Inserts the permanent overrides of this change for targets (a key, for the game or for one player) that neither have nor had a window.
  /// So each new row replaces at most one row.
  /// - Returns: the overrides that are not written yet.
  private func putMany(_ overrides: [KeyOverrides], of game: String) throws(StoreError) -> [KeyOverrides] {
    guard let first = overrides.lazy.compactMap(\.permanent).first else { return overrides }
    let windows = try slotsWithWindows(of: game)
    var many: [OverrideRecord] = []
    var rest: [KeyOverrides] = []
    for each in overrides {
      if let permanent = each.permanent, each.windows.isEmpty, permanent.quarantined == nil, permanent.author == first.author,
        permanent.at == first.at, permanent.revision == first.revision, windows.isEmpty || !windows.contains(each.slot)
      {
        many.append(permanent)
      } else {
        rest.append(each)
      }
    }
    try runMany(OverrideRows.permanent, many) {
      $0.bind(game)
      $0.bind(first.author)
      $0.bind(first.at.milliseconds)
      $0.bind(first.revision)
    } own: { record, list in
      list.bind(record.slot.player ?? "")
      list.bind(record.slot.key)
      list.bind(text: JSONWriter.bytes(record.value))
      list.bind(optional: record.reason)
    }
    return rest
  }

  /// Returns the targets (a key, for the game or for one player) of overrides with a time window, including unreadable rows.
  private func slotsWithWindows(of game: String) throws(StoreError) -> Set<OverrideSlot> {
    let rows = try rows(OverrideRows.withWindows, [game])
    var slots: Set<OverrideSlot> = []
    for row in rows {
      guard let player = row.optionalText(0), let key = row.optionalText(1) else { continue }
      slots.insert(OverrideSlot(game: game, player: player.isEmpty ? nil : player, key: key))
    }
    return slots
  }
}
