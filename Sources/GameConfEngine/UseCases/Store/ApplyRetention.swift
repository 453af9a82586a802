// Removes data whose retention time is over, a limited number of rows at a time.
package import GameConfCore
package import GameConfStorage

extension Store {
  /// Removes a limited number of rows that are no longer retained, in one transaction: audit lines older than 400 days, history lines of
  /// events older than 30 days that are not a player's newest, answers to repeated requests after 24 hours of observed time, bests and
  /// plays of forgotten players, and old revisions of removed overrides.
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
      // A stored answer is dated by the observed time that was last saved, which may be one step too low.
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
