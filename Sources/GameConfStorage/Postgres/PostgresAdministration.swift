// Administrative operations, most of which are left to PostgreSQL's own tools.

extension PostgresStore {
  private static let advice = "the store is a PostgreSQL database"

  /// Checks on the first writer's connection whether the database answers, and whether a failure is over.
  public func look() async throws(StoreError) { try await command { $0.checkRecovery() } }

  /// Always throws ``StoreError/elsewhere(_:)`` with the advice to use pg_amcheck, because the server checks its own pages as it reads
  /// them.
  public func check() async throws(StoreError) -> StoreCheck {
    throw .elsewhere("\(Self.advice): check it with pg_amcheck")
  }

  /// Always throws ``StoreError/elsewhere(_:)`` with the advice to use pg_dump.
  public func backup() async throws(StoreError) -> StoreBackup {
    throw .elsewhere("\(Self.advice): back it up with pg_dump, or archive its write-ahead log")
  }

  /// Always throws ``StoreError/elsewhere(_:)`` with the advice to use pg_dump.
  public func keepCopy(_ kind: StoreCopy.Kind) async throws(StoreError) -> StoreCopy {
    throw .elsewhere("\(Self.advice): copy it with pg_dump first")
  }

  /// Always throws ``StoreError/elsewhere(_:)``, because a backup of PostgreSQL cannot be restored through the daemon.
  public func makePlaceForBackup() throws(StoreError) -> String {
    throw .elsewhere("\(Self.advice): restore a backup with pg_restore while no gameconfd runs")
  }

  /// Always throws ``StoreError/elsewhere(_:)`` with the advice to use pg_restore.
  public func restore(from path: String, by change: StoreRestoration) async throws(RestoreRefusal) -> StoreReplacement {
    throw .store(.elsewhere("\(Self.advice): restore a backup with pg_restore while no gameconfd runs"))
  }

  /// Returns an empty list: the daemon makes no copies of a PostgreSQL database.
  public func copies() async throws(StoreError) -> [StoreCopy] { [] }

  /// Always returns false, because there are no copies.
  public func removeCopy(named name: String) async throws(StoreError) -> Bool { false }

  /// Does nothing: there are no copies.
  public func dropReplacedCopies() async throws(StoreError) {}

  /// Always throws ``StoreError/elsewhere(_:)``. If a failover loses writes, the daemon detects that by itself, and raises every revision
  /// above the served ones.
  public func rebuild(by change: StoreRestoration) async throws(RestoreRefusal) -> StoreReplacement {
    throw .store(.elsewhere("\(Self.advice): it cannot be rebuilt from last-good.json; restore the database with its own tools"))
  }
}
