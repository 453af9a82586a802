// The dependencies of every change of a game's overrides, and their common transaction.
import GameConfCore
package import GameConfStorage

/// A service that changes overrides, each change in one database transaction.
///
/// A change is durable and every reader sees it when its method returns.
/// ```swift
/// let overrides = OverrideService(store: store, checking: checking)
/// let answer = try await overrides.change(.set(3), at: OverrideSlot(game: "dartsscore", player: nil, key: "dart_size"), context)
/// ```
public struct OverrideService: Sendable {
  let store: any Store
  let checking: any OverrideChecking
  let pace: BulkChangeLimiter

  /// Creates the service for a store.
  /// - Parameter pace: The limiter of large changes, one for the whole store.
  package init(store: any Store, checking: any OverrideChecking, pace: BulkChangeLimiter = BulkChangeLimiter()) {
    self.store = store
    self.checking = checking
    self.pace = pace
  }

  /// Runs a change of a game's overrides in one transaction.
  /// - Parameter work: Runs on the writer, possibly more than once.
  func change<Outcome: Sendable>(
    in game: String, _ context: ChangeContext, _ remembering: RepeatableChange<Outcome, ChangeRefusal>?,
    _ work: @escaping @Sendable (OverrideEdit) throws -> Outcome
  ) async throws(ChangeRefusal) -> ChangeAnswer<Outcome> {
    let checking = checking
    return try await transaction(in: game, context, remembering) { transaction in
      try work(try OverrideEdit(transaction, checking, game: game, context))
    }
  }

  /// Runs a transaction of a game for a change that reads the store before it begins an ``OverrideEdit``.
  func transaction<Outcome: Sendable>(
    in game: String, _ context: ChangeContext, _ remembering: RepeatableChange<Outcome, ChangeRefusal>?,
    _ work: @escaping @Sendable (WriteTransaction) throws -> Outcome
  ) async throws(ChangeRefusal) -> ChangeAnswer<Outcome> {
    try await store.change(
      WriteMode(isDryRun: context.isDryRun, scope: .game(game)), remembering: remembering, reused: .repeatedWithOtherContent, work)
  }
}
