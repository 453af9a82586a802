// Tests of the table of reads of an event loop.

import Testing

@testable import GameConfServer

@Suite("An event loop's table with the last read of each key")
struct ReadMarksTests {
  @Test("the table of reads has the revision and the second of the last answer at a position, and nothing at an unused position")
  func marks() {
    let marks = ReadMarks()
    marks.note(AnswerCounterPositions(mark: 7, stamp: 3), second: 100)
    marks.note(AnswerCounterPositions(mark: 7, stamp: .max), second: 101)
    #expect(marks.mark(at: 7) == ReadMarks.ReadMark(stamp: .max, second: 101))
    #expect(marks.mark(at: 8) == nil)
    marks.clear(7)
    #expect(marks.mark(at: 7) == nil)
  }

  @Test("an answer with a position outside the table of reads is not recorded", arguments: [-1, ReadMarks.positionsMax, .max, .min])
  func outside(position: Int) {
    let marks = ReadMarks()
    marks.note(AnswerCounterPositions(mark: position, stamp: 1), second: 1)
    marks.clear(position)
    #expect(marks.mark(at: position) == nil)
  }

  @Test("precomputed answers that are encoded again keep their positions in the table of reads")
  func group() {
    let counts = AnswerCounterPositions(tally: 1, mark: 5, stamp: 9)
    let group = PrecomputedAnswerGroup(revision: 1, [ReadyAnswer(target: "/a", answer: .json(["a": 1]), route: 0, counts: counts)])
    let again = group.replacing(revision: 2, [ReadyAnswer(target: "/b", answer: .json(["b": 1]), route: 0)])
    #expect(again.items.map(\.counts) == [counts, AnswerCounterPositions()])
  }
}
