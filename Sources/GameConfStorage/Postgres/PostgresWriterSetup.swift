// The configuration of a writer over PostgreSQL.

extension PostgresWriter {
  /// The settings, the names and the callbacks of a writer.
  struct WriterSetup: Sendable {
    var settings: PostgresSettings
    var schema = StoreSchema.current
    var writer: String
    var fleet: FleetStatus
    /// True for the first of a store's writers, which maintains the served state.
    var isFirst = true
    /// Requests a check of the database by the first writer.
    var requestCheck: @Sendable () -> Void = {}
    var migrating: @Sendable (StoreMigration) -> Void
    /// Called with games for which another daemon has accepted or removed a catalog.
    var catalogsChanged: @Sendable ([String]) -> Void
    /// Called with a description when the database lacks changes that were served.
    var foundLoss: @Sendable (String) -> Void
  }
}
