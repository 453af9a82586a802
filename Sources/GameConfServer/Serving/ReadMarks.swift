// A table with the time of the last read of each key, written by one event loop with a single atomic store and readable by any thread.

internal import Glibc
internal import Synchronization

/// Positions at which an answer is counted and marked as read.
package struct AnswerCounts: Sendable, Hashable {
  /// The position of its counter of evaluations; -1 for none.
  package var tally: Int
  /// The position of its mark in ``ReadMarks``; -1 for none.
  package var mark: Int
  /// The low 32 bits of the revision that the answer shows. A reader of the mark compares them with the revision of an override.
  package var stamp: UInt32

  /// Creates the positions; by default the answer is neither counted nor marked.
  package init(tally: Int = -1, mark: Int = -1, stamp: UInt32 = 0) {
    (self.tally, self.mark, self.stamp) = (tally, mark, stamp)
  }
}

/// The marks of one event loop: at each position the stamp of the last answer, and the second at which it was sent.
///
/// A position does not change when ready answers are encoded again. The system allocates only the pages of the table that are written.
package final class ReadMarks: Sendable {
  /// The number of positions. An answer with a position beyond it is not marked.
  package static let positionsMax = 65_536

  /// The last answer at a position.
  package struct Mark: Sendable, Hashable {
    /// The low 32 bits of the answer's revision.
    package let stamp: UInt32
    /// The second of the wall clock at which the answer was sent.
    package let second: Int
  }

  nonisolated(unsafe) private let cells: UnsafeMutablePointer<Atomic<UInt64>>?
  private static let bytes = positionsMax * MemoryLayout<Atomic<UInt64>>.stride

  package init() {
    let memory = mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    // Zeroed memory is valid as atomics with the value 0. If the mapping fails, no reads are marked.
    cells = memory == UnsafeMutableRawPointer(bitPattern: -1) ? nil : memory?.assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  deinit { if let cells { munmap(cells, Self.bytes) } }

  /// Marks an answer that is being sent.
  @inline(__always)
  func note(_ counts: AnswerCounts, second: Int) {
    guard UInt(bitPattern: counts.mark) < UInt(Self.positionsMax), let cells else { return }
    cells[counts.mark].store(UInt64(counts.stamp) << 32 | UInt64(UInt32(truncatingIfNeeded: second)), ordering: .relaxed)
  }

  /// Returns the mark at a position; nil if no answer was sent.
  package func mark(at position: Int) -> Mark? {
    guard position >= 0, position < Self.positionsMax, let cell = cells?[position].load(ordering: .relaxed), cell != 0 else { return nil }
    return Mark(stamp: UInt32(truncatingIfNeeded: cell >> 32), second: Int(UInt32(truncatingIfNeeded: cell)))
  }

  package func clear(_ position: Int) {
    guard position >= 0, position < Self.positionsMax else { return }
    cells?[position].store(0, ordering: .relaxed)
  }
}
