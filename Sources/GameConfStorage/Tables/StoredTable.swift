// Every column of every table: what it holds, and within which range.

/// A table as gameconfd reads and writes it.
struct StoredTable: Sendable {
  /// The kinds of a column.
  enum Column: Sendable {
    case number(StoredNumber)
    /// A number, or null.
    case optional(StoredNumber)
    case text
    case blob

    /// The kind of its number; nil where it holds none.
    var number: StoredNumber? {
      switch self {
      case .number(let number), .optional(let number): number
      case .text, .blob: nil
      }
    }

    /// The type that the schema declares for it.
    var type: String {
      switch self {
      case .number, .optional: "INTEGER"
      case .text: "TEXT"
      case .blob: "BLOB"
      }
    }
  }

  /// The owner of a row.
  enum Owner: Sendable {
    /// The whole store's: a row that cannot be read is a fault of the database.
    case store
    /// One player's, or one line's: a text that cannot be read is that row's alone.
    case row
  }

  let name: String
  let owner: Owner
  let columns: [(name: String, column: Column)]

  private init(_ name: String, of owner: Owner = .store, _ columns: KeyValuePairs<String, Column>) {
    self.name = name
    self.owner = owner
    self.columns = columns.map { ($0.key, $0.value) }
  }

  func column(_ name: String) -> Column? { columns.first { $0.name == name }?.column }

  static func named(_ name: String) -> StoredTable? { all.first { $0.name == name } }

  /// The tables of the present schema.
  static let all = games + players + plays + logs

  private static let games = [
    StoredTable("game_revisions", ["game": .text, "revision": .number(.revision)]),
    StoredTable("slot_revisions", ["game": .text, "player": .text, "key": .text, "revision": .number(.revision)]),
    StoredTable("player_revisions", ["game": .text, "player": .text, "revision": .number(.revision)]),
    // The range of each is its name's.
    StoredTable("numbers", ["name": .text, "number": .number(.bits)]),
    StoredTable(
      "overrides",
      [
        "game": .text, "player": .text, "key": .text, "window": .text, "from_ms": .optional(.instant), "until_ms": .optional(.instant),
        "is_open": .number(.flag), "value": .text, "author_uid": .number(.uid), "author_name": .text, "author_pid": .optional(.pid),
        "reason": .text, "at_ms": .number(.instant), "revision": .number(.revision), "quarantined": .text,
      ]),
    StoredTable("override_counts", ["game": .text, "of_players": .number(.count)]),
    StoredTable(
      "game_clocks",
      ["game": .text, "anchor_ms": .number(.instant), "host_anchor_ms": .number(.instant), "rate_thousandths": .number(.rate)]),
    StoredTable(
      "templates",
      [
        "game": .text, "number": .number(.ordinal), "at_ms": .number(.instant), "origin": .text, "rollback_of": .optional(.ordinal),
        "author_uid": .number(.uid), "author_name": .text, "author_pid": .optional(.pid), "reason": .text, "document": .text,
      ]),
    StoredTable(
      "template_activations",
      [
        "game": .text, "active": .optional(.ordinal), "since_ms": .number(.instant), "scheduled": .optional(.ordinal),
        "scheduled_at_ms": .optional(.instant),
      ]),
    StoredTable(
      "catalogs", ["game": .text, "number": .number(.ordinal), "digest": .number(.bits), "bytes": .number(.count), "files": .blob]),
    StoredTable(
      "scenarios",
      [
        "id": .text, "started_ms": .number(.instant), "lease_ms": .number(.instant), "lease_seconds": .number(.lease),
        "ends_ms": .number(.instant), "ending": .number(.flag), "scenario": .text,
      ]),
  ]

  private static let players = [
    StoredTable(
      "players", of: .row,
      [
        "number": .number(.ordinal), "game": .text, "player": .text, "revision": .number(.revision), "offset_ms": .number(.milliseconds),
        "state": .text, "requests": .blob, "marks": .blob, "head": .optional(.ordinal), "bests": .number(.count), "events": .blob,
      ]),
    StoredTable("ledgers", of: .row, ["number": .number(.ordinal), "ledger": .text]),
    StoredTable(
      "player_lines", of: .row,
      [
        "number": .number(.ordinal), "player": .number(.ordinal), "prior": .optional(.ordinal), "entry": .number(.ordinal),
        "at_ms": .optional(.instant), "line": .text, "answer": .text, "event_prior": .optional(.ordinal),
        "event_entry": .optional(.ordinal),
      ]),
    StoredTable("forgotten_lines", ["player": .number(.ordinal), "head": .number(.ordinal), "events": .blob]),
    StoredTable("forgotten_players", ["player": .number(.ordinal)]),
    StoredTable(
      "bests",
      ["player": .number(.ordinal), "event": .text, "detail": .text, "score": .optional(.score), "at_ms": .number(.instant)]),
    StoredTable("boards", ["number": .number(.ordinal), "game": .text, "board": .text, "per": .text]),
    StoredTable(
      "board_rows", ["board": .number(.ordinal), "player": .number(.ordinal), "score": .number(.score), "at_ms": .number(.instant)]),
  ]

  private static let plays = [
    StoredTable(
      "play_owners",
      [
        "number": .number(.ordinal), "game": .text, "player": .text, "open": .number(.count), "closed": .number(.count),
        "bytes": .number(.count),
      ]),
    StoredTable(
      "plays", of: .row,
      [
        "number": .number(.ordinal), "owner": .number(.ordinal), "id": .text, "opened_ms": .number(.instant),
        "closed_ms": .optional(.instant), "closed_host_ms": .optional(.instant), "revision": .number(.revision), "keys": .number(.count),
        "digest": .text, "bytes": .number(.count), "uid": .number(.uid), "context": .text,
        "state": .text, "state_bytes": .number(.count),
      ]),
    StoredTable(
      "play_values",
      ["digest": .text, "uid": .number(.uid), "uses": .number(.count), "bytes": .number(.count), "content": .text]),
    StoredTable("play_users", ["uid": .number(.uid), "bytes": .number(.count)]),
  ]

  private static let logs = [
    StoredTable(
      "audit", of: .row,
      [
        "id": .number(.ordinal), "at_ms": .number(.instant), "author_uid": .number(.uid), "author_name": .text,
        "author_pid": .optional(.pid), "action": .text, "game": .text, "player": .text, "key": .text, "window": .text, "before": .text,
        "after": .text, "reason": .text, "revision": .optional(.revision), "detail": .text, "undo_before": .text, "undo_after": .text,
        "reverts": .optional(.ordinal), "reverted_by": .optional(.ordinal), "session": .text,
      ]),
    StoredTable("audit_keys", ["key": .text, "audit": .number(.ordinal)]),
    StoredTable(
      "audit_packs",
      [
        "first": .number(.ordinal), "last": .number(.ordinal), "at_ms": .number(.instant), "author_uid": .number(.uid),
        "author_name": .text, "author_pid": .optional(.pid), "action": .text, "game": .text, "reason": .text,
        "revision": .optional(.revision), "lines": .blob, "session": .text,
      ]),
    StoredTable(
      "answers", of: .row,
      [
        "number": .number(.ordinal), "request": .text, "digest": .text, "status": .number(.status), "headers": .text, "body": .text,
        "at_ms": .number(.instant), "about": .text, "uid": .number(.uidOrNobody), "bytes": .number(.count),
        "seen_ms": .number(.milliseconds),
      ]),
    StoredTable("answer_shares", ["uid": .number(.uidOrNobody), "bytes": .number(.count)]),
  ]
}
