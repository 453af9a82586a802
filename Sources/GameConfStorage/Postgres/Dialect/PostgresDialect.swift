// The tables' statements, which are in SQLite's words, in PostgreSQL's.

/// A statement of the tables' code as PostgreSQL is told it.
struct PostgresStatement: Sendable, Hashable {
  /// What is known of its answer beforehand.
  enum Kind: Sendable, Hashable {
    /// Its rows are wanted.
    case query
    /// Its row is wanted, and is locked.
    case lockingQuery
    /// It adds one row, or replaces one: nobody needs to wait for it.
    case insert
    /// As `insert`, and where it changes no row another transaction was first.
    case decisiveInsert
    /// It adds one row of a table whose numbers are handed out by us: the number is its last argument.
    case numberedInsert(table: String)
    /// It adds one row and answers the number that the row was given.
    case answeringInsert
    /// It changes any number of rows, and how many is wanted.
    case change
    /// A savepoint is set, let go or gone back to.
    case mark
    /// As `mark`, and what was known of rows is not true any more.
    case undoing
  }

  var sql: String
  var kind: Kind
}

/// Translates statements; what it needs to know of the tables it has learned from the statements that make them.
///
/// SQLite's own words that the tables use, and what becomes of them: `?` and `?1` are `$1`; `INSERT OR REPLACE` is `INSERT … ON CONFLICT … DO
/// UPDATE`, by the key that the named columns hold; a row's number that is left out is asked for with `RETURNING`; `max(a, b)` is `greatest`;
/// `x IS ?` is `IS NOT DISTINCT FROM`; `instr` is `strpos`; a parameter that is only looked at for being null is a text; a query within `FROM` is given a name; a column named `window` is quoted.
struct PostgresDialect: Sendable {
  private var tables: [String: PostgresTable] = [:]
  /// Tables whose numbers are handed out by us, so that a batch's rows can be sent without waiting for each.
  private let numbered: Set<String>

  /// - Parameter steps: the statements that make the tables, in order.
  init(steps: [String], numbering numbered: Set<String>) {
    self.numbered = numbered
    for step in steps { learn(SQLWords(step)) }
  }

  /// A statement of the tables' code.
  /// - Parameter isWriting: whether the transaction may write by what the statement reads.
  func statement(_ sql: String, isWriting: Bool) -> PostgresStatement {
    if let known = Self.asWhole[sql] { return known }
    var words = SQLWords(sql)
    switch words.words.first {
    case "SAVEPOINT", "RELEASE": return PostgresStatement(sql: words.words.prefix(2).joined(separator: " "), kind: .mark)
    case "ROLLBACK" where words.words.count > 1:
      return PostgresStatement(sql: "ROLLBACK TO \(words.words.last ?? "")", kind: .undoing)
    case "CREATE", "ALTER", "DROP": return PostgresStatement(sql: definition(words), kind: .change)
    case "INSERT": return insert(words)
    case "UPDATE", "DELETE":
      Self.translate(&words)
      return PostgresStatement(sql: words.sql, kind: .change)
    default:
      let locked = isWriting ? Self.locks(words) : nil
      if let locked { words.words += ["FOR", "UPDATE", "OF", locked] }
      Self.translate(&words)
      return PostgresStatement(sql: words.sql, kind: locked == nil ? .query : .lockingQuery)
    }
  }

  /// Statements that have no likeness.
  private static let asWhole: [String: PostgresStatement] = [
    AuditRows.toldKeys: PostgresStatement(sql: AuditRows.toldKeysOfPostgres, kind: .change),
    "UPDATE OR REPLACE player_revisions SET player = ? WHERE game = ? AND player = ?": PostgresStatement(
      sql: """
        WITH known AS (DELETE FROM player_revisions WHERE game = $2 AND player = $3 RETURNING revision)
        INSERT INTO player_revisions (game, player, revision) SELECT $2, $1, revision FROM known
        ON CONFLICT (game, player) DO UPDATE SET revision = excluded.revision
        """, kind: .change),
    // A revision that another daemon made meanwhile is never made twice.
    "INSERT OR REPLACE INTO game_revisions (game, revision) VALUES (?, ?)": PostgresStatement(
      sql: """
        INSERT INTO game_revisions (game, revision) VALUES ($1, $2)
        ON CONFLICT (game) DO UPDATE SET revision = excluded.revision WHERE game_revisions.revision < excluded.revision
        """, kind: .decisiveInsert),
  ]

