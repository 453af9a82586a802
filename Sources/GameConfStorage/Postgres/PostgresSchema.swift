// The schema in PostgreSQL: created in the same steps as SQLite's, by one daemon while the others wait.
import GameConfCore

/// Creates or migrates the tables of a schema.
struct PostgresSchema {
  /// The product name in the fleet's row, which identifies the tables as gameconfd's.
  static let product = "gameconfd"
  /// The prefix of the product name in the fleet's row while a store is moved into the schema, and after it was moved away.
  static let productMoved = product + ", "

  /// The SQLSTATEs of a missing column and of a missing table.
  private static let (undefinedColumn, undefinedTable) = ("42703", "42P01")

  let settings: PostgresSettings
  let schema: StoreSchema
  /// The required product name of the fleet's row, which is also written when the row is created.
  var product = Self.product

  /// The statements for tables that only a store in PostgreSQL has. New ones may be added; existing ones must not change.
  ///
  /// `writers` has the number of each writer's last batch, which shows whether a commit whose answer was lost was made. `game_locks` has a
  /// row for each game, which a transaction about the whole game locks. A commit that changes the game raises the row's stamp, a version by
  /// which other daemons notice the change.
  private static let ofFleets = [
    """
    CREATE TABLE IF NOT EXISTS writers (
      name TEXT COLLATE "C" PRIMARY KEY, session TEXT NOT NULL, batch BIGINT NOT NULL, player_max BIGINT NOT NULL, version BIGINT NOT NULL
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS game_locks (
      game TEXT COLLATE "C" PRIMARY KEY, stamp BIGINT NOT NULL DEFAULT 0, forgets BIGINT NOT NULL DEFAULT 0
    )
    """,
    "CREATE INDEX IF NOT EXISTS player_lines_of_player ON player_lines (player, entry)",
  ]

  /// The statements for tables that were added later, by table name; each start creates the missing tables. In `hosts`, each daemon has a
  /// row that the other daemons read. A row of `leases` names the daemon that performs a task for the fleet.
  private static let later = [
    "hosts": """
    CREATE TABLE IF NOT EXISTS hosts (
      name TEXT COLLATE "C" PRIMARY KEY, seen_ms BIGINT NOT NULL, release TEXT NOT NULL, ahead_ms BIGINT NOT NULL
    )
    """,
    "leases": """
    CREATE TABLE IF NOT EXISTS leases (name TEXT COLLATE "C" PRIMARY KEY, holder TEXT NOT NULL, until_ms BIGINT NOT NULL)
    """,
  ]

  /// Creates or migrates the tables.
  /// - Returns: The fleet's id.
  /// - Throws: `.unreachable` with a remedy if the tables belong to another program or a newer daemon.
  func bring(_ connection: PostgresConnection, migrating: (StoreMigration) -> Void) throws(DatabaseFailure) -> String {
    try makeFleet(connection)
    let answers: [PostgresResult]
    do throws(DatabaseFailure) {
      answers = try connection.round([
        PostgresCommand("BEGIN"), PostgresCommand("SELECT product, format, id FROM fleet WHERE one = 1 FOR UPDATE"),
      ])
    } catch  where error.state == Self.undefinedColumn { throw foreign }
    let known = try connection.round([
      PostgresCommand(
        """
        SELECT relname FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = $1 AND relname IN ('hosts', 'leases')
        """, [.text(settings.schema)])
    ])
    let there = (known.first?.rows ?? []).compactMap { Row($0).optionalText(0) }
    guard let row = answers.last?.rows.first.map(Row.init), let product = row.optionalText(0), let format = row.optionalInteger(1),
      let id = row.optionalText(2)
    else {
      throw DatabaseFailure(
        .unreachable, "the schema \(settings.schema) has a table fleet without a row; give gameconfd a schema of its own")
    }
    guard product == self.product else { throw product.hasPrefix(Self.productMoved) ? moved(product) : foreign }
    guard format <= schema.version else {
      throw DatabaseFailure(
        .unreachable,
        "the database was brought to version \(format) by a newer gameconfd, this one knows \(schema.version); install that version here too"
      )
    }
    var commands: [PostgresCommand] = []
    if format < schema.version {
      for (number, step) in schema.steps[Int(format)...].flatMap(\.postgres).enumerated() {
        migrating(StoreMigration(from: Int(format), to: schema.version, step: number + 1))
        commands.append(PostgresCommand(step))
      }
      commands += Self.ofFleets.map { PostgresCommand($0) }
      commands.append(PostgresCommand("UPDATE fleet SET format = $1 WHERE one = 1", [.integer(Int64(schema.version))]))
    }
    commands += Self.later.filter { !there.contains($0.key) }.sorted { $0.key < $1.key }.map { PostgresCommand($0.value) }
    // The epoch is written once for each database: a later start finds it.
    commands.append(
      PostgresCommand(
        "INSERT INTO numbers (name, number) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
        [.text(RevisionRows.epoch), .integer(.random(in: .min ... .max))]))
    commands.append(PostgresGrammar.raiseBase)
    commands.append(PostgresCommand("COMMIT"))
    _ = try connection.round(commands)
    return id
  }

