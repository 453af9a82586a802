// Rows of the audit log.
package import GameConfCore
import Synchronization

enum AuditRows {
  static let tables = [
    """
    CREATE TABLE audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, author_uid INTEGER NOT NULL, author_name TEXT NOT NULL,
      author_pid INTEGER, action TEXT NOT NULL, game TEXT, player TEXT, key TEXT, window TEXT, before TEXT, after TEXT, reason TEXT,
      revision INTEGER, detail TEXT, undo_before TEXT, undo_after TEXT, reverts INTEGER, reverted_by INTEGER
    )
    """,
    "CREATE INDEX audit_at ON audit (at_ms)",
    "CREATE INDEX audit_key ON audit (game, key, id)",
    "CREATE INDEX audit_player ON audit (game, player, id) WHERE player IS NOT NULL",
  ]

  static let storedTables = [
    StoredTable(
      "audit", of: .row,
      [
        "id": .number(.ordinal), "at_ms": .number(.instant), "author_uid": .number(.uid), "author_name": .text,
        "author_pid": .optional(.pid), "action": .text, "game": .text, "player": .text, "key": .text, "window": .text, "before": .text,
        "after": .text, "reason": .text, "revision": .optional(.revision), "detail": .text, "undo_before": .text, "undo_after": .text,
        "reverts": .optional(.ordinal), "reverted_by": .optional(.ordinal), "session": .text,
      ]),
    StoredTable("audit_keys", ["key": .text, "audit": .number(.ordinal)]),
  ]

  /// Adds the column of the session to the tables of single and of packed audit lines. The client names the session of a change.
  static let sessionColumns = StoreSchema.SchemaMigration(
    sqlite: [
      "ALTER TABLE audit ADD COLUMN session TEXT",
      "ALTER TABLE audit_packs ADD COLUMN session TEXT",
      "CREATE INDEX audit_session ON audit (session, id) WHERE session IS NOT NULL",
    ],
    postgres: [
      "ALTER TABLE audit ADD COLUMN session TEXT COLLATE \"C\"",
      "ALTER TABLE audit_packs ADD COLUMN session TEXT COLLATE \"C\"",
      "CREATE INDEX audit_session ON audit (session, id) WHERE session IS NOT NULL",
    ])

  /// The table with the keys of each audit line about many keys, such as a line about an accepted catalog or a template.
  static let keysTable = [
    "CREATE TABLE audit_keys (key TEXT NOT NULL, audit INTEGER NOT NULL, PRIMARY KEY (key, audit)) WITHOUT ROWID",
    backfillKeys,
    "CREATE INDEX audit_keys_of ON audit_keys (audit)",
    // This index finds lines by key if a read names no game.
    "CREATE INDEX audit_by_key ON audit (key, id) WHERE key IS NOT NULL",
  ]

  /// Fills the table `audit_keys` for audit lines that are older than the table, from the keys in the lines' details.
  static let backfillKeys = """
    INSERT INTO audit_keys (key, audit)
    SELECT DISTINCT told.value, audit.id
    FROM audit, json_each(CASE WHEN json_valid(audit.detail) THEN audit.detail END, '$.keys') AS told
    WHERE audit.action IN (\(actions)) AND told.type = 'text'
    """

  /// The actions whose details had keys when the table `audit_keys` was introduced.
  private static let actions = "'catalog.accept', 'catalog.revert', 'template.activate', 'template.rollback'"

  static let columns = """
    at_ms, author_uid, author_name, author_pid, action, game, player, key, "window", before, after, reason, revision, detail, undo_before, \
    undo_after, reverts, reverted_by, session
    """

