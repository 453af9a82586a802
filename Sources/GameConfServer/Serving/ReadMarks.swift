// A table with the time of the last read of each key, written by one event loop with a single atomic store and readable by any thread.

internal import Glibc
internal import Synchronization

/// The positions in an event loop's tables at which an answer is counted and its key is marked as read.
package struct AnswerCounterPositions: Sendable, Hashable {
  /// The position of the counter of evaluations that the answer raises; -1 to count nothing.
  package var tally: Int
  /// The position in ``ReadMarks`` at which the answer's key is marked as read; -1 to mark no key.
  package var mark: Int
  /// The low 32 bits of the revision in the answer. The code that reads the mark compares them with the revision of an override, to find
  /// whether a game has read the override.
  package var stamp: UInt32

  /// Creates the positions; by default the answer is neither counted nor marked.
  package init(tally: Int = -1, mark: Int = -1, stamp: UInt32 = 0) {
    (self.tally, self.mark, self.stamp) = (tally, mark, stamp)
  }
}

/// The table of one event loop with the last read of each key: the revision in the answer, and the second at which it was sent.
///
/// A key's position does not change when precomputed answers are encoded again. The system allocates only the pages of the table that are
/// written.
package final class ReadMarks: Sendable {
  /// The number of positions in the table. An answer with a position beyond it is not marked as read.
  package static let positionsMax = 65_536

  /// The last answer that was marked at a position.
  package struct ReadMark: Sendable, Hashable {
    /// The low 32 bits of the revision in the answer.
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

  /// Marks the key of an answer as read, at the second in which the answer is sent.
  @inline(__always)
  func note(_ counts: AnswerCounterPositions, second: Int) {
    guard UInt(bitPattern: counts.mark) < UInt(Self.positionsMax), let cells else { return }
    cells[counts.mark].store(UInt64(counts.stamp) << 32 | UInt64(UInt32(truncatingIfNeeded: second)), ordering: .relaxed)
  }

  /// Returns the mark at a position; nil if no answer was marked there.
  package func mark(at position: Int) -> ReadMark? {
    guard position >= 0, position < Self.positionsMax, let cell = cells?[position].load(ordering: .relaxed), cell != 0 else { return nil }
    return ReadMark(stamp: UInt32(truncatingIfNeeded: cell >> 32), second: Int(UInt32(truncatingIfNeeded: cell)))
  }

  package func clear(_ position: Int) {
    guard position >= 0, position < Self.positionsMax else { return }
    cells?[position].store(0, ordering: .relaxed)
  }
}
