// The rows of active scenarios.
import GameConfCore

enum ScenarioRows {
  static let tables = [
    """
    CREATE TABLE scenarios (
      id TEXT PRIMARY KEY, started_ms INTEGER NOT NULL, lease_ms INTEGER NOT NULL, lease_seconds INTEGER NOT NULL, ends_ms INTEGER NOT NULL,
      ending INTEGER NOT NULL, scenario TEXT NOT NULL
    ) WITHOUT ROWID
    """
  ]

  static let storedTables = [
    StoredTable(
      "scenarios",
      [
        "id": .text, "started_ms": .number(.instant), "lease_ms": .number(.instant), "lease_seconds": .number(.lease),
        "ends_ms": .number(.instant), "ending": .number(.flag), "scenario": .text,
      ])
  ]

  private static let columns = "id, started_ms, lease_ms, lease_seconds, ends_ms, ending, scenario"

  static let one = Statement(.query, "SELECT \(columns) FROM scenarios WHERE id = ?")
  static let all = Statement(.query, "SELECT \(columns) FROM scenarios ORDER BY id")
  static let put = Statement(
    .insert,
    """
    INSERT INTO scenarios (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET started_ms = excluded.started_ms, lease_ms = excluded.lease_ms, lease_seconds = excluded.lease_seconds,
      ends_ms = excluded.ends_ms, ending = excluded.ending, scenario = excluded.scenario
    """)
  static let remove = Statement(.change, "DELETE FROM scenarios WHERE id = ?")

  static let statements = [one, all, put, remove]

  fileprivate static func scenario(_ row: Row) throws(DatabaseFailure) -> StoredScenario {
    guard StoredNumber.lease.range.contains(try row.integer(3)) else { throw DatabaseFailure.damaged("a scenario's lease is out of range") }
    let scenario = StoredScenario(
      id: try row.text(0), startedAt: try row.instant(1), leaseUntil: try row.instant(2),
      leaseSeconds: try row.integer(3), endsAt: try row.instant(4), isEnding: try row.integer(5) != 0,
      fields: try row.value(6))
    guard let scenario else { throw DatabaseFailure.damaged("a scenario lacks a part") }
    return scenario
  }
}

extension ReadTransaction {
  package func scenario(_ id: String) throws(StoreError) -> StoredScenario? {
    let row = try row(ScenarioRows.one, [id])
    return try attempting { try row.map { try ScenarioRows.scenario($0) } }
  }

  /// Returns every active scenario, by id.
  package func scenarios() throws(StoreError) -> [StoredScenario] {
    let rows = try rows(ScenarioRows.all)
    return try attempting { try rows.map { try ScenarioRows.scenario($0) } }
  }
}

extension WriteTransaction {
  /// Adds a scenario, or replaces the one with the same id.
  package func put(_ scenario: StoredScenario) throws(StoreError) {
    try run(
      ScenarioRows.put,
      [
        scenario.id, scenario.startedAt.milliseconds, scenario.leaseUntil.milliseconds, scenario.leaseSeconds,
        scenario.endsAt.milliseconds, scenario.isEnding, scenario.fields.stored,
      ])
  }

  /// Removes a scenario after all its changes are undone.
  package func removeScenario(_ id: String) throws(StoreError) { try run(ScenarioRows.remove, [id]) }
}
