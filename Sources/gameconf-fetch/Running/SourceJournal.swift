// Decides when to log the state of a source: once when it begins to fail and once when it recovers.

/// The state of a source with regard to logging, so that a failure is logged once and not at every fetch.
struct SourceJournal: Hashable {
  enum SourceEntry: Hashable {
    case failed([String])
    /// The source works again after this number of failed fetches.
    case recovered(after: Int)
  }

  private(set) var failures = 0

  /// Records the outcome of a fetch.
  /// - Parameter faults: The reasons for the failure; empty after a success.
  /// - Returns: The message to log; nil if the state has not changed.
  mutating func record(_ faults: [String]) -> SourceEntry? {
    if faults.isEmpty {
      defer { failures = 0 }
      return failures > 0 ? .recovered(after: failures) : nil
    }
    failures += 1
    return failures == 1 ? .failed(faults) : nil
  }
}
