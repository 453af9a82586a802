// The parts that a writer over PostgreSQL gets at its start.

extension PostgresWriter {
  /// The settings that a connection needs.
  struct Setup: Sendable {
    var settings: PostgresSettings
    var schema = StoreSchema.current
    /// The name by which this daemon is known among those of the fleet.
    var writer: String
    var fleet: FleetStatus
    /// True if it is the one that looks after what is served.
    var isFirst = true
    /// Asks the first writer to look whether the database is there.
    var asksFirst: @Sendable () -> Void = {}
    var migrating: @Sendable (StoreMigration) -> Void
    /// Called with games of which another daemon has accepted a catalog, or let it go.
    var catalogsChanged: @Sendable ([String]) -> Void
    /// Called when the database has less than was served.
    var foundLoss: @Sendable (String) -> Void
  }
}
