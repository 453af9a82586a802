// Removes what is kept no longer, in slices.
package import GameConfCore
package import GameConfStorage

extension Store {
  /// Removes one slice of what is stored no longer, in one transaction: audit lines older than 400 days, lines of events older than 30 days that are not a
  /// player's newest, answers to repeats of which 24 hours were seen passing, bests and plays of players who were forgotten, and old revisions of removed
  /// overrides.
  /// - Parameter passed: how much time was seen passing since this was last called, by a clock that nobody sets; at most
  ///   ``StoreLimits/timeStepMilliseconds`` count.
  /// - Returns: whether there may be more to remove.
  package func applyRetention(now: Instant, passed milliseconds: Int64) async throws(StoreError) -> Bool {
    let max = StoreLimits.retentionRowsMax
    let step = StoreLimits.timeStepMilliseconds
    return try await write(WriteMode(scope: .all), refusing: StoreError.self) { transaction in
      let audits = try transaction.dropAudits(before: Instant(milliseconds: now.milliseconds - StoreLimits.auditKeptMilliseconds), max: max)
      // An answer knows the time that was seen when it was last reported, a step before it was given at most.
      let seen = try transaction.pass(milliseconds: Swift.max(0, min(milliseconds, step)))
      let answers = try transaction.dropRemembered(seenBefore: seen - StoreLimits.repeatsKeptMilliseconds - step, max: max)
      let revisions = try transaction.dropOldRevisions(max: max)
      let lines = try transaction.dropLines(before: Instant(milliseconds: now.milliseconds - StoreLimits.linesKeptMilliseconds), max: max)
      let forgotten = try transaction.dropForgotten(max: max)
      let plays = try transaction.dropHiddenPlays(max: max)
      return forgotten == max || plays == max || lines == max || audits == max || answers == max || revisions == max
    }
  }
}
