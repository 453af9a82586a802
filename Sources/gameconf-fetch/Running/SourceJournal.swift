// The log's lines about a source: one when it fails, one when it is good again, none in between.

/// The state of a source for the log: whether it fails, and what is worth a line.
struct SourceJournal: Hashable {
  /// The line to write.
  enum Entry: Hashable {
    case failed([String])
    /// It is good again after so many reads that failed.
    case recovered(after: Int)
  }

  private(set) var failures = 0

  /// - Parameter faults: why it could not be taken; empty when it was.
  mutating func note(_ faults: [String]) -> Entry? {
    if faults.isEmpty {
      defer { failures = 0 }
      return failures > 0 ? .recovered(after: failures) : nil
    }
    failures += 1
    return failures == 1 ? .failed(faults) : nil
  }
}
