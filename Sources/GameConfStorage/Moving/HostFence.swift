// Keeps hosts from writing to a schema while its store is moved away, and from serving from it afterwards.

/// Locks by which a host that was not seen, since it had stood still or began a moment ago, can commit nothing.
///
/// Who begins to serve waits at the fleet's row. The first statement of every batch of a writer that has begun changes its own row, so it waits as well,
/// and finds its session ended when the move is: then it asks what has become of the store.
struct HostFence {
  private let source: PostgresMoveEndpoint

  init(_ source: PostgresMoveEndpoint) { self.source = source }

  private static let writers = "SELECT name, session, batch FROM writers ORDER BY name"

  /// Begins a transaction that sees one state of the store, with every writer held.
  func raise() throws {
    do throws(DatabaseFailure) {
      _ = try source.connection.round([
        PostgresCommand("BEGIN ISOLATION LEVEL REPEATABLE READ"), PostgresCommand("SELECT id FROM fleet WHERE one = 1 FOR UPDATE"),
        PostgresCommand(Self.writers + " FOR UPDATE"),
      ])
    } catch  where error.kind == .raced { throw Self.busy }
  }

  /// Ends every session of a writer, says that the store was moved away, and commits.
  /// - Throws: ``StoreMoveFault`` where a writer has come in between, whose row was not there to be held.
  func leave(_ settings: PostgresSettings) throws {
    let beside = try PostgresConnection(settings, for: .writing)
    defer { beside.close() }
    // By another connection, since this one's snapshot does not show who came later.
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
