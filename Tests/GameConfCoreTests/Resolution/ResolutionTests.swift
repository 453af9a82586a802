// Tests the members and the size of a resolution.

import GameConfCore
import Testing

@Suite("Resolution type")
struct ResolutionTests {
  private let plain = Resolution(value: 1, layer: .remote, reason: .split)

  @Test("a resolution stores its variant, next change and fault independently")
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

  @Test("changing a copy of a resolution does not change the original")
  func copies() {
    let first = Resolution(value: 1, layer: .remote, reason: .split, variant: "on")
    var second = first
    second.variant = "off"
    #expect(first.variant == "on" && second.variant == "off")
  }

  @Test("a resolution fits into four registers, also as an optional")
  func size() {
    #expect(MemoryLayout<Resolution>.size <= 4 * MemoryLayout<Int>.size)
    #expect(MemoryLayout<Resolution?>.size <= 4 * MemoryLayout<Int>.size)
  }
}
