// What an answer holds, and what it weighs.

import GameConfCore
import Testing

@Suite("An answer")
struct ResolutionTests {
  private let plain = Resolution(value: 1, layer: .remote, reason: .split)

  @Test("keeps its variant, next change and fault apart from each other")
  func rareParts() {
    var answer = plain
    answer.variant = "on"
    answer.fault = "why"
    answer.nextChangeAt = Instant(seconds: 7)
    #expect(answer.variant == "on" && answer.fault == "why" && answer.nextChangeAt == Instant(seconds: 7))
    let whole = Resolution(value: 1, layer: .remote, reason: .split, variant: "on", nextChangeAt: Instant(seconds: 7), fault: "why")
    #expect(answer == whole && answer.hashValue == whole.hashValue)
    #expect(answer != plain)
    answer.fault = nil
    #expect(answer.variant == "on" && answer.fault == nil && answer != whole)
    answer.variant = nil
    answer.nextChangeAt = nil
    #expect(answer == plain && answer.hashValue == plain.hashValue)
  }

  @Test("a copy is not changed with it")
  func copies() {
    let first = Resolution(value: 1, layer: .remote, reason: .split, variant: "on")
    var second = first
    second.variant = "off"
    #expect(first.variant == "on" && second.variant == "off")
  }

  @Test("is returned in registers: four words, with or without a key")
  func size() {
    #expect(MemoryLayout<Resolution>.size <= 4 * MemoryLayout<Int>.size)
    #expect(MemoryLayout<Resolution?>.size <= 4 * MemoryLayout<Int>.size)
  }
}
