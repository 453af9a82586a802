// The writer's metrics: transactions by outcome, batches, and their durations.
import CoreMetrics

struct WriterMeters {
  /// Counts the transactions that were committed.
  let succeeded = Counter(label: "gameconf_store_turns_total", dimensions: [("outcome", "kept")])
  /// Counts the transactions that were rolled back: dry runs, and changes that a use case refused.
  let undone = Counter(label: "gameconf_store_turns_total", dimensions: [("outcome", "undone")])
  /// Counts the transactions that failed because of the disk or the database.
  let failed = Counter(label: "gameconf_store_turns_total", dimensions: [("outcome", "failed")])
  /// Counts the round trips to PostgreSQL for which a batch's transactions waited.
  let waits = Counter(label: "gameconf_store_turn_waits_total")
  private let duration = Timer(label: "gameconf_store_commit_duration_seconds")
  private let transactions = Recorder(label: "gameconf_store_batch_turns")

  func committed(transactions count: Int, succeeded: Int, in time: Duration) {
    let passed = time.components
    duration.recordNanoseconds(passed.seconds * 1_000_000_000 + passed.attoseconds / 1_000_000_000)
    transactions.record(count)
    self.succeeded.increment(by: succeeded)
    undone.increment(by: count - succeeded)
  }
}
