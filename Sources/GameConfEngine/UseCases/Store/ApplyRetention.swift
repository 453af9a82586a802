// Removes what is kept no longer, in slices.
public import GameConfCore

/// Removes audit lines older than 400 days, lines of events older than 30 days that are not a player's newest, answers to repeats older than 24 hours, and old revisions of removed overrides.
public struct ApplyRetention: Sendable {
  private let store: any Store

  /// A use case on a store.
  public init(store: any Store) { self.store = store }

  /// Removes one slice, in one turn.
  /// - Returns: whether there may be more to remove.
  public func callAsFunction(now: Instant) async throws(StoreError) -> Bool {
    let max = StoreLimits.retentionRowsMax
    return try await store.write(WriteMode(scope: .all), refusing: StoreError.self) { turn in
      let audits = try turn.dropAudits(before: Instant(milliseconds: now.milliseconds - StoreLimits.auditKeptMilliseconds), max: max)
      let answers = try turn.dropRemembered(before: Instant(milliseconds: now.milliseconds - StoreLimits.repeatsKeptMilliseconds), max: max)
      let revisions = try turn.dropOldRevisions(max: max)
      let lines = try turn.dropLines(before: Instant(milliseconds: now.milliseconds - StoreLimits.linesKeptMilliseconds), max: max)
      return lines == max || audits == max || answers == max || revisions == max
    }
  }
}
