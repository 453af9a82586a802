// Restores the database, and checks the restored overrides against the current catalogs.

internal import GameConfCore
public import GameConfStorage

/// The use case that replaces the database by a backup or by the last good state.
///
/// The catalogs may have changed since: overrides that they do not admit are quarantined, and time windows that have begun or ended since
/// are applied.
public struct RestoreStore: Sendable {
  private let store: any Store
  private let administration: any StoreAdministration
  private let checking: any OverrideChecking

  package init(store: any Store, administration: any StoreAdministration, checking: any OverrideChecking) {
    self.store = store
    self.administration = administration
    self.checking = checking
  }

  /// Replaces the database, and checks its overrides against the present catalogs.
  /// - Parameter path: The backup; nil rebuilds a lost database from the last good state.
  /// - Throws: ``RestoreRefusal``. If only the checks afterwards fail, the database stays replaced.
  public func replace(from path: String?, by change: StoreRestoration) async throws(RestoreRefusal) -> StoreReplacement {
    var replacement =
      if let path {
        try await administration.restore(from: path, by: change)
      } else {
        try await administration.rebuild(by: change)
      }
    if change.isDryRun { return replacement }
    for game in Set(replacement.contents.state.allOverrides.map(\.slot.game)).sorted() where checking.has(game: game) {
      replacement.contents.state.revisions[game] = try await quarantine(game, now: change.at)
    }
    do throws(StoreError) { _ = try await store.applyWindowEdges(now: change.at) } catch { throw .store(error) }
    return replacement
  }

  private func quarantine(_ game: String, now: Instant) async throws(RestoreRefusal) -> Int64 {
    let checking = checking
    return try await store.write(WriteMode(scope: .game(game)), refusing: RestoreRefusal.self) { transaction in
      let revision = try transaction.nextRevision(of: game)
      _ = try transaction.quarantineOverrides(in: game, checking: checking, revision: revision, now: now)
      return revision
    }
  }
}
