// The last time that each answer was given: one store on an event loop, which any thread may read.

internal import Glibc
internal import Synchronization

/// The position of an answer's tally and of its mark; -1 for none.
package struct AnswerCounts: Sendable, Hashable {
  /// The position of its tally.
  package var tally: Int
  /// The position of its mark.
  package var mark: Int
  /// The state that the answer is of, as whoever reads the mark compares it.
  package var stamp: UInt32

  /// The positions of an answer.
  package init(tally: Int = -1, mark: Int = -1, stamp: UInt32 = 0) {
    (self.tally, self.mark, self.stamp) = (tally, mark, stamp)
  }
}

/// The marks of one event loop: by position, the state of the answer that was given last, and the second.
///
/// Positions stay the same while groups of ready answers are made again. Memory is taken by pages that have a mark.
package final class ReadMarks: Sendable {
  /// The number of positions; an answer beyond them has no mark.
  package static let positionsMax = 65_536

  /// The last answer at a position.
  package struct Mark: Sendable, Hashable {
    /// The state that the answer was of.
    package let stamp: UInt32
    /// The wall clock's second at which it was given last.
    package let second: Int
  }

  nonisolated(unsafe) private let cells: UnsafeMutablePointer<Atomic<UInt64>>?
  private static let bytes = positionsMax * MemoryLayout<Atomic<UInt64>>.stride

  package init() {
    let memory = mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    // Zeroes are atomics of zero. Without memory there are no marks.
    cells = memory == UnsafeMutableRawPointer(bitPattern: -1) ? nil : memory?.assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  deinit { if let cells { munmap(cells, Self.bytes) } }

  /// Marks an answer that is given.
  @inline(__always)
  func note(_ counts: AnswerCounts, second: Int) {
    guard UInt(bitPattern: counts.mark) < UInt(Self.positionsMax), let cells else { return }
    cells[counts.mark].store(UInt64(counts.stamp) << 32 | UInt64(UInt32(truncatingIfNeeded: second)), ordering: .relaxed)
  }

  /// The mark at a position; nil for an answer that was not given.
  package func mark(at position: Int) -> Mark? {
    guard position >= 0, position < Self.positionsMax, let cell = cells?[position].load(ordering: .relaxed), cell != 0 else { return nil }
    return Mark(stamp: UInt32(truncatingIfNeeded: cell >> 32), second: Int(UInt32(truncatingIfNeeded: cell)))
  }

  /// Removes the mark at a position.
  package func clear(_ position: Int) {
    guard position >= 0, position < Self.positionsMax else { return }
    cells?[position].store(0, ordering: .relaxed)
  }
}
