// The writer's metrics: changes by outcome, batches, and their durations.
import CoreMetrics

struct WriterMeters {
  /// Durable changes.
  let succeeded = Counter(label: "gameconf_store_turns_total", dimensions: [("outcome", "kept")])
  /// Dry runs, and changes refused by a use case.
  let undone = Counter(label: "gameconf_store_turns_total", dimensions: [("outcome", "undone")])
  /// Changes that failed because of the disk or the database.
  let failed = Counter(label: "gameconf_store_turns_total", dimensions: [("outcome", "failed")])
  /// Round trips for single queries of changes in a shared database.
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