  /// What is decided from a player's row or a game's revision is decided under its lock: a query for just that takes it.
  private static let locking = [
    ["FROM", "players"]: ["game", "=", "?", "AND", "player", "=", "?"], ["FROM", "game_revisions"]: ["game", "=", "?"],
  ]

  private static func locks(_ words: SQLWords) -> String? {
    guard let from = words.words.firstIndex(of: "FROM"), let condition = locking[Array(words.words[from...].prefix(2))] else { return nil }
    return words.words.count > from + 2 && words.words.suffix(condition.count + 1) == ["WHERE"] + condition ? words.words[from + 1] : nil
  }

  private func insert(_ given: SQLWords) -> PostgresStatement {
    var words = given
    let replaces = words.has("OR", "REPLACE", at: 1)
    if replaces { words.words.removeSubrange(1...2) }
    guard words.has("INSERT", "INTO", at: 0), words.words.count > 4, words.words[3] == "(" else {
      Self.translate(&words)
      return PostgresStatement(sql: words.sql, kind: .change)
    }
    let table = words.words[2]
    let isOneRow = words.closing(3).map { words.has("VALUES", at: $0 + 1) } ?? false
    let known = tables[table]
    // What would be computed is handed out.
    if isOneRow, numbered.contains(table), let number = known?.number { words.leaveOutComputed(number) }
    let columns = words.list(3).compactMap(\.first)
    let missing = known?.number.flatMap { columns.contains($0) ? nil : $0 }
    let computed = isOneRow ? words.computed(columns, known?.number)?.name : nil
    if let place = isOneRow ? words.computed(columns, known?.number)?.words : nil,
      !words.words[place].contains(where: { $0.hasPrefix("?") })
    {
      // Others may compute the same at the same time; the database gives each number once.
      words.words.replaceSubrange(place, with: ["DEFAULT"])
    }
    if replaces, let key = known?.key(in: columns) {
      let others = columns.filter { !key.contains($0) }
      // What is replaced is as new as what was not there before.
      let sets = others.map { "\($0) = excluded.\($0)" } + (missing.map { ["\($0) = DEFAULT"] } ?? [])
      let then = sets.isEmpty ? "NOTHING" : "UPDATE SET " + sets.joined(separator: ", ")
      words.words += SQLWords("ON CONFLICT (\(key.joined(separator: ", "))) DO \(then)").words
    } else if let place = words.words.lastIndex(of: "SET"), words.has("DO", "UPDATE", at: place - 2) {
      words.qualify(columns, as: table, from: place)
    }
    var kind = isOneRow ? PostgresStatement.Kind.insert : .change
    if let missing, isOneRow {
      if numbered.contains(table), let close = words.closing(3), let last = words.closing(close + 2) {
        words.words.insert(contentsOf: [",", "?"], at: last)
        words.words.insert(contentsOf: [",", missing], at: close)
        kind = .numberedInsert(table: table)
      } else {
        words.words += ["RETURNING", missing]
        kind = .answeringInsert
      }
    }
    if let computed {
      words.words += ["RETURNING", computed]
      kind = .answeringInsert
    }
    Self.translate(&words)
    return PostgresStatement(sql: words.sql, kind: kind)
  }

  /// A statement that makes, changes or drops a table or an index.
  private func definition(_ given: SQLWords) -> String {
    var words: [String] = []
    var rest = given.words[...]
    while let word = rest.popFirst() {
      switch word {
      case "INTEGER" where Array(rest.prefix(2)) == ["PRIMARY", "KEY"]:
        rest = rest.dropFirst(rest.dropFirst(2).first == "AUTOINCREMENT" ? 3 : 2)
        words += ["BIGINT", "GENERATED", "BY", "DEFAULT", "AS", "IDENTITY", "PRIMARY", "KEY"]
      // A truth that is compared with truths.
      case "INTEGER" where words.last == "is_open": words.append("BOOLEAN")
      case "INTEGER": words.append("BIGINT")
      case "BLOB": words.append("BYTEA")
      // By bytes, as SQLite compares, whatever the database's language.
      case "TEXT": words += ["TEXT", "COLLATE", "\"C\""]
      case "WITHOUT" where rest.first == "ROWID": rest = rest.dropFirst()
      default: words.append(word)
      }
    }
    var translated = SQLWords("")
    translated.words = words
    Self.translate(&translated)
    return translated.sql
  }

