// The operations of an administrator on a database are left to PostgreSQL's own tools.

extension PostgresStore {
  private static let advice = "the store is a PostgreSQL database"

  /// Looks whether the database is there.
  public func look() async throws(StoreError) { try await command { $0.checkRecovery() } }

  /// The server checks its own pages as it reads them.
  public func check() async throws(StoreError) -> StoreCheck {
    throw .elsewhere("\(Self.advice): check it with pg_amcheck")
  }

  /// There is pg_dump.
  public func backup() async throws(StoreError) -> StoreBackup {
    throw .elsewhere("\(Self.advice): back it up with pg_dump, or archive its write-ahead log")
  }

  /// There is pg_dump.
  public func keepCopy(_ kind: StoreCopy.Kind) async throws(StoreError) -> StoreCopy {
    throw .elsewhere("\(Self.advice): copy it with pg_dump first")
  }

  /// Nothing comes in.
  public func makePlaceForBackup() throws(StoreError) -> String {
    throw .elsewhere("\(Self.advice): restore a backup with pg_restore while no gameconfd runs")
  }

  /// There is pg_restore.
  public func restore(from path: String, by change: StoreRestoration) async throws(RestoreRefusal) -> StoreReplacement {
    throw .store(.elsewhere("\(Self.advice): restore a backup with pg_restore while no gameconfd runs"))
  }

  /// None lie here.
  public func copies() async throws(StoreError) -> [StoreCopy] { [] }

  /// None lie here.
  public func removeCopy(named name: String) async throws(StoreError) -> Bool { false }

  /// None lie here.
  public func dropReplacedCopies() async throws(StoreError) {}

  /// Refuses: a loss by a failover is found by itself, and every revision raised above it.
  public func rebuild(by change: StoreRestoration) async throws(RestoreRefusal) -> StoreReplacement {
    throw .store(.elsewhere("\(Self.advice): it cannot be rebuilt from last-good.json; restore the database with its own tools"))
  }
}
