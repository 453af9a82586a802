// A database with a row in every table, generated from the description of the tables, and the faults that it may have.
import GameConfCore

@testable import GameConfStorage

/// Rows that gameconfd could have written.
enum StoredRows {
  private static let scenario = StoredScenario(
    id: "0123456789ab", title: "t", author: Author(uid: 1, name: "ada"), startedAt: Instant(seconds: 900), leaseSeconds: 60, games: ["g"],
    holds: [])

  /// Creates a database of the present version with one row in each table.
  static func make(at path: String) throws {
    let database = try SQLiteConnection(path: path, for: .writing)
    defer { database.close() }
    try StoreSchema.current.migrate(database, from: 0)
    try fill(database)
  }

  static func fill(_ database: SQLiteConnection) throws {
    for table in StoredTable.all {
      let names = table.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
      var statement = try database.cached(
        "INSERT INTO \"\(table.name)\" (\(names)) VALUES (\(table.columns.map { _ in "?" }.joined(separator: ", ")))")
      for (name, column) in table.columns { bind(table.name, name, column, to: &statement) }
      try statement.run()
    }
    for name in [RevisionRows.playerMax, RevisionRows.playerFloor, RepeatRows.seen, ClockRows.hostSeen, StreamRows.tailName] {
      try database.run("INSERT OR REPLACE INTO numbers (name, number) VALUES (?, 1)", [name])
    }
    try database.execute("UPDATE audit_packs SET first = 2, last = 2; UPDATE sqlite_sequence SET seq = 2")
  }

  private static func bind(_ table: String, _ name: String, _ column: StoredTable.Column, to statement: inout SQLiteStatement) {
    switch (table, name) {
    case ("numbers", "name"): statement.bind(RevisionRows.epoch)
    case ("templates", "origin"): statement.bind(StoredTemplate.TemplateOrigin.pushed.rawValue)
    case ("templates", "document"), ("answers", "headers"), ("play_values", "content"): statement.bind("{}")
    case ("scenarios", "id"): statement.bind(scenario.id)
    case ("scenarios", "scenario"): statement.bind(scenario.fields.stored)
    case ("players", "state"): statement.bind(text: PlayerState(createdAt: Instant(seconds: 1)).storedJSON)
    case ("players", "requests"), ("players", "marks"): statement.bind(nil as Int64?)
    case ("ledgers", "ledger"): statement.bind(Ledger(game: "g", player: "g").encoded.stored)
    case ("player_lines", "line"): statement.bind("[1000,\"visit\",{}]")
    case ("audit_packs", "lines"):
      var line = AuditRecord(at: Instant(seconds: 1), author: Author(uid: 1, name: "ada"), action: .overrideSet, game: "g")
      (line.player, line.key) = ("g", "a")
      statement.bind(blob: AuditPack([line]).bytes)
    case ("catalogs", "files"): statement.bind(blob: AcceptedCatalogDocument.bytes(of: [AcceptedFile(name: "g.yaml", bytes: [1])]))
    case ("overrides", "window"), ("overrides", "player"), ("slot_revisions", "player"): statement.bind("")
    case (_, "quarantined"), ("audit", "detail"), (_, "undo_before"), (_, "undo_after"), (_, "context"): statement.bind(nil as Int64?)
    default:
      switch column {
      case .number(.status): statement.bind(200)
      case .number, .optional: statement.bind(1)
      case .text: statement.bind(name == "value" || name == "before" || name == "after" || name == "body" ? "\"g\"" : "g")
      case .blob: statement.bind(blob: [])
      }
    }
  }
}

/// One fault of a backup.
struct StoredFault: Sendable, CustomStringConvertible {
  var description: String
  /// The statements that cause the fault.
  var statements: [String]
  /// The words that the refusal contains; empty if only the row is refused later.
  var named: [String]

  private init(_ description: String, _ statements: [String], named: [String]) {
    (self.description, self.statements, self.named) = (description, statements, named)
  }

