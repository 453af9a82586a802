// Removes data whose retention time is over, a limited number of rows at a time.
package import GameConfCore
package import GameConfStorage

extension Store {
  /// Removes a limited number of rows that are no longer retained, in one transaction.
  ///
  /// These are audit lines older than 400 days, and history lines of events that are older than 30 days and not among a player's newest.
  /// Answers that were stored for repeated requests are removed after 24 hours of observed time. Bests and plays of forgotten players and
  /// old revisions of removed overrides are also removed.
  /// - Parameter passed: The milliseconds since the last call, by a monotonic clock. A longer time than
  ///   ``StoreLimits/timeStepMilliseconds`` is reduced to it.
  /// - Returns: True if there may be more to remove.
  package func applyRetention(now: Instant, passed milliseconds: Int64) async throws(StoreError) -> Bool {
    let max = StoreLimits.retentionRowsMax
    let step = StoreLimits.timeStepMilliseconds
    let auditsFrom = Instant(milliseconds: now.milliseconds - StoreLimits.auditRetentionMilliseconds)
    let linesFrom = Instant(milliseconds: now.milliseconds - StoreLimits.linesRetentionMilliseconds)
    return try await write(WriteMode(scope: .all), refusing: StoreError.self) { transaction in
      let audits = try transaction.dropAudits(before: auditsFrom, max: max)
      // The date of a stored answer is the observed time that was saved last. It may be up to one step too early.
      let seen = try transaction.pass(milliseconds: Swift.max(0, min(milliseconds, step)))
      let answers = try transaction.dropRemembered(seenBefore: seen - StoreLimits.repeatsRetentionMilliseconds - step, max: max)
      let revisions = try transaction.dropOldRevisions(max: max)
      let lines = try transaction.dropLines(before: linesFrom, max: max)
      let forgotten = try transaction.dropForgotten(max: max)
      let plays = try transaction.dropHiddenPlays(max: max)
      return forgotten == max || plays == max || lines == max || audits == max || answers == max || revisions == max
    }
  }
}
