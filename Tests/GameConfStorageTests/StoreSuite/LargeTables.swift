// A database of a million players, made in the database.

/// Rows of a table that the database makes of a number `n`, from 1 on.
struct LargeTable: Sendable {
  let name: String
  let count: Int
  /// The columns, and what each has.
  let columns: KeyValuePairs<String, String>

  private var insertion: String { "INSERT INTO \(name) (\(columns.map { "\"\($0.key)\"" }.joined(separator: ", ")))" }
  private var values: String { columns.map(\.value).joined(separator: ", ") }

  var inSQLite: String {
    """
    WITH RECURSIVE made (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM made WHERE n < \(count))
    \(insertion) SELECT \(values) FROM made
    """
  }
  var inPostgres: String { "\(insertion) SELECT \(values) FROM generate_series(1, \(count)::BIGINT) AS made (n)" }
}

extension LargeTable {
  private static let million = 1_000_000
  private static let game = "'g' || (n % 5)"

  static let all = players + overrides + logs + plays

  /// True for a table that has many rows here.
  static func isLarge(_ table: String) -> Bool { all.contains { $0.name == table && $0.count >= million / 10 } }

  private static let players: [LargeTable] = [
    LargeTable(
      name: "players", count: million,
      columns: ["number": "n", "game": game, "player": "'p' || n", "revision": "n % 100", "state": "'{}'", "head": "n", "bests": "1"]),
    LargeTable(name: "ledgers", count: million / 10, columns: ["number": "n * 10", "ledger": "'{}'"]),
    LargeTable(
      name: "player_lines", count: million,
      columns: ["number": "n", "player": "n", "entry": "1", "at_ms": "n", "line": "'[0,\"visit\",{}]'"]),
    LargeTable(name: "forgotten_lines", count: million / 1_000, columns: ["player": "n + \(million)", "head": "n"]),
    LargeTable(name: "forgotten_players", count: million / 1_000, columns: ["player": "n + \(million)"]),
    LargeTable(
      name: "bests", count: million, columns: ["player": "n", "event": "'over'", "detail": "''", "score": "n % 999", "at_ms": "n"]),
    LargeTable(name: "boards", count: 100, columns: ["game": game, "board": "'b' || n", "per": "''"]),
    LargeTable(name: "board_rows", count: million, columns: ["board": "1 + n % 4", "player": "n", "score": "n % 9999", "at_ms": "n"]),
    LargeTable(name: "player_revisions", count: million / 10, columns: ["game": game, "player": "'q' || n", "revision": "n % 100"]),
  ]

  private static let overrides: [LargeTable] = [
    LargeTable(name: "game_revisions", count: 5, columns: ["game": "'g' || (n - 1)", "revision": "\(million)"]),
    LargeTable(
      name: "slot_revisions", count: million,
      columns: ["game": game, "player": "CASE WHEN n % 1000 > 0 THEN 'p' || n ELSE '' END", "key": "'k' || n", "revision": "n"]),
    LargeTable(
      name: "overrides", count: million / 10,
      columns: [
        "game": game, "player": "CASE WHEN n % 1000 > 0 THEN 'p' || n ELSE '' END", "key": "'k' || n",
        "window": "CASE WHEN n % 100 > 0 THEN '' ELSE 'w' || n END", "from_ms": "CASE WHEN n % 100 > 0 THEN NULL ELSE n END",
        "until_ms": "CASE WHEN n % 100 > 0 THEN NULL ELSE n + 9 END", "is_open": "n % 200 = 0", "value": "'1'", "author_uid": "1",
        "author_name": "'ada'", "at_ms": "n", "revision": "n",
      ]),
    LargeTable(name: "numbers", count: 200, columns: ["name": "'n' || n", "number": "n"]),
    LargeTable(
      name: "templates", count: 500,
      columns: [
        "game": game, "number": "n", "at_ms": "n", "origin": "'pushed'", "author_uid": "1", "author_name": "'ada'", "document": "'{}'",
      ]),
  ]

  private static let logs: [LargeTable] = [
    LargeTable(
      name: "audit", count: million,
      columns: [
        "id": "n", "at_ms": "n", "author_uid": "n % 20", "author_name": "'u' || (n % 20)", "action": "'override.set'", "game": game,
        "player": "CASE WHEN n % 10 > 0 THEN 'p' || n END", "key": "'k' || (n % 200)", "revision": "n",
        "session": "CASE WHEN n % 100 = 0 THEN 's' || (n % 7000) END", "detail": "CASE WHEN n % 100 = 0 THEN '{}' END",
      ]),
    LargeTable(name: "audit_keys", count: million / 10, columns: ["key": "'k' || (n % 200)", "audit": "n"]),
    LargeTable(
      name: "answers", count: million / 5,
      columns: [
        "request": "'r' || n", "digest": "''", "status": "200", "headers": "'{}'", "body": "'{}'", "at_ms": "n",
        "about": "'a' || (n % 50000)",
        "uid": "n % 20", "bytes": "512", "seen_ms": "n",
      ]),
    LargeTable(name: "answer_shares", count: 20, columns: ["uid": "n - 1", "bytes": "512"]),
  ]

  private static let plays: [LargeTable] = [
    LargeTable(
      name: "play_owners", count: million / 10,
      columns: ["number": "n", "game": game, "player": "'p' || n", "open": "1", "closed": "0", "bytes": "512"]),
    LargeTable(
      name: "plays", count: million / 10,
      columns: [
        "owner": "n", "id": "'i' || n", "opened_ms": "n", "revision": "n", "keys": "1", "digest": "'d' || n", "bytes": "512",
        "uid": "n % 20",
      ]),
    LargeTable(
      name: "play_values", count: million / 10,
      columns: ["digest": "'d' || n", "uid": "n % 20", "uses": "1", "bytes": "512", "content": "'{}'"]),
    LargeTable(name: "play_users", count: 20, columns: ["uid": "n - 1", "bytes": "512"]),
  ]
}
