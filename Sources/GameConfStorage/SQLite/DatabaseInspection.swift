// Checks the rows of a database before it replaces the served one.
import GameConfCore

/// Searches a database for a row from which a daemon could not continue. The database must have the current schema.
///
/// It compares every number with the number's range, and decodes the rows that concern the whole store as the daemon does. It does not
/// decode the texts of single players or history lines: such a row is refused later, alone, when it is read.
struct DatabaseInspection {
  let database: SQLiteConnection

  /// Returns the first fault, with the table, the row and the column; nil if there is none.
  func fault() throws -> String? {
    for table in try MoveTable.all() { if let fault = try fault(in: table) { return fault } }
    return try sequenceFault() ?? readingFault()
  }

  private func fault(in table: MoveTable) throws -> String? {
    if table.name == MoveTable.numbers { return try numberFault(table) }
    guard let stored = StoredTable.named(table.name) else { return nil }
    let conditions = stored.columns.compactMap { Self.condition($0.name, $0.column, of: stored.owner) }
    if conditions.isEmpty { return nil }
    let query = "SELECT \(table.columnNames) FROM \(table.quotedName) WHERE \(conditions.joined(separator: " OR ")) LIMIT 1"
    let row = try database.read(query) { $0.moved(table) }.first
    return row.map { $0.fault(in: table) ?? "the row \($0.name(in: table)) has a value that gameconfd did not write" }
  }

  /// Returns the SQL condition of a cell that gameconfd cannot have written; nil if every value is possible.
  private static func condition(_ name: String, _ column: StoredTable.Column, of owner: StoredTable.RowDamageScope) -> String? {
    let cell = MoveTable.quoted(name)
    func number(_ kind: StoredNumber) -> String {
      let isOutside = kind == .bits ? "" : " OR \(cell) NOT BETWEEN \(kind.range.lowerBound) AND \(kind.range.upperBound)"
      return "typeof(\(cell)) <> 'integer'\(isOutside)"
    }
    switch (column, owner) {
    case (.number(let kind), _): return number(kind)
    case (.optional(let kind), _): return "\(cell) IS NOT NULL AND (\(number(kind)))"
    case (.text, .store): return "typeof(\(cell)) NOT IN ('text', 'null')"
    case (.blob, .store): return "typeof(\(cell)) NOT IN ('blob', 'null')"
    case (.text, .row), (.blob, .row): return nil
    }
  }

  /// The rows of the table `numbers` are few, so each is checked in code instead of by an SQL condition.
  private func numberFault(_ table: MoveTable) throws -> String? {
    let rows = try database.read("SELECT \(table.columnNames) FROM \(table.quotedName)") { $0.moved(table) }
    return rows.lazy.compactMap { $0.fault(in: table) }.first
  }

  /// Returns the fault of an `AUTOINCREMENT` sequence whose next number a row already has; nil if there is no fault.
  private func sequenceFault() throws -> String? {
    let sequences = [
      ("audit", "SELECT max(coalesce((SELECT max(id) FROM audit), 0), coalesce((SELECT max(last) FROM audit_packs), 0))"),
      ("answers", "SELECT coalesce(max(number), 0) FROM answers"),
    ]
    for (table, newest) in sequences {
      let least = try database.integer(newest) ?? 0
      let sequence = try database.row("SELECT seq FROM sqlite_sequence WHERE name = ?", [table])
      if sequence == nil, least == 0 { continue }
      let range = least...StoredNumber.ordinal.range.upperBound
      guard let last = sequence?.anyInteger(0), range.contains(last) else {
        return "the row sqlite_sequence ('\(table)') must have a number from \(range.lowerBound) to \(range.upperBound) in “seq”"
      }
    }
    return nil
  }

  /// Decodes the served rows as the daemon's start does, and the rows of scenarios, catalogs, templates and audit packs.
  private func readingFault() throws -> String? {
    _ = try StoredState.loaded(from: database) { _ in }
    var unreadable: UnreadableRow?
    let view = ReadTransaction(database, floors: ReadTransaction.RevisionFloors()) { unreadable = unreadable ?? $0 }
    func reading(_ name: String, _ body: () throws -> Void) throws -> String? {
      do {
        try body()
        return unreadable.map { "the row \(name) cannot be read: \($0.words)" }
      } catch {
        if let unreadable { return "the row \(name) cannot be read: \(unreadable.words)" }
        let failure = view.failure ?? DatabaseFailure(error)
        guard failure.kind == .damaged else { throw error }
        return "the row \(name) cannot be read: \(failure.message)"
      }
    }
    for id in try database.texts("SELECT id FROM scenarios ORDER BY id") {
      if let fault = try reading("scenarios ('\(id)')", { _ = try view.scenario(id) }) { return fault }
    }
    for row in try database.rows("SELECT game, number FROM catalogs ORDER BY game, number") {
      let (game, number) = (try row.text(0), try row.integer(1))
      if let fault = try reading("catalogs ('\(game)', \(number))", { _ = try view.catalog(number, of: game) }) { return fault }
    }
    for row in try database.rows("SELECT game, number FROM templates ORDER BY game, number") {
      let (game, number) = (try row.text(0), try row.integer(1))
      if let fault = try reading("templates ('\(game)', \(number))", { _ = try view.template(number, of: game) }) { return fault }
    }
    for row in try database.rows("SELECT first FROM audit_packs ORDER BY first") {
      let first = try row.integer(0)
      if let fault = try reading("audit_packs (\(first))", { _ = try view.packedAudit(first) }) { return fault }
    }
    return nil
  }
}