  static func record(_ row: Row) throws(DatabaseFailure) -> AuditRecord {
    var record = AuditRecord(
      at: try row.instant(1), author: try OverrideRows.author(row, 2),
      action: AuditAction(rawValue: try row.text(5)),
      game: row.optionalText(6), reason: row.optionalText(12))
    record.id = try row.integer(0)
    record.player = row.optionalText(7)
    record.key = row.optionalText(8)
    record.window = row.optionalText(9)
    record.before = try row.optionalValue(10)
    record.after = try row.optionalValue(11)
    record.revision = row.optionalInteger(13)
    record.detail = try row.optionalValue(14)
    if let before = try row.optionalValue(15), let after = try row.optionalValue(16) {
      record.undo = AuditUndo(before: before, after: after)
    }
    record.reverts = row.optionalInteger(17)
    record.revertedBy = row.optionalInteger(18)
    record.session = row.optionalText(19)
    return record
  }

  static func name(_ row: Row) -> UnreadableRow {
    UnreadableRow(.audit, game: row.optionalText(6), name: row.optionalInteger(0).map(String.init))
  }

  static let one = Statement(.query, "SELECT id, \(columns) FROM audit WHERE id = ?")
  static let insertion = Statement(
    .numberedInsert(table: PostgresGrammar.audit),
    sqlite: "INSERT INTO audit (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    postgres: "INSERT INTO audit (\(columns), id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
  static let addKey = Statement(.insert, "INSERT INTO audit_keys (key, audit) VALUES (?, ?)")
  static let markReverted = Statement(.change, "UPDATE audit SET reverted_by = ? WHERE id = ?")
  static let naming = Statement(
    .query,
    sqlite: """
      SELECT id, \(columns) FROM audit WHERE game = ?1 AND (player = ?2 OR (detail IS NOT NULL AND instr(detail, ?3) > 0))
      """,
    postgres: """
      SELECT id, \(columns) FROM audit WHERE game = ?1 AND (player = ?2 OR (detail IS NOT NULL AND strpos(detail, ?3) > 0))
      """)
  static let pseudonymise = Statement(
    .change, "UPDATE audit SET player = ?, detail = ?, undo_before = ?, undo_after = ? WHERE id = ?")
  private static let old = "(SELECT id FROM audit WHERE at_ms < ? ORDER BY at_ms, id LIMIT ?)"
  static let removeOldKeys = Statement(.change, "DELETE FROM audit_keys WHERE audit IN \(old)")
  static let removeOld = Statement(.change, "DELETE FROM audit WHERE id IN \(old)")

  static let statements = [
    one, insertion, addKey, markReverted, naming, pseudonymise, removeOldKeys, removeOld, ofChange.one, ofChange.many,
  ]

  enum AuditCondition: String, CaseIterable, Sendable {
    case game = "game = ?"
    /// The condition on the game beside one on the key. A key has fewer audit lines than a game has, so `coalesce` keeps the query planner
    /// from using the index on the game instead of the one on the key.
    case gameBesideKey = "coalesce(game, '') = ?"
    case player = "player = ?"
    case key = "id IN (SELECT id FROM audit WHERE key = ? UNION ALL SELECT audit FROM audit_keys WHERE key = ?)"
    case author = "? IN (author_name, CAST(author_uid AS TEXT))"
    case session = "session = ?"
    case action = "action = ?"
    case from = "at_ms >= ?"
    case until = "at_ms < ?"
    case before = "id < ?"
    case after = "id > ?"
  }

  private struct AuditStatementKey: Hashable {
    var conditions: [AuditCondition]
    var upward: Bool
  }

  private static let selecting = Mutex<[AuditStatementKey: Statement]>([:])

  /// Returns the statement that selects lines by these conditions, and caches it.
  static func selecting(_ conditions: [AuditCondition], upward: Bool) -> Statement {
    selecting.withLock { known in
      let selecting = AuditStatementKey(conditions: conditions, upward: upward)
      if let statement = known[selecting] { return statement }
      let clause = conditions.isEmpty ? "" : " WHERE " + conditions.map(\.rawValue).joined(separator: " AND ")
      let statement = Statement(.query, "SELECT id, \(columns) FROM audit\(clause) ORDER BY id \(upward ? "ASC" : "DESC") LIMIT ?")
      known[selecting] = statement
      return statement
    }
  }

  /// Inserts audit lines of one change. The lines share every column for which ``rowOfChange`` has a numbered parameter.
  static let ofChange = BulkInsert("INSERT INTO audit (\(columns))", shared: sharedCount, row: rowOfChange)

  /// The values of a row of one change, in the order of ``columns``; the values that all rows share are numbered parameters.
  static let rowOfChange = [
    "?1", "?2", "?3", "?4", "?5", "?6", "?", "?", "?", "?", "?", "?7", "?8", "?", "?", "?", "?", "NULL", "?9",
  ]

  /// The number of values that ``bind(shared:to:)`` binds.
  static let sharedCount = 9

  /// Binds the columns that all lines of one change share.
  static func bind(shared record: AuditRecord, to statement: inout SQLiteStatement) {
    statement.bind(record.at.milliseconds)
    statement.bind(record.author)
    statement.bind(record.action.rawValue)
    statement.bind(optional: record.game)
    statement.bind(optional: record.reason)
    statement.bind(record.revision)
    statement.bind(optional: record.session)
  }

  /// Binds every column of a line, in the order of ``columns``.
  static func bind(_ record: AuditRecord, to statement: inout SQLiteStatement) {
    statement.bind(record.at.milliseconds)
    statement.bind(record.author)
    statement.bind(record.action.rawValue)
    for text in [record.game, record.player, record.key, record.window] { statement.bind(optional: text) }
    statement.bind(text: record.before.map(JSONWriter.bytes))
    statement.bind(text: record.after.map(JSONWriter.bytes))
    statement.bind(optional: record.reason)
    statement.bind(record.revision)
    statement.bind(text: record.detail.map(JSONWriter.bytes))
    statement.bind(text: record.undo.map { JSONWriter.bytes($0.before) })
    statement.bind(text: record.undo.map { JSONWriter.bytes($0.after) })
    statement.bind(record.reverts)
    statement.bind(record.revertedBy)
    statement.bind(optional: record.session)
  }
}

extension ReadTransaction {
  package func audit(_ id: Int64) throws(StoreError) -> AuditRecord? {
    let row = try row(AuditRows.one, [id])
    guard let row else { return try packedAudit(id) }
    return try reading(AuditRows.name(row)) { try AuditRows.record(row) }
  }

  /// Returns the selected lines, newest first. If the selection has `after` but not `before`, these are the lines directly after that id,
  /// so that a client that reads page by page misses no line.
  package func audits(_ selection: AuditSelection) throws(StoreError) -> [AuditRecord] {
    var conditions: [AuditRows.AuditCondition] = []
    var arguments: SQLiteArguments = []
    func require(_ condition: AuditRows.AuditCondition, _ value: (any SQLiteArgument)?) {
      guard let value else { return }
      conditions.append(condition)
      arguments += condition == .key ? [value, value] : [value]
    }
    require(selection.key == nil ? .game : .gameBesideKey, selection.game)
    require(.player, selection.player)
    require(.key, selection.key)
    require(.author, selection.author)
    require(.session, selection.session)
    require(.action, selection.action?.rawValue)
    require(.from, selection.from?.milliseconds)
    require(.until, selection.until?.milliseconds)
    require(.before, selection.before)
    require(.after, selection.after)
    arguments += [selection.limit]
    let upward = selection.after != nil && selection.before == nil
    let rows = try rows(AuditRows.selecting(conditions, upward: upward), arguments)
    var lines: [AuditRecord] = []
    for row in rows { if let line = try readable(AuditRows.name(row), { try AuditRows.record(row) }) { lines.append(line) } }
    let packed = try packedAudits(selection, upward: upward)
    if !packed.isEmpty {
      lines = Array((lines + packed).sorted { upward ? $0.id < $1.id : $0.id > $1.id }.prefix(selection.limit))
    }
    return upward ? lines.reversed() : lines
  }
}

extension WriteTransaction {
  @discardableResult
  package func append(_ record: AuditRecord, about keys: Set<String>) throws(StoreError) -> AuditRecord {
    try runRaw(AuditRows.insertion) { AuditRows.bind(record, to: &$0) }
    var record = record
    record.id = database.lastInsertedRowID
    for key in keys.sorted() { try run(AuditRows.addKey, [key, record.id]) }
    publish(.audited(record))
    return record
  }

  /// Adds the lines of one large change, and publishes ``StoreChange/auditedMany(_:)``.
  /// - Parameter packs: the same lines in packed form, many in one row, for a store that first writes this form.
  /// - Returns: the lines with their ids, in order.
  package func append(_ lines: [AuditRecord], packed packs: [AuditPack]) throws(StoreError) -> AuditLines {
    guard database.writesManyRows, let shared = lines.first else {
      var records = lines
      for at in records.indices { records[at] = try append(records[at]) }
      return AuditLines(records)
    }
    let appended = AuditLines(lines, from: try append(packs, sharing: shared))
    publish(.auditedMany(appended))
    return appended
  }

  /// Adds many lines to the audit log, and publishes them.
  /// - Returns: the lines with their ids, in order.
  package func append(_ lines: [EncodedAuditLine]) throws(StoreError) -> [AuditRecord] {
    var records = lines.map(\.record)
    guard database.writesManyRows, lines.count >= BulkInsert.count, let first = records.first, records.allSatisfy(first.isOfSameChange(as:))
    else {
      for at in records.indices { records[at] = try append(records[at]) }
      return records
    }
    try runMany(AuditRows.ofChange, lines) {
      AuditRows.bind(shared: first, to: &$0)
    } own: { line, list in
      let record = line.record
      for text in [record.player, record.key, record.window] { list.bind(optional: text) }
      list.bind(text: line.before)
      list.bind(text: line.after)
      list.bind(text: line.detail)
      list.bind(text: line.undoBefore)
      list.bind(text: line.undoAfter)
      list.bind(record.reverts)
    } written: { rows in
      // SQLite only reports the last row's id, and the rows have consecutive ids.
      let last = database.lastInsertedRowID
      for at in rows { records[at].id = last - Int64(rows.upperBound - 1 - at) }
    }
    publish(.auditedMany(AuditLines(records)))
    return records
  }

  /// Records that the change in a line was reverted by the change in the line `other`, and publishes the first line.
  package func markReverted(_ line: AuditRecord, by other: Int64) throws(StoreError) {
    if try run(AuditRows.markReverted, [other, line.id]) == 0, try unpackAudit(line.id) {
      try run(AuditRows.markReverted, [other, line.id])
    }
    var line = line
    line.revertedBy = other
    publish(.audited(line))
  }

  /// Replaces a player's id by a pseudonym in every line of a game that names the player. Such lines can no longer be reverted.
  /// - Returns: the number of lines that named the player.
  package func pseudonymise(player: String, in game: String, as pseudonym: String) throws(StoreError) -> Int {
    try unpackAudits(of: game) { line in
      var line = line
      return line.pseudonymise(player, as: pseudonym)
    }
    let rows = try rows(AuditRows.naming, [game, player, Value.string(player).stored])
    var count = 0
    for row in rows {
      guard var line = try readable(AuditRows.name(row), { try AuditRows.record(row) }) else { continue }
      guard line.pseudonymise(player, as: pseudonym) else { continue }
      try run(
        AuditRows.pseudonymise,
        [line.player, line.detail?.stored, line.undo?.before.stored, line.undo?.after.stored, line.id])
      count += 1
    }
    return count
  }

  /// Removes at most `max` audit lines older than an instant, oldest first.
  /// - Returns: the number of removed lines.
  package func dropAudits(before: Instant, max: Int) throws(StoreError) -> Int {
    try run(AuditRows.removeOldKeys, [before.milliseconds, max])
    return try run(AuditRows.removeOld, [before.milliseconds, max])
  }
}