  private mutating func learn(_ words: SQLWords) {
    if words.has("CREATE", "TABLE", at: 0), words.words.count > 3 { tables[words.words[2]] = PostgresTable(words.list(3)) }
    if words.has("ALTER", "TABLE", at: 0), words.has("RENAME", "TO", at: 3), words.words.count > 5 {
      tables[words.words[5]] = tables.removeValue(forKey: words.words[2])
    }
  }

  /// What is said differently wherever it stands.
  private static func translate(_ words: inout SQLWords) {
    var position = 0
    var at = 0
    while at < words.words.count {
      let word = words.words[at]
      switch word {
      case _ where word.hasPrefix("?"):
        position += 1
        let place = "$" + (word == "?" ? "\(position)" : String(word.dropFirst()))
        // What is only asked whether it is null says nothing of its type.
        let isBare = words.has("IS", "NULL", at: at + 1)
        words.words.replaceSubrange(at...at, with: isBare ? ["CAST", "(", place, "AS", "TEXT", ")"] : [place])
      case "window": words.words[at] = "\"window\""
      case "IS" where words.words.count > at + 1 && words.words[at + 1].hasPrefix("?"):
        words.words.replaceSubrange(at...at, with: ["IS", "NOT", "DISTINCT", "FROM"])
        at += 3
      case "max" where words.isOfMany(at): words.words[at] = "greatest"
      case "min" where words.isOfMany(at): words.words[at] = "least"
      case "instr": words.words[at] = "strpos"
      case "BLOB": words.words[at] = "BYTEA"
      case "CROSS" where words.has("CROSS", "JOIN", at: at): words.words.remove(at: at)
      case "FROM" where words.has("(", "SELECT", at: at + 1): words.name(at + 1)
      default: break
      }
      at += 1
    }
  }
}

/// What is known of a table.
struct PostgresTable: Sendable {
  /// The column that the database numbers rows by where nobody else does.
  private(set) var number: String?
  private var keys: [[String]] = []

  /// - Parameter parts: its columns and keys, a part each.
  init(_ parts: [[String]]) {
    for part in parts {
      guard let first = part.first else { continue }
      let words = part.joined(separator: " ")
      if words.hasPrefix("PRIMARY KEY (") || words.hasPrefix("UNIQUE (") {
        keys.append(part.drop { $0 != "(" }.filter { SQLWords.isName($0) })
      } else {
        if words.contains("INTEGER PRIMARY KEY") { number = first }
        if words.contains("PRIMARY KEY") || words.contains("UNIQUE") { keys.append([first]) }
      }
    }
  }

  /// A key whose columns are all among these.
  func key(in columns: [String]) -> [String]? { keys.first { $0.allSatisfy(columns.contains) } }
}

extension SQLWords {
  /// Whether a function at a place is called with more than one argument.
  fileprivate func isOfMany(_ at: Int) -> Bool {
    guard has("(", at: at + 1), let close = closing(at + 1) else { return false }
    return !commas(at + 1, close).isEmpty
  }

  /// Gives the query within the brackets at a place a name, where it has none.
  fileprivate mutating func name(_ open: Int) {
    guard let close = closing(open) else { return }
    let next = close + 1 < words.count ? words[close + 1] : ")"
    if next != "AS" { words.insert(contentsOf: ["AS", "part\(open)"], at: close + 1) }
  }

  /// The column of a row's number where it is given by something to be computed, and where that stands; nil where it is left out, or a parameter.
  fileprivate func computed(_ columns: [String], _ number: String?) -> (name: String, words: Range<Int>)? {
    guard let number, let place = columns.firstIndex(of: number), let close = closing(3) else { return nil }
    let values = list(close + 2)
    guard place < values.count, values[place].count > 1 else { return nil }
    // A bracket, and behind each value before it a comma.
    let start = close + 3 + values[..<place].reduce(0) { $0 + $1.count + 1 }
    return (number, start..<start + values[place].count)
  }

  /// Leaves a computed number of a row out, with its column; both are the first.
  fileprivate mutating func leaveOutComputed(_ number: String) {
    guard has(number, ",", at: 4), let found = computed([number], number)?.words, has(",", at: found.upperBound) else { return }
    words.removeSubrange(found.lowerBound...found.upperBound)
    words.removeSubrange(4...5)
  }

  /// Says of columns behind a place, which would be a row's old or its new ones, that they are the old.
  fileprivate mutating func qualify(_ columns: [String], as table: String, from place: Int) {
    var at = place + 1
    while at < words.count {
      if columns.contains(words[at]), words[at - 1] != ".", !has("=", at: at + 1) {
        words.insert(contentsOf: [table, "."], at: at)
        at += 2
      }
      at += 1
    }
  }
}
