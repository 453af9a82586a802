// The writer's measures: changes by their outcome, batches, and the time that they took.
import CoreMetrics

/// The writer's metrics.
struct WriterMeters {
  /// Changes that are durable.
  let kept = Counter(label: "gameconf_store_turns_total", dimensions: [("outcome", "kept")])
  /// Changes that their own rules refused, and dry runs.
  let undone = Counter(label: "gameconf_store_turns_total", dimensions: [("outcome", "undone")])
  /// Changes that the disk or the database failed.
  let failed = Counter(label: "gameconf_store_turns_total", dimensions: [("outcome", "failed")])
  /// Questions of changes that a database was asked by themselves, where it is one that hosts share.
  let waits = Counter(label: "gameconf_store_turn_waits_total")
  private let duration = Timer(label: "gameconf_store_commit_duration_seconds")
  private let transactions = Recorder(label: "gameconf_store_batch_turns")

  /// A batch was committed.
  func committed(transactions count: Int, kept: Int, in time: Duration) {
    let passed = time.components
    duration.recordNanoseconds(passed.seconds * 1_000_000_000 + passed.attoseconds / 1_000_000_000)
    transactions.record(count)
    self.kept.increment(by: kept)
    undone.increment(by: count - kept)
  }
}
