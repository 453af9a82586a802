// Tests the ring buffer of lines for a viewer of live requests, and the marks of reads for players with overrides.

import Testing

@testable import GameConfHTTP

@Suite("The ring buffer of lines for a viewer of live requests")
struct LineRingTests {
  private func texts(_ taken: [LineRing.Line]) -> [String] { taken.map { String(decoding: $0.bytes, as: UTF8.self) } }

  @Test("lines are taken from the ring buffer in the order in which they were appended, with their times")
  func order() {
    var ring = LineRing(bytesMax: 100)
    ring.append(Array("one".utf8), at: 1)
    ring.append(Array("two".utf8), at: -2)
    let taken = ring.take(bytesMax: 100)
    #expect(texts(taken.lines) == ["one", "two"] && taken.lines.map(\.microseconds) == [1, -2] && taken.leftOut == 0)
    #expect(ring.bytes == 0 && ring.count == 0)
  }

  @Test("a full ring buffer drops its oldest lines, and each line is taken or counted as dropped", arguments: [16, 37, 64, 100, 1_000])
  func counts(bytesMax: Int) {
    var ring = LineRing(bytesMax: bytesMax)
    var (taken, leftOut): ([String], Int64) = ([], 0)
    for number in 0..<1_000 {
      ring.append(Array("\(number)".utf8) + [UInt8](repeating: 46, count: number % 40), at: Int64(number))
      #expect(ring.bytes <= bytesMax)
      if number % 97 == 0 {
        let some = ring.take(bytesMax: 30)
        taken += texts(some.lines)
        leftOut += some.leftOut
      }
    }
    let rest = ring.take(bytesMax: .max)
    taken += texts(rest.lines)
    leftOut += rest.leftOut
    #expect(taken.count + Int(leftOut) == 1_000)
    let numbers = taken.compactMap { Int($0.prefix { $0 != "." }) }
    #expect(numbers == numbers.sorted() && numbers.count == taken.count)
  }

  @Test("a line that is longer than the ring buffer is dropped, and the other lines stay")
  func long() {
    var ring = LineRing(bytesMax: 20)
    ring.append(Array("kept".utf8), at: 1)
    ring.append([UInt8](repeating: 1, count: 9), at: 2)
    let taken = ring.take(bytesMax: 100)
    #expect(texts(taken.lines) == ["kept"] && taken.leftOut == 1)
  }

  @Test("a ring buffer that is cleared has no lines, and counts the removed ones as dropped")
  func clear() {
    var ring = LineRing(bytesMax: 100)
    ring.append([1], at: 1)
    ring.append([2], at: 2)
    ring.clear()
    let taken = ring.take(bytesMax: 100)
    #expect(taken.lines.isEmpty && taken.leftOut == 2)
  }
}

@Suite("Marks of reads for players with overrides")
struct PlayerReadMarksTests {
  @Test("the revision and the second of a player's last read of a key are recorded until the player is forgotten")
  func marks() {
    let marks = PlayerReadMarks()
    marks.note("k", of: "p", in: "g", at: 7, second: 100)
    marks.note(nil, of: "p", in: "g", at: 8, second: 101)
    let found = marks.marks("k", of: "p", in: "g")
    #expect(found.key == PlayerReadMarks.PlayerReadMark(revision: 7, second: 100) && found.all?.second == 101 && found.lostAt == nil)
    #expect(marks.marks("k", of: "q", in: "g").key == nil && marks.marks("k", of: "p", in: "h").key == nil)
    marks.forget("p", in: "g")
    #expect(marks.marks("k", of: "p", in: "g").key == nil)
  }

  @Test("beyond the limit of recorded reads the oldest one is evicted, and the time of the eviction is recorded")
  func limit() {
    let marks = PlayerReadMarks()
    for number in 0...PlayerReadMarks.marksMax { marks.note("k\(number)", of: "p", in: "g", at: 1, second: number) }
    let first = marks.marks("k0", of: "p", in: "g")
    #expect(first.key == nil && first.lostAt == PlayerReadMarks.marksMax)
    #expect(marks.marks("k1", of: "p", in: "g").key != nil)
  }
}