  /// Checks that the database is still the served one, before anything is read or created in it: an empty one may be about to be restored.
  /// - Parameter expected: The id of the served fleet; nil before the first connection.
  /// - Throws: `.unreachable` with a remedy if the database is another fleet's or has no tables of gameconfd.
  static func admit(_ expected: String?, _ connection: PostgresConnection) throws(DatabaseFailure) {
    guard let expected else { return }
    var found: String?
    do throws(DatabaseFailure) {
      let answers = try connection.round([PostgresCommand("SELECT id FROM fleet WHERE one = 1")])
      found = answers.first?.rows.first.flatMap { Row($0).optionalText(0) }
    } catch  where [undefinedTable, undefinedColumn].contains(error.state) {}
    if found == expected { return }
    let what = found.map { "is the fleet \($0)'s" } ?? "has no tables of gameconfd's"
    throw DatabaseFailure(
      .unreachable,
      "the database \(what), and what is served is the fleet \(expected)'s: restore that database, or restart gameconfd to serve from this one"
    )
  }

  private func moved(_ product: String) -> DatabaseFailure {
    let words =
      product == FleetState.moved
      ? "the store in the schema \(settings.schema) was moved to SQLite; remove store: from the settings, or name another schema"
      : "a move of a store into the schema \(settings.schema) is unfinished; finish it with “gameconfctl store move --to postgres”"
    return DatabaseFailure(.unreachable, words)
  }

  private var foreign: DatabaseFailure {
    DatabaseFailure(
      .unreachable, "the schema \(settings.schema) has tables that are not gameconfd's; name another one with store: {schema: …}")
  }

  /// Creates the schema and its table `fleet` if they are missing. Several daemons may do so concurrently. A daemon that fails because of
  /// that finds them at its next attempt.
  private func makeFleet(_ connection: PostgresConnection) throws(DatabaseFailure) {
    for isLast in [false, false, true] {
      do throws(DatabaseFailure) { return try makeFleetOnce(connection) } catch  where error.isOfMakingAtOnce && !isLast { continue }
    }
  }

  private func makeFleetOnce(_ connection: PostgresConnection) throws(DatabaseFailure) {
    let name = PostgresValue.text(settings.schema)
    let answers = try connection.round([
      PostgresCommand("SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = $1", [name]),
      PostgresCommand(
        """
        SELECT count(*), coalesce(sum(CASE WHEN relname = 'fleet' THEN 1 ELSE 0 END), 0) FROM pg_catalog.pg_class
        JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relkind IN ('r', 'p', 'v', 'm')
        """, [name]),
    ])
    let counts = answers.compactMap { $0.rows.first.map(Row.init) }
    guard counts.count == 2 else { throw DatabaseFailure(.failed, "the database does not say which tables there are") }
    if counts[0].optionalInteger(0) == 0 {
      _ = try connection.round([PostgresCommand("CREATE SCHEMA IF NOT EXISTS \(settings.quotedSchema)")])
    }
    if counts[1].optionalInteger(1) == 1 { return }
    if counts[1].optionalInteger(0) != 0 { throw foreign }
    _ = try connection.round([
      PostgresCommand(
        "CREATE TABLE IF NOT EXISTS fleet (one BIGINT PRIMARY KEY, product TEXT NOT NULL, id TEXT NOT NULL, format BIGINT NOT NULL)"),
      PostgresCommand(
        "INSERT INTO fleet (one, product, id, format) VALUES (1, $1, $2, 0) ON CONFLICT (one) DO NOTHING",
        [.text(product), .text(String(UInt64.random(in: .min ... .max), radix: 16))]),
    ])
  }
}

extension DatabaseFailure {
  /// True if a concurrent creation by another daemon caused the error. `IF NOT EXISTS` checks first and creates afterwards, so the server
  /// may find a duplicate row in its system catalog (23505), the type of a table (42710) or the schema (42P06).
  fileprivate var isOfMakingAtOnce: Bool { kind == .raced || ["42710", "42P06"].contains(state) }
}
