// Prevents hosts from writing to a schema while its store is moved away, and from serving it afterwards.

/// Row locks that keep every host from committing, including a host that was suspended or has just started.
///
/// A host that begins to serve waits for the lock on the fleet's row. A running writer waits too, because the first statement of each of
/// its batches updates the writer's own row. After the move, the writer finds its session ended and checks the state of the store.
struct HostFence {
  private let source: PostgresMoveEndpoint

  init(_ source: PostgresMoveEndpoint) { self.source = source }

  private static let writers = "SELECT name, session, batch FROM writers ORDER BY name"

  /// Begins a transaction that reads one snapshot of the store, and locks the fleet's row and every writer's row.
  func raise() throws {
    do throws(DatabaseFailure) {
      _ = try source.connection.round([
        PostgresCommand("BEGIN ISOLATION LEVEL REPEATABLE READ"), PostgresCommand("SELECT id FROM fleet WHERE one = 1 FOR UPDATE"),
        PostgresCommand(Self.writers + " FOR UPDATE"),
      ])
    } catch  where error.kind == .raced { throw Self.busy }
  }

  /// Ends every writer's session, marks the store as moved away, and commits.
  /// - Throws: ``StoreMoveFault`` if a writer has registered since the locks were taken.
  func leave(_ settings: PostgresSettings) throws {
    let beside = try PostgresConnection(settings, for: .writing)
    defer { beside.close() }
    // The writers are read over a second connection too, because the first one's snapshot does not show a writer that registered later.
    let held = try Self.rows(source.connection)
    guard try Self.rows(beside) == held else { throw Self.busy }
    _ = try source.connection.round([
      PostgresCommand("UPDATE writers SET session = $1", [.text(FleetState.moved)]),
      PostgresCommand("UPDATE fleet SET product = $1 WHERE one = 1", [.text(FleetState.moved)], expects: 1), PostgresCommand("COMMIT"),
    ])
  }

  private static func rows(_ connection: PostgresConnection) throws(DatabaseFailure) -> [[String]] {
    let answer = try connection.round([PostgresCommand(writers)]).last
    return (answer?.rows ?? []).map(Row.init).map { row in
      [row.optionalText(0) ?? "", row.optionalText(1) ?? "", "\(row.optionalInteger(2) ?? 0)"]
    }
  }

  private static let busy = StoreMoveFault.source(
    "a host of the fleet began to write to it meanwhile; stop gameconfd on every host, and begin a minute later")
}