  /// Every number just outside its range, and a text in its place.
  static let numbers: [StoredFault] = StoredTable.all.filter { $0.name != "numbers" }.flatMap { table in
    table.columns.flatMap { name, column -> [StoredFault] in
      guard let range = column.number?.range else { return [] }
      let outside = [range.lowerBound.subtractingReportingOverflow(1), range.upperBound.addingReportingOverflow(1)]
      let numbers = outside.filter { !$0.overflow }.map { "\($0.partialValue)" }
      let isKey =
        (name == "number" || name == "id" || name == "first" || name == "player" || name == "uid") && table.columns[0].name == name
      return (numbers + (isKey ? [] : ["'x'"])).map { value in
        StoredFault("\(table.name).\(name) = \(value)", ["UPDATE \"\(table.name)\" SET \"\(name)\" = \(value)"], named: [table.name, name])
      }
    }
  }

  /// Faults of numbers that are stored by name.
  static let named: [StoredFault] = [RevisionRows.playerMax, RepeatRows.seen, ClockRows.hostSeen, StreamRows.tailName].map { name in
    StoredFault("\(name)", ["UPDATE numbers SET number = 9223372036854775807 WHERE name = '\(name)'"], named: ["numbers", name])
  }

  /// Unreadable cells that concern the whole store.
  static let cells: [StoredFault] =
    StoredTable.all.filter { $0.owner == .store && $0.name != "numbers" }.flatMap { table in
      table.columns.compactMap { name, column in
        switch column {
        case .text: StoredFault("\(table.name).\(name) is bytes", ["UPDATE \"\(table.name)\" SET \"\(name)\" = x'ff'"], named: [table.name])
        case .blob: StoredFault("\(table.name).\(name) is text", ["UPDATE \"\(table.name)\" SET \"\(name)\" = '{'"], named: [table.name])
        case .number, .optional: nil
        }
      }
    } + [
      StoredFault("a scenario that is no JSON", ["UPDATE scenarios SET scenario = '{'"], named: ["scenarios", "0123456789ab"]),
      StoredFault("a catalog that is cut", ["UPDATE catalogs SET files = x'01'"], named: ["catalogs ('g', 1)"]),
      StoredFault("a pack that is cut", ["UPDATE audit_packs SET lines = x'01'"], named: ["audit_packs (2)"]),
      StoredFault("a template of an unknown origin", ["UPDATE templates SET origin = 'x'"], named: ["templates ('g', 1)"]),
      StoredFault("a number given twice", ["UPDATE sqlite_sequence SET seq = 1 WHERE name = 'audit'"], named: ["sqlite_sequence", "seq"]),
      StoredFault("no number given", ["DELETE FROM sqlite_sequence"], named: ["sqlite_sequence", "seq"]),
    ]

  /// Tables and indexes that are missing, differ, or are unknown.
  static let declarations: [StoredFault] =
    StoredTable.all.flatMap { table in
      [
        StoredFault("without \(table.name)", ["DROP TABLE \"\(table.name)\""], named: [table.name]),
        StoredFault(
          "\(table.name) without constraints",
          [
            "CREATE TABLE bare AS SELECT * FROM \"\(table.name)\"", "DROP TABLE \"\(table.name)\"",
            "ALTER TABLE bare RENAME TO \"\(table.name)\"",
          ], named: []),
      ]
    }
    + ["audit_at", "audit_player", "board_order", "override_windows", "plays_by_owner"].map {
      StoredFault("without \($0)", ["DROP INDEX \($0)"], named: [$0])
    } + [
      StoredFault("another table", ["CREATE TABLE more (a)"], named: ["more"]),
      StoredFault("another index", ["CREATE UNIQUE INDEX more ON audit (game)"], named: ["more"]),
      StoredFault("another column", ["ALTER TABLE boards ADD COLUMN more TEXT"], named: ["boards"]),
      StoredFault("a trigger", ["CREATE TRIGGER more AFTER INSERT ON audit BEGIN SELECT 1; END"], named: ["more"]),
      StoredFault("another version", ["PRAGMA user_version = 3"], named: []),
    ]
}
